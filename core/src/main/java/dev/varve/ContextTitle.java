// SPDX-License-Identifier: Apache-2.0
package dev.varve;

/// The title of a context, as the blob that describes the context has it: the JSON object
/// `{"title":"…"}`. Every command, the service and the workbench show it.
public record ContextTitle(String text) {

  private static final String HEX = "0123456789ABCDEF";

  /// The blob.
  public Payload about() {
    StringBuilder json = new StringBuilder("{\"title\":\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> json.append('\\').append(c);
        case '\n' -> json.append("\\n");
        case '\t' -> json.append("\\t");
        default -> {
          if (c < ' ') {
            json.append("\\u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 0xf));
          } else {
            json.append(c);
          }
        }
      }
    }
    return Payload.utf8(json.append("\"}").toString());
  }
}
