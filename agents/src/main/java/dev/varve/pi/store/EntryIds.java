// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import dev.varve.pi.session.EntryId;

/// Which ids a session defines, and the turn that each became last.
///
/// An open table of 24 bytes a slot, at most two thirds full: some 36 to 72 bytes an id, so that a
/// session with millions of entries fits a small heap.
final class EntryIds {

  /// The session has no entry with this id.
  static final long UNKNOWN = -1;

  /// The session has one, further down.
  static final long LATER = 0;

  private long[] slots = new long[3 * 64];
  private int used;

  /// Says that there is an entry with this id.
  void declare(EntryId id) {
    int slot = slot(slots, id.high(), id.low());
    if (slots[slot + 1] == 0) {
      slots[slot] = id.high();
      slots[slot + 1] = id.low();
      slots[slot + 2] = LATER;
      if (++used * 9L > slots.length * 2L) {
        grow();
      }
    }
  }

  /// Says which turn the entry became. A later one with the same id replaces it.
  void define(EntryId id, long turn) {
    declare(id);
    slots[slot(slots, id.high(), id.low()) + 2] = turn;
  }

  /// The turn's number, or [#UNKNOWN] or [#LATER].
  long turn(EntryId id) {
    int slot = slot(slots, id.high(), id.low());
    return slots[slot + 1] == 0 ? UNKNOWN : slots[slot + 2];
  }

  private void grow() {
    long[] larger = new long[Math.multiplyExact(slots.length, 2)];
    for (int i = 0; i < slots.length; i += 3) {
      if (slots[i + 1] != 0) {
        System.arraycopy(slots, i, larger, slot(larger, slots[i], slots[i + 1]), 3);
      }
    }
    slots = larger;
  }

  /// The slot of this id, or the free one where it would go. The low word of an id is never 0.
  private static int slot(long[] table, long high, long low) {
    int slots = table.length / 3;
    long mixed = (high ^ Long.rotateLeft(low, 32)) * 0x9E3779B97F4A7C15L;
    int slot = (int) ((mixed ^ mixed >>> 32) & (slots - 1));
    while (table[3 * slot + 1] != 0 && (table[3 * slot] != high || table[3 * slot + 1] != low)) {
      slot = slot + 1 & slots - 1;
    }
    return 3 * slot;
  }
}
