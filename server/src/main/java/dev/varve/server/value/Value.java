// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.value;

import dev.varve.Payload;
import java.util.List;

/// A payload, or a part of one, taken apart.
public sealed interface Value {

  /// No value: msgpack's nil, JSON's null.
  enum Nil implements Value {
    NIL
  }

  record Bool(boolean value) implements Value {}

  /// A whole number of 64 bits.
  ///
  /// @param bits read as unsigned unless `negative`, else as signed and below zero
  record Int(long bits, boolean negative) implements Value {

    public static Int of(long signed) {
      return new Int(signed, signed < 0);
    }

    public static Int unsigned(long bits) {
      return new Int(bits, false);
    }

    /// Whether it lies between the least and the greatest `long`.
    public boolean fitsLong() {
      return negative || bits >= 0;
    }

    /// In decimal.
    @Override
    public String toString() {
      return negative ? Long.toString(bits) : Long.toUnsignedString(bits);
    }
  }

  record Real(double value) implements Value {}

  /// Text; empty where the bytes were not UTF-8.
  record Text(String value) implements Value {}

  record Bytes(Payload value) implements Value {}

  record Items(List<Value> values) implements Value {}

  /// A map with its entries as they stood, doubles included.
  record Entries(List<Entry> entries) implements Value {}

  record Entry(Value key, Value value) {}

  /// A value of a type that msgpack leaves to its users; its bytes are passed over.
  record Extension(byte type) implements Value {}
}
