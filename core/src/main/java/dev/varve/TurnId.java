// SPDX-License-Identifier: Apache-2.0
package dev.varve;

/// The number of a turn: unique in its store, rising in the order of appending, never reused, not
/// even after a crash (spec 001, *TurnID*). Numbers start at 1; a store may leave gaps.
///
/// An unsigned 64-bit number on the wire; Varve hands out only numbers below 2^63.
public record TurnId(long value) implements Comparable<TurnId> {

  /// Stands for *no turn*: the parent of a root, the head of an empty context.
  public static final TurnId NONE = new TurnId(0);

  /// Returns whether this is [#NONE].
  public boolean isNone() {
    return value == 0;
  }

  /// Reads a decimal number.
  ///
  /// @throws StoreException.Invalid if `text` is not a number from 0 to 2^63 - 1
  public static TurnId parse(String text) {
    try {
      long value = Long.parseLong(text);
      if (value >= 0 && DecimalDigits.isAscii(text)) {
        return new TurnId(value);
      }
    } catch (NumberFormatException e) {
      // refused below
    }
    throw new StoreException.Invalid("turn id", "expected a number, found '" + text + "'");
  }

  @Override
  public int compareTo(TurnId other) {
    return Long.compareUnsigned(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toUnsignedString(value);
  }
}
