// SPDX-License-Identifier: Apache-2.0
package dev.varve;

/// Java reads a sign and the digits of every script as a number; a number that others wrote has
/// neither.
final class DecimalDigits {

  private DecimalDigits() {}

  /// Returns whether there is nothing in `text` but `0` to `9`.
  static boolean isAscii(String text) {
    return text.chars().allMatch(c -> c >= '0' && c <= '9');
  }
}
