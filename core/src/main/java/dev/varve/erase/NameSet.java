// SPDX-License-Identifier: Apache-2.0
package dev.varve.erase;

import dev.varve.BlobHash;

/// The beginnings of names of blobs: 8 bytes each, some 24 to 48 bytes of memory a name. A name of
/// which the beginning is here need not be here itself.
///
/// Nearly all that is asked for is not here. A filter of 32 bits for each slot says so at once for
/// at least 63 of 64 questions.
public final class NameSet {

  private static final int SLOTS_MIN = 1 << 10;

  /// So many slots share a word of the filter.
  private static final int SLOTS_A_WORD = 2;

  private long[] slots = new long[SLOTS_MIN];
  private long[] filter = new long[SLOTS_MIN / SLOTS_A_WORD];
  private int count;
  private boolean hasZero;

  /// Adds a name.
  public void add(BlobHash name) {
    if (name.w0() == 0) {
      hasZero = true;
      filter[word(0)] |= 1;
      return;
    }
    if (2 * (count + 1) > slots.length) {
      grow();
    }
    put(name.w0());
  }

  private void put(long beginning) {
    int slot = slotOf(beginning);
    if (slots[slot] == 0) {
      slots[slot] = beginning;
      filter[word(beginning)] |= 1L << beginning;
      count++;
    }
  }

  /// Returns whether a name begins with these 8 bytes, read little-endian.
  public boolean mayHave(long beginning) {
    return (filter[word(beginning)] >>> beginning & 1) != 0
        && (beginning == 0 ? hasZero : slots[slotOf(beginning)] != 0);
  }

  public boolean isEmpty() {
    return count == 0 && !hasZero;
  }

  /// The word of the filter in which the lowest six bits of a beginning choose the bit.
  private int word(long beginning) {
    return (int) (beginning >>> 6) & filter.length - 1;
  }

  private int slotOf(long beginning) {
    int slot = (int) (beginning >>> 32) & slots.length - 1;
    while (slots[slot] != 0 && slots[slot] != beginning) {
      slot = slot + 1 & slots.length - 1;
    }
    return slot;
  }

  private void grow() {
    long[] old = slots;
    slots = new long[Math.multiplyExact(old.length, 2)];
    filter = new long[slots.length / SLOTS_A_WORD];
    count = 0;
    for (long beginning : old) {
      if (beginning != 0) {
        put(beginning);
      }
    }
    if (hasZero) {
      filter[word(0)] |= 1;
    }
  }
}
