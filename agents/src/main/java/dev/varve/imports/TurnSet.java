// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

/// A set of turn numbers: 64 neighbours in a word, in an open table. The turns of one session
/// mostly are neighbours, so this takes a few bits each, and at worst 32 to 64 bytes.
final class TurnSet {

  private long[] slots = new long[2 * 64];
  private int used;

  /// Puts `turn` into the set.
  ///
  /// @return false if it was there already
  boolean add(long turn) {
    long word = (turn >>> 6) + 1; // 0 marks a free slot
    int slot = slot(slots, word);
    if (slots[slot] == 0) {
      slots[slot] = word;
      if (++used * 4L > slots.length) {
        grow();
        slot = slot(slots, word);
      }
    }
    long bit = 1L << (turn & 63);
    boolean added = (slots[slot + 1] & bit) == 0;
    slots[slot + 1] |= bit;
    return added;
  }

  private void grow() {
    long[] larger = new long[Math.multiplyExact(slots.length, 2)];
    for (int i = 0; i < slots.length; i += 2) {
      if (slots[i] != 0) {
        System.arraycopy(slots, i, larger, slot(larger, slots[i]), 2);
      }
    }
    slots = larger;
  }

  private static int slot(long[] table, long word) {
    int slots = table.length / 2;
    long mixed = word * 0x9E3779B97F4A7C15L;
    int slot = (int) ((mixed ^ mixed >>> 32) & (slots - 1));
    while (table[2 * slot] != 0 && table[2 * slot] != word) {
      slot = slot + 1 & slots - 1;
    }
    return 2 * slot;
  }
}
