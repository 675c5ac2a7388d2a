// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.branch;

/// Text as a JSON string.
public final class JsonString {

  private JsonString() {}

  /// `text` with its quotes. Pure ASCII but for letters of the basic plane, which stay as they are.
  public static String of(String text) {
    StringBuilder json = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ' || Character.isSurrogate(c)) {
        json.append("\\u").append(Integer.toHexString(c | 0x10000).substring(1));
      } else {
        json.append(c);
      }
    }
    return json.append('"').toString();
  }
}
