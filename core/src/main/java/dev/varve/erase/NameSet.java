// SPDX-License-Identifier: Apache-2.0
package dev.varve.erase;

import dev.varve.BlobHash;
import java.util.BitSet;

/// The beginnings of names of blobs: 8 bytes each, some 16 bytes of memory a name. A name of which
/// the beginning is here need not be here itself.
public final class NameSet {

  private static final int SIZE_MIN = 1 << 10;

  private final BitSet firstBytes = new BitSet(1 << 16);
  private long[] slots = new long[SIZE_MIN];
  private int count;
  private boolean hasZero;

  /// Adds a name.
  public void add(BlobHash name) {
    firstBytes.set((int) name.w0() & 0xffff);
    if (name.w0() == 0) {
      hasZero = true;
      return;
    }
    if (2 * (count + 1) > slots.length) {
      grow();
    }
    int slot = slotOf(name.w0());
    if (slots[slot] == 0) {
      slots[slot] = name.w0();
      count++;
    }
  }

  /// Returns whether a name begins with these 8 bytes, read little-endian.
  public boolean mayHave(long beginning) {
    return firstBytes.get((int) beginning & 0xffff)
        && (beginning == 0 ? hasZero : slots[slotOf(beginning)] != 0);
  }

  public boolean isEmpty() {
    return count == 0 && !hasZero;
  }

  private int slotOf(long beginning) {
    int slot = (int) (beginning >>> 16) & (slots.length - 1);
    while (slots[slot] != 0 && slots[slot] != beginning) {
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  }

  private void grow() {
    long[] old = slots;
    slots = new long[Math.multiplyExact(old.length, 2)];
    for (long beginning : old) {
      if (beginning != 0) {
        slots[slotOf(beginning)] = beginning;
      }
    }
  }
}
