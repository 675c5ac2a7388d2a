// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.json;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// Strings as JSON spells them.
public final class JsonStrings {

  private JsonStrings() {}

  /// The text between the quotes of a string that was read, escapes resolved. Lone surrogates stay
  /// what they are.
  static String decode(byte[] bytes, int from, int to) {
    int plain = from + 1;
    while (plain < to - 1 && bytes[plain] != '\\') {
      plain++;
    }
    if (plain == to - 1) {
      return new String(bytes, from + 1, to - from - 2, StandardCharsets.UTF_8);
    }
    StringBuilder text = new StringBuilder(to - from);
    int at = from + 1;
    while (at < to - 1) {
      int run = at;
      while (run < to - 1 && bytes[run] != '\\') {
        run++;
      }
      text.append(new String(bytes, at, run - at, StandardCharsets.UTF_8));
      at = run;
      if (at < to - 1) {
        int c = bytes[at + 1];
        text.append(unescaped(bytes, at, c));
        at += c == 'u' ? 6 : 2;
      }
    }
    return text.toString();
  }

  private static char unescaped(byte[] bytes, int at, int c) {
    return switch (c) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        int unit = 0;
        for (int i = 2; i < 6; i++) {
          unit = unit << 4 | Character.digit(bytes[at + i], 16);
        }
        yield (char) unit;
      }
      default -> (char) c;
    };
  }

  static boolean hasLoneSurrogate(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        if (Character.isLowSurrogate(c)
            || i + 1 == text.length()
            || !Character.isLowSurrogate(text.charAt(i + 1))) {
          return true;
        }
        i++;
      }
    }
    return false;
  }

  /// UTF-8 text as a JSON string, quotes included, spelled as serde_json does: what must be escaped
  /// is, and nothing else.
  public static byte[] quote(byte[] text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(text.length + text.length / 16 + 2);
    out.write('"');
    for (byte b : text) {
      switch (b) {
        case '"' -> pair('"', out);
        case '\\' -> pair('\\', out);
        case '\b' -> pair('b', out);
        case '\f' -> pair('f', out);
        case '\n' -> pair('n', out);
        case '\r' -> pair('r', out);
        case '\t' -> pair('t', out);
        default -> {
          if (b >= 0 && b < ' ') {
            out.writeBytes(String.format("\\u%04x", (int) b).getBytes(StandardCharsets.US_ASCII));
          } else {
            out.write(b);
          }
        }
      }
    }
    out.write('"');
    return out.toByteArray();
  }

  private static void pair(char c, ByteArrayOutputStream out) {
    out.write('\\');
    out.write(c);
  }
}
