// SPDX-License-Identifier: Apache-2.0
package dev.varve;

/// The number of a context: unique in its store, never reused (spec 001, *ContextID*). Starts at 1.
///
/// An unsigned 64-bit number on the wire; Varve hands out only numbers below 2^63.
public record ContextId(long value) implements Comparable<ContextId> {

  /// Reads a decimal number.
  ///
  /// @throws StoreException.Invalid if `text` is not a number from 0 to 2^63 - 1
  public static ContextId parse(String text) {
    try {
      long value = Long.parseLong(text);
      if (value >= 0 && DecimalDigits.isAscii(text)) {
        return new ContextId(value);
      }
    } catch (NumberFormatException e) {
      // refused below
    }
    throw new StoreException.Invalid("context id", "expected a number, found '" + text + "'");
  }

  @Override
  public int compareTo(ContextId other) {
    return Long.compareUnsigned(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toUnsignedString(value);
  }
}
