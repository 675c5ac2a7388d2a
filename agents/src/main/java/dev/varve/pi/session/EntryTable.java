// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.session;

import dev.varve.StoreException;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// The entries of a session file in its order: id, parent, place, kind; 56 bytes each, and 6 to 12
/// for finding them by id.
///
/// If two entries have the same id, the later entry is found, as in Pi.
public final class EntryTable {

  /// In place of a parent: the entry is a root.
  public static final int ROOT = -1;

  /// In place of a parent: the parent is not in the file.
  public static final int MISSING = -2;

  /// In place of the parent of the first entry, in the order of the file, of a circle of parents.
  /// The other entries of the circle keep their parents.
  public static final int CIRCULAR = -3;

  /// The largest memory of an entry, here and in the tree that is made of the table, while the
  /// table grows.
  private static final int ENTRY_BYTES_MAX = 96;

  /// The memory for a line and the program.
  private static final long OTHER_BYTES = 96 << 20;

  private final int countMax;
  private final LongList idHigh = new LongList();
  private final LongList idLow = new LongList();
  private final LongList parentHigh = new LongList();
  private final LongList parentLow = new LongList();
  private final LongList offsets = new LongList();

  /// Line and size, 32 bits each.
  private final LongList spans = new LongList();

  /// The parent's ordinal, and behind it kind and `awaited`.
  private final LongList facts = new LongList();

  /// Ordinals and 1, by the hash of their ids.
  private int[] slots = new int[128];

  private int used;

  /// As many entries as the heap has room for.
  public EntryTable() {
    this(Runtime.getRuntime().maxMemory());
  }

  EntryTable(long heapBytes) {
    long room = Math.max(heapBytes / 4, heapBytes - OTHER_BYTES) / ENTRY_BYTES_MAX;
    countMax = (int) Math.min(room, 1 << 29);
  }

  /// Adds the next entry of the file.
  ///
  /// @param id null in sessions of version 1
  /// @param parent null for a root
  /// @return the ordinal of the former entry with this id; -1 if there is none
  /// @throws StoreException.TooLarge if there are more than the heap has room for
  public int add(
      @Nullable EntryId id,
      @Nullable EntryId parent,
      long line,
      long offset,
      int sizeBytes,
      EntryFacts entry) {
    int ordinal = count();
    if (ordinal == countMax) {
      throw new StoreException.TooLarge(
          "entries of a session, for the memory that Java was given", ordinal + 1L, countMax);
    }
    idHigh.add(id == null ? 0 : id.high());
    idLow.add(id == null ? 0 : id.low());
    parentHigh.add(parent == null ? 0 : parent.high());
    parentLow.add(parent == null ? 0 : parent.low());
    offsets.add(offset);
    spans.add(Math.min(line, 0xFFFFFFFFL) << 32 | sizeBytes);
    facts.add((long) ROOT << 32 | (long) entry.kind().code() << 1 | (entry.awaited() ? 1 : 0));
    if (id == null) {
      return -1;
    }
    int slot = slot(slots, id.high(), id.low());
    int former = slots[slot] - 1;
    slots[slot] = ordinal + 1;
    if (former < 0 && ++used * 3L > slots.length * 2L) {
      grow();
    }
    return former;
  }

  private void grow() {
    int[] larger = new int[Math.multiplyExact(slots.length, 2)];
    for (int ordinal : slots) {
      if (ordinal != 0) {
        larger[slot(larger, idHigh.get(ordinal - 1), idLow.get(ordinal - 1))] = ordinal;
      }
    }
    slots = larger;
  }

  private int slot(int[] table, long high, long low) {
    long mixed = (high ^ Long.rotateLeft(low, 32)) * 0x9E3779B97F4A7C15L;
    int slot = (int) ((mixed ^ mixed >>> 32) & (table.length - 1));
    while (table[slot] != 0
        && (idHigh.get(table[slot] - 1) != high || idLow.get(table[slot] - 1) != low)) {
      slot = slot + 1 & table.length - 1;
    }
    return slot;
  }

  /// Finds each entry's parent, once all are there.
  ///
  /// @param chained whether entries have no ids and follow one another, as in version 1
  public void resolve(boolean chained) {
    for (int i = 0; i < count(); i++) {
      int parent;
      if (chained && idLow.get(i) == 0) {
        parent = i - 1;
      } else if (parentLow.get(i) == 0) {
        parent = ROOT;
      } else {
        int found = slots[slot(slots, parentHigh.get(i), parentLow.get(i))] - 1;
        parent = found < 0 ? MISSING : found;
      }
      setParent(i, parent);
    }
    openCircles();
  }

  /// Makes `former` the entry that is found by its id, not the later one with the same.
  public void prefer(int former) {
    slots[slot(slots, idHigh.get(former), idLow.get(former))] = former + 1;
  }

  /// Gives the entry another parent, here only. [#openCircles()] must follow.
  ///
  /// @param parent an ordinal or [#ROOT]
  public void setParent(int entry, int parent) {
    facts.set(entry, (long) parent << 32 | (facts.get(entry) & 0xFFFFFFFFL));
  }

  /// Marks, in each circle of parents, the first entry as [#CIRCULAR].
  public void openCircles() {
    BitSet onWalk = new BitSet(count());
    BitSet done = new BitSet(count());
    for (int i = 0; i < count(); i++) {
      int at = i;
      while (at >= 0 && !done.get(at) && !onWalk.get(at)) {
        onWalk.set(at);
        at = parent(at);
      }
      int meeting = at >= 0 && !done.get(at) ? at : ROOT;
      for (at = i; at >= 0 && !done.get(at); at = parent(at)) {
        done.set(at);
      }
      if (meeting >= 0) {
        int first = meeting;
        for (int other = parent(meeting); other != meeting; other = parent(other)) {
          first = Math.min(first, other);
        }
        setParent(first, CIRCULAR);
      }
    }
  }

  public int count() {
    return offsets.size();
  }

  /// The entry's id; null if it has none.
  public @Nullable EntryId id(int entry) {
    return idLow.get(entry) == 0 ? null : new EntryId(idHigh.get(entry), idLow.get(entry));
  }

  /// The id of the parent it names; null if it names none.
  public @Nullable EntryId parentId(int entry) {
    return parentLow.get(entry) == 0
        ? null
        : new EntryId(parentHigh.get(entry), parentLow.get(entry));
  }

  /// The last entry with this id, or -1.
  public int find(EntryId id) {
    return slots[slot(slots, id.high(), id.low())] - 1;
  }

  /// Ordinal of the parent, [#ROOT], [#MISSING] or [#CIRCULAR].
  public int parent(int entry) {
    return (int) (facts.get(entry) >> 32);
  }

  /// True if another entry further down has the same id, so that this entry is not found by its id.
  public boolean shadowed(int entry) {
    EntryId id = id(entry);
    return id != null && find(id) != entry;
  }

  public EntryKind kind(int entry) {
    return EntryKind.of((int) facts.get(entry) >>> 1);
  }

  /// See [EntryFacts#awaited()].
  public boolean awaited(int entry) {
    return (facts.get(entry) & 1) != 0;
  }

  /// Number of the physical line, starting at 1.
  public long line(int entry) {
    return spans.get(entry) >>> 32;
  }

  public long offset(int entry) {
    return offsets.get(entry);
  }

  public int sizeBytes(int entry) {
    return (int) spans.get(entry);
  }
}
