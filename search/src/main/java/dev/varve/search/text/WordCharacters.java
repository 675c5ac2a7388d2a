// SPDX-License-Identifier: Apache-2.0
package dev.varve.search.text;

import java.lang.Character.UnicodeScript;

/// The classes of characters that words are made of.
final class WordCharacters {

  private WordCharacters() {}

  /// Returns whether base64 and its like have this character.
  static boolean isData(char c) {
    return c >= 'a' && c <= 'z'
        || c >= 'A' && c <= 'Z'
        || c >= '0' && c <= '9'
        || c == '+'
        || c == '/'
        || c == '='
        || c == '-'
        || c == '_';
  }

  /// Returns whether a word has this character.
  static boolean isWord(int c) {
    if (c < 0x80) {
      return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_';
    }
    return Character.isLetterOrDigit(c);
  }

  /// Returns whether this character belongs to the one before.
  static boolean isMark(int c) {
    return c >= 0x300
        && switch (Character.getType(c)) {
          case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK -> true;
          default -> c == 0x200c || c == 0x200d;
        };
  }

  /// Returns whether text of this character has no spaces between words.
  static boolean isPaired(int c) {
    if (c < 0x1100) {
      return false;
    }
    if (c == 0x30fc) {
      return true; // the long vowel of Japanese
    }
    UnicodeScript script = UnicodeScript.of(c);
    return Character.isLetter(c)
        && (script == UnicodeScript.HAN
            || script == UnicodeScript.HIRAGANA
            || script == UnicodeScript.KATAKANA
            || script == UnicodeScript.HANGUL);
  }
}
