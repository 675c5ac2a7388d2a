// SPDX-License-Identifier: Apache-2.0
package dev.varve.erase;

import dev.varve.BlobHash;

/// The beginnings of names of blobs: 8 bytes each, some 16 to 48 bytes of memory a name. A name of
/// which the beginning is here need not be here itself.
///
/// Nearly all that is asked for is not here. Two filters of one bit for each hash of a beginning
/// say so without a look at the beginnings: a small one that stays in the processor's first cache,
/// and one that grows with the number of names.
public final class NameSet {

  private static final int SIZE_MIN = 1 << 10;
  private static final int SMALL_BITS = 1 << 16;

  /// Bits of the large filter for each slot.
  private static final int BITS_A_SLOT = 16;

  private final long[] small = new long[SMALL_BITS / Long.SIZE];
  private long[] slots = new long[SIZE_MIN];
  private long[] large = new long[SIZE_MIN * BITS_A_SLOT / Long.SIZE];
  private int count;
  private boolean hasZero;

  /// Adds a name.
  public void add(BlobHash name) {
    long beginning = name.w0();
    small[smallWord(beginning)] |= 1L << beginning;
    if (beginning == 0) {
      hasZero = true;
      large[largeWord(beginning)] |= 1L << largeBit(beginning);
      return;
    }
    if (2 * (count + 1) > slots.length) {
      grow();
    }
    put(beginning);
  }

  private void put(long beginning) {
    int slot = slotOf(beginning);
    if (slots[slot] == 0) {
      slots[slot] = beginning;
      large[largeWord(beginning)] |= 1L << largeBit(beginning);
      count++;
    }
  }

  /// Returns whether a name begins with these 8 bytes, read little-endian.
  public boolean mayHave(long beginning) {
    return (small[smallWord(beginning)] >>> beginning & 1) != 0
        && (large[largeWord(beginning)] >>> largeBit(beginning) & 1) != 0
        && (beginning == 0 ? hasZero : slots[slotOf(beginning)] != 0);
  }

  public boolean isEmpty() {
    return count == 0 && !hasZero;
  }

  /// The low six bits choose a bit of the word.
  private static int smallWord(long beginning) {
    return (int) (beginning >>> 6) & SMALL_BITS / Long.SIZE - 1;
  }

  private int largeWord(long beginning) {
    return (int) (beginning >>> 22) & large.length - 1;
  }

  private static int largeBit(long beginning) {
    return (int) (beginning >>> 16);
  }

  private int slotOf(long beginning) {
    int slot = (int) (beginning >>> 16) & slots.length - 1;
    while (slots[slot] != 0 && slots[slot] != beginning) {
      slot = slot + 1 & slots.length - 1;
    }
    return slot;
  }

  private void grow() {
    long[] old = slots;
    slots = new long[Math.multiplyExact(old.length, 2)];
    large = new long[slots.length / (Long.SIZE / BITS_A_SLOT)];
    count = 0;
    for (long beginning : old) {
      if (beginning != 0) {
        put(beginning);
      }
    }
    if (hasZero) {
      large[largeWord(0)] |= 1;
    }
  }
}
