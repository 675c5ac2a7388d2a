// SPDX-License-Identifier: Apache-2.0
package dev.varve.search.text;

/// The parts of an identifier: `parse`, `HTTP` and `Header` of `parseHTTPHeader`, `max` and `size`
/// of `max_size`, `utf` and `16` of `utf16`.
final class IdentifierParts {

  @FunctionalInterface
  interface Sink {
    void part(int from, int to);
  }

  private IdentifierParts() {}

  /// Hands out the parts of at least two characters; none if the word is one part.
  static void each(String word, Sink sink) {
    int from = 0;
    for (int i = 1; i <= word.length(); i++) {
      if (i == word.length() || isBorder(word, i)) {
        int start = word.charAt(from) == '_' ? from + 1 : from;
        if (i - start >= 2 && i - start < word.length()) {
          sink.part(start, i);
        }
        from = i;
      }
    }
  }

  private static boolean isBorder(String word, int i) {
    char before = word.charAt(i - 1);
    char c = word.charAt(i);
    if (c == '_' || before == '_') {
      return c == '_';
    }
    if (Character.isDigit(before) != Character.isDigit(c)) {
      return true;
    }
    if (!Character.isUpperCase(c)) {
      return false;
    }
    boolean nextIsLower = i + 1 < word.length() && Character.isLowerCase(word.charAt(i + 1));
    return !Character.isUpperCase(before) || nextIsLower;
  }
}
