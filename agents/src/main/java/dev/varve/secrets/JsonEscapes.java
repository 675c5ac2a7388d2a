// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// The text between the quotes of a JSON string, read and written as JavaScript does.
final class JsonEscapes {

  private static final String SHORT = "\"\\bfnrt/";
  private static final String MEANT = "\"\\\b\f\n\r\t/";

  private JsonEscapes() {}

  /// The offset of the closing quote of the string whose first character is at `from`.
  static int end(byte[] bytes, int from) {
    int at = from;
    while (bytes[at] != '"') {
      at += bytes[at] == '\\' ? 2 : 1;
    }
    return at;
  }

  /// The text of the valid JSON string between `from` and `to`.
  static String decode(byte[] bytes, int from, int to) {
    byte[] plain = new byte[to - from];
    int size = 0;
    for (int at = from; at < to; ) {
      byte b = bytes[at];
      if (b < 0 || (b == '\\' && bytes[at + 1] == 'u')) {
        return decodeWide(bytes, from, to);
      }
      plain[size++] = b == '\\' ? (byte) meant(bytes[at + 1]) : b;
      at += b == '\\' ? 2 : 1;
    }
    return new String(plain, 0, size, StandardCharsets.ISO_8859_1);
  }

  private static char meant(byte escape) {
    return MEANT.charAt(SHORT.indexOf(escape));
  }

  /// The text of a string that is not all ASCII.
  private static String decodeWide(byte[] bytes, int from, int to) {
    StringBuilder text = new StringBuilder(to - from);
    int plain = from;
    for (int at = from; at < to; ) {
      if (bytes[at] != '\\') {
        at++;
        continue;
      }
      text.append(new String(bytes, plain, at - plain, StandardCharsets.UTF_8));
      if (bytes[at + 1] == 'u') {
        String digits = new String(bytes, at + 2, 4, StandardCharsets.ISO_8859_1);
        text.append((char) Integer.parseInt(digits, 16));
        at += 6;
      } else {
        text.append(meant(bytes[at + 1]));
        at += 2;
      }
      plain = at;
    }
    return text.append(new String(bytes, plain, to - plain, StandardCharsets.UTF_8)).toString();
  }

  /// The form of `text` between the quotes of a JSON string.
  static byte[] encode(String text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(text.length() + 16);
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      int place = c == '/' ? -1 : c < 0x80 ? MEANT.indexOf(c) : -1;
      if (place >= 0) {
        plain.append('\\').append(SHORT.charAt(place));
      } else if (c < ' ' || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
        plain.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
          plain.append(Character.forDigit(c >> shift & 0xF, 16));
        }
      } else {
        plain.appendCodePoint(c);
      }
    }
    out.writeBytes(plain.toString().getBytes(StandardCharsets.UTF_8));
    return out.toByteArray();
  }
}
