// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.session;

import java.util.ArrayList;
import java.util.List;

/// A list of numbers that grows without copying what it holds.
public final class LongList {

  private static final int CHUNK_BITS = 13;
  private static final int CHUNK = 1 << CHUNK_BITS;

  private final List<long[]> chunks = new ArrayList<>();
  private int size;

  public void add(long value) {
    if (size == chunks.size() << CHUNK_BITS) {
      chunks.add(new long[CHUNK]);
    }
    size++;
    set(size - 1, value);
  }

  public long get(int at) {
    return chunks.get(at >> CHUNK_BITS)[at & CHUNK - 1];
  }

  public void set(int at, long value) {
    chunks.get(at >> CHUNK_BITS)[at & CHUNK - 1] = value;
  }

  public int size() {
    return size;
  }
}
