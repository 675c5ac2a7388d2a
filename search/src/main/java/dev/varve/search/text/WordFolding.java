// SPDX-License-Identifier: Apache-2.0
package dev.varve.search.text;

import java.text.Normalizer;
import java.util.Locale;

/// Makes words comparable: small letters, without accents.
final class WordFolding {

  private WordFolding() {}

  static String fold(String word) {
    int i = 0;
    while (i < word.length() && word.charAt(i) < 0x80) {
      i++;
    }
    if (i == word.length()) {
      return word.toLowerCase(Locale.ROOT);
    }
    String apart = Normalizer.normalize(word, Normalizer.Form.NFKD);
    StringBuilder folded = new StringBuilder(apart.length());
    apart.toLowerCase(Locale.ROOT).codePoints().forEach(c -> append(c, folded));
    return folded.toString();
  }

  private static void append(int c, StringBuilder folded) {
    switch (c) {
      case 'ß' -> folded.append("ss");
      case 'æ' -> folded.append("ae");
      case 'œ' -> folded.append("oe");
      case 'ø' -> folded.append('o');
      case 'đ', 'ð' -> folded.append('d');
      case 'ł' -> folded.append('l');
      case 'ı' -> folded.append('i');
      case 'þ' -> folded.append("th");
      case 'ς' -> folded.append('σ');
      default -> {
        if (WordCharacters.isWord(c) || c >= 0x80 && isSpacingMark(c)) {
          folded.appendCodePoint(c);
        }
      }
    }
  }

  /// Vowels of scripts in which a word without them would be another word.
  private static boolean isSpacingMark(int c) {
    return Character.getType(c) == Character.COMBINING_SPACING_MARK;
  }
}
