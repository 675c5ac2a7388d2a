// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.value;

import tools.jackson.core.JsonGenerator;

/// Texts with lone surrogates: halves of a character, which JSON can escape and UTF-8 cannot
/// encode.
public final class JsonTexts {

  private JsonTexts() {}

  /// Returns whether UTF-8 can encode a text.
  public static boolean isEncodable(String text) {
    return text.codePoints().noneMatch(JsonTexts::isSurrogate);
  }

  private static boolean isSurrogate(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }

  /// Writes a text; lone surrogates are escaped, so that a reader gets the text unchanged.
  public static void write(String text, JsonGenerator json) {
    if (isEncodable(text)) {
      json.writeString(text);
      return;
    }
    StringBuilder escaped = new StringBuilder("\"");
    text.codePoints()
        .forEach(
            codePoint -> {
              if (codePoint < 0x20
                  || codePoint == '"'
                  || codePoint == '\\'
                  || isSurrogate(codePoint)) {
                escaped.append("\\u%04x".formatted(codePoint));
              } else {
                escaped.appendCodePoint(codePoint);
              }
            });
    json.writeRawValue(escaped.append('"').toString());
  }
}
