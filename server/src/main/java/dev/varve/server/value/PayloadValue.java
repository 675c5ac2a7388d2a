// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.value;

import dev.varve.Payload;
import java.util.List;

/// A decoded payload, or a part of one.
public sealed interface PayloadValue {

  /// No value: msgpack's nil, JSON's null.
  enum Nil implements PayloadValue {
    NIL
  }

  record Bool(boolean value) implements PayloadValue {}

  /// A whole number of 64 bits.
  ///
  /// @param bits unsigned unless `negative`, otherwise signed and below zero
  record Int(long bits, boolean negative) implements PayloadValue {

    public static Int of(long signed) {
      return new Int(signed, signed < 0);
    }

    public static Int unsigned(long bits) {
      return new Int(bits, false);
    }

    /// Returns whether the number fits into a `long`.
    public boolean fitsLong() {
      return negative || bits >= 0;
    }

    /// In decimal.
    @Override
    public String toString() {
      return negative ? Long.toString(bits) : Long.toUnsignedString(bits);
    }
  }

  record Real(double value) implements PayloadValue {}

  /// A number of JSON that neither 64 bits nor a double hold: too large, or with more digits.
  ///
  /// @param text the number as written
  record Decimal(String text) implements PayloadValue {

    private static final int SHOWN_MAX = 40;

    /// The beginning of the number, for messages.
    public String shortened() {
      return text.length() <= SHOWN_MAX ? text : text.substring(0, SHOWN_MAX) + "…";
    }
  }

  /// Text; empty if the bytes were not UTF-8.
  record Text(String value) implements PayloadValue {}

  record Bytes(Payload value) implements PayloadValue {}

  record Items(List<PayloadValue> values) implements PayloadValue {}

  /// A map with its entries in their order, duplicates included.
  record Entries(List<Entry> entries) implements PayloadValue {}

  record Entry(PayloadValue key, PayloadValue value) {}

  /// A value of an application-defined msgpack type; its bytes are skipped.
  record Extension(byte type) implements PayloadValue {}
}
