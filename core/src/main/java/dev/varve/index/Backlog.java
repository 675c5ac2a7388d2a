// SPDX-License-Identifier: Apache-2.0
package dev.varve.index;

import java.util.function.LongPredicate;

/// Entries that were put while a successor is being filled, in order, for the filling thread to put
/// there too.
///
/// It is bounded, and so is the memory it takes: some 300 KB, while a large table is being renewed.
final class Backlog {

  /// A few milliseconds' work.
  static final int CAPACITY = 1 << 14;

  private final long[] fingerprints = new long[CAPACITY];
  private final long[] values = new long[CAPACITY];
  private final LongPredicate[] superseded = new LongPredicate[CAPACITY];
  private int count;

  boolean isFull() {
    return count == CAPACITY;
  }

  void add(long fingerprint, long value, LongPredicate gone) {
    fingerprints[count] = fingerprint;
    values[count] = value;
    superseded[count] = gone;
    count++;
  }

  /// Gives all entries and forgets them.
  void drainTo(Sink sink) {
    for (int i = 0; i < count; i++) {
      sink.put(fingerprints[i], values[i], superseded[i]);
    }
    count = 0;
  }
}
