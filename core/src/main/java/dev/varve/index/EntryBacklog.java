// SPDX-License-Identifier: Apache-2.0
package dev.varve.index;

import java.util.Arrays;
import java.util.function.LongPredicate;

/// The entries that were put while a larger table is being filled, in order, so that the filling
/// thread puts them there too.
///
/// The backlog is bounded, and so is its memory: some 300 KB, while a large table is renewed under
/// a fast writer.
final class EntryBacklog {

  /// The most entries: the work of a few milliseconds.
  static final int CAPACITY = 1 << 14;

  private long[] fingerprints = new long[16];
  private long[] values = new long[16];
  private LongPredicate[] superseded = new LongPredicate[16];
  private int count;

  boolean isFull() {
    return count == CAPACITY;
  }

  void add(long fingerprint, long value, LongPredicate gone) {
    if (count == values.length) {
      grow();
    }
    fingerprints[count] = fingerprint;
    values[count] = value;
    superseded[count] = gone;
    count++;
  }

  /// Returns all entries and forgets them.
  void drainTo(EntrySink sink) {
    for (int i = 0; i < count; i++) {
      sink.put(fingerprints[i], values[i], superseded[i]);
    }
    count = 0;
  }

  private void grow() {
    int length = Math.min(CAPACITY, 4 * count);
    fingerprints = Arrays.copyOf(fingerprints, length);
    values = Arrays.copyOf(values, length);
    superseded = Arrays.copyOf(superseded, length);
  }
}
