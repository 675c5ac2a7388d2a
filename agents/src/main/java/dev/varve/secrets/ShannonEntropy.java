// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

/// Shannon's entropy of the characters of a text: a text that repeats itself has a small entropy.
final class ShannonEntropy {

  private ShannonEntropy() {}

  /// The entropy of `text`, in bits per character.
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
