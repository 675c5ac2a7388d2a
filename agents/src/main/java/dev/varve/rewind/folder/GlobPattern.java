// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.folder;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.BitSet;

/// A pattern for paths as git has them (`wildmatch` with `WM_PATHNAME`), as a regular expression:
/// no `*`, `?` or bracket matches a slash, `**` between slashes matches any number of folders.
final class GlobPattern {

  private static final int BYTES = 256;

  private final String text;
  private final StringBuilder regex = new StringBuilder();
  private int at;

  GlobPattern(String text) {
    this.text = text;
  }

  /// @throws PatternSyntaxException if it can match nothing
  String regex() {
    while (at < text.length()) {
      char c = text.charAt(at++);
      switch (c) {
        case '*' -> stars();
        case '?' -> regex.append("[^/]");
        case '[' -> bracket();
        case '\\' -> literal(next());
        default -> literal(c);
      }
    }
    return regex.toString();
  }

  private void literal(char c) {
    regex.append(Pattern.quote(String.valueOf(c)));
  }

  private void stars() {
    int start = at - 1;
    while (at < text.length() && text.charAt(at) == '*') {
      at++;
    }
    boolean first = start == 0 || text.charAt(start - 1) == '/';
    boolean last = at == text.length() || text.charAt(at) == '/';
    if (at - start != 2 || !first || !last) {
      regex.append("[^/]*");
    } else if (at == text.length()) {
      regex.append(".*");
    } else {
      at++; // the slash is part of it: no folder at all matches, too
      regex.append("(?:.*/)?");
    }
  }

  private void bracket() {
    BitSet set = new BitSet();
    boolean not = at < text.length() && "!^".indexOf(text.charAt(at)) >= 0;
    at += not ? 1 : 0;
    int before = -1; // where a range can begin
    for (boolean first = true; ; first = false) {
      char c = next();
      if (c == ']' && !first) {
        break;
      }
      int end = text.indexOf(":]", at);
      if (c == '[' && at < text.length() && text.charAt(at) == ':' && end > at) {
        named(text.substring(at + 1, end), set);
        at = end + 2;
        before = -1;
      } else if (c == '-' && before >= 0 && at < text.length() && text.charAt(at) != ']') {
        char last = next();
        last = last == '\\' ? next() : last;
        if (last >= before) {
          set.set(before, last + 1);
        }
        before = -1;
      } else {
        before = c == '\\' ? next() : c;
        set.set(before);
      }
    }
    if (not) {
      set.flip(0, BYTES);
    }
    set.clear('/');
    if (set.isEmpty()) {
      throw new PatternSyntaxException("a bracket that matches nothing", text);
    }
    regex.append('[');
    set.stream().forEach(c -> regex.append(String.format("\\x%02x", c)));
    regex.append(']');
  }

  private char next() {
    if (at == text.length()) {
      throw new PatternSyntaxException("cut short", text);
    }
    return text.charAt(at++);
  }

  /// The classes of POSIX, in ASCII.
  private void named(String name, BitSet set) {
    String known =
        switch (name) {
          case "alnum" -> "\\p{Alnum}";
          case "alpha" -> "\\p{Alpha}";
          case "blank" -> "\\p{Blank}";
          case "cntrl" -> "\\p{Cntrl}";
          case "digit" -> "\\p{Digit}";
          case "graph" -> "\\p{Graph}";
          case "lower" -> "\\p{Lower}";
          case "print" -> "\\p{Print}";
          case "punct" -> "\\p{Punct}";
          case "space" -> "\\p{Space}";
          case "upper" -> "\\p{Upper}";
          case "xdigit" -> "\\p{XDigit}";
          default -> throw new PatternSyntaxException("no class of characters", name);
        };
    for (int c = 0; c < 128; c++) {
      if (String.valueOf((char) c).matches(known)) {
        set.set(c);
      }
    }
  }
}
