// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/// Makes stored text safe to show.
///
/// A payload is anybody's text: it may hold escape sequences that repaint the screen, set the
/// window's title or fill the clipboard, and direction marks that make one text look like another
/// (CVE-2021-42574). What has such power is written as the escape that Java and JSON know
/// (backslash, u, four hex digits a UTF-16 unit), so that inside a JSON string it still means the
/// same.
public final class SafeText {

  private SafeText() {}

  /// `text` as one line: line ends and tabs are escaped too.
  public static String line(String text) {
    return escape(text, false);
  }

  /// `text` with its line feeds and tabs.
  static String lines(String text) {
    return escape(text, true);
  }

  /// Returns whether `text` can be shown as it is.
  public static boolean isSafe(String text) {
    return firstUnsafe(text, true) == text.length();
  }

  private static String escape(String text, boolean keepLines) {
    int from = firstUnsafe(text, keepLines);
    if (from == text.length()) {
      return text;
    }
    StringBuilder safe = new StringBuilder(text.length() + 16).append(text, 0, from);
    for (int i = from; i < text.length(); ) {
      int c = text.codePointAt(i);
      int next = i + Character.charCount(c);
      if (isSafe(c, keepLines)) {
        safe.appendCodePoint(c);
      } else {
        for (; i < next; i++) {
          appendEscape(safe, text.charAt(i));
        }
      }
      i = next;
    }
    return safe.toString();
  }

  private static int firstUnsafe(String text, boolean keepLines) {
    int i = 0;
    while (i < text.length()) {
      int c = text.codePointAt(i);
      if (!isSafe(c, keepLines)) {
        return i;
      }
      i += Character.charCount(c);
    }
    return i;
  }

  private static boolean isSafe(int c, boolean keepLines) {
    if (c >= ' ' && c < 0x7f) {
      return true;
    }
    if (c == '\n' || c == '\t') {
      return keepLines;
    }
    return switch (Character.getType(c)) {
      case Character.CONTROL, Character.SURROGATE -> false;
      case Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
      // Joiners shape Persian words and family emoji and cannot reorder anything; all other format
      // characters (directions, tags, byte order marks, invisible operators) are shown.
      case Character.FORMAT -> c == 0x200c || c == 0x200d;
      default -> true;
    };
  }

  private static void appendEscape(StringBuilder text, char unit) {
    text.append("\\u");
    for (int shift = 12; shift >= 0; shift -= 4) {
      text.append(Character.forDigit(unit >> shift & 0xf, 16));
    }
  }

  /// The number of columns that a terminal gives `text`: an estimate, used to align and to cut.
  public static int columns(String text) {
    return text.codePoints().map(SafeText::columns).sum();
  }

  /// `text`, cut so that it fits in `columns`, with an ellipsis where something is missing.
  public static String cut(String text, int columns) {
    if (text.length() <= columns && text.chars().allMatch(c -> c < 0x300)) {
      return text;
    }
    int used = 0;
    int end = 0;
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      used += columns(c);
      if (used > columns) {
        return text.substring(0, end) + "…";
      }
      i += Character.charCount(c);
      if (used < columns) {
        end = i; // up to here, an ellipsis still fits behind it
      }
    }
    return text;
  }

  /// Breaks `text` at spaces into lines of at most `columns`. A longer word has a line of its own,
  /// so that a path or a hash can be copied as a whole.
  public static List<String> fold(String text, int columns) {
    List<String> lines = new ArrayList<>();
    for (String word : text.split(" ", -1)) {
      String longer = lines.isEmpty() ? word : lines.getLast() + " " + word;
      if (!lines.isEmpty() && columns(longer) <= columns) {
        lines.set(lines.size() - 1, longer);
      } else {
        lines.add(word);
      }
    }
    return lines;
  }

  private static int columns(int c) {
    if (c < 0x300) {
      return 1;
    }
    return switch (Character.getType(c)) {
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
      default -> isWide(c) ? 2 : 1;
    };
  }

  /// The blocks of Unicode's East Asian Width *W* that people write in, coarsely.
  private static boolean isWide(int c) {
    return (c >= 0x1100 && c <= 0x115f)
        || (c >= 0x2e80 && c <= 0xa4cf && c != 0x303f)
        || (c >= 0xac00 && c <= 0xd7a3)
        || (c >= 0xf900 && c <= 0xfaff)
        || (c >= 0xfe30 && c <= 0xfe6f)
        || (c >= 0xff00 && c <= 0xff60)
        || (c >= 0xffe0 && c <= 0xffe6)
        || (c >= 0x1f300 && c <= 0x1f64f)
        || (c >= 0x1f900 && c <= 0x1f9ff)
        || (c >= 0x20000 && c <= 0x3fffd);
  }
}
