// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

/// How little a text repeats itself: Shannon's entropy of its characters.
final class Entropy {

  private Entropy() {}

  /// In bits a character.
  static double of(String text) {
    int[] counts = new int[256];
    int others = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < counts.length) {
        counts[c]++;
      } else {
        others++; // no credential has them; each counts as its own
      }
    }
    double bits = others == 0 ? 0 : others * Math.log(text.length()) / text.length();
    for (int count : counts) {
      if (count > 0) {
        double share = (double) count / text.length();
        bits -= share * Math.log(share);
      }
    }
    return bits / Math.log(2);
  }
}
