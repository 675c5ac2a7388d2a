// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The metadata of contexts in memory, within a budget. For any threads.
///
/// The first own turn of a context never changes, so its metadata is final until somebody calls
/// [#forget()]. The entry of a context without its own turn is right only for the head that was
/// read.
final class EntryMemory {

  /// An entry in memory.
  ///
  /// @param weightBytes its share of the budget
  private record CachedEntry(PackedEntry packed, int weightBytes) {}

  private final long budgetBytes;

  // ---- guarded by this
  private final LinkedHashMap<ContextId, CachedEntry> entries =
      new LinkedHashMap<>(16, 0.75f, true);
  private long weightBytes;
  private long generation;

  EntryMemory(long budgetBytes) {
    this.budgetBytes = budgetBytes;
  }

  /// The number of times that something was forgotten. Whoever reads the store asks for the number
  /// before, so that [#put] can tell that the entry may be too old.
  synchronized long generation() {
    return generation;
  }

  /// Returns the entry of a context; null if it is not here, or not right for this head.
  @Nullable ContextEntry get(ContextHead head) {
    CachedEntry kept;
    synchronized (this) {
      kept = entries.get(head.id());
    }
    if (kept == null) {
      return null;
    }
    ContextEntry known = kept.packed().rest();
    boolean isRight =
        (known.isOwn() || known.head().equals(head.head()))
            && Objects.equals(known.about(), head.about());
    return isRight ? kept.packed().entry() : null;
  }

  /// Keeps an entry if there is room for the entry, and nothing was forgotten since it was read.
  ///
  /// @param evicts whether the entries that were used longest ago make room
  /// @param before the [#generation] before the entry was read
  void put(ContextId id, ContextEntry found, boolean evicts, long before) {
    PackedEntry packed = PackedEntry.of(found);
    int weight = packed.weightBytes();
    synchronized (this) {
      if (generation != before) {
        return;
      }
      remove(id);
      if (weightBytes + weight > budgetBytes && !evicts) {
        return;
      }
      entries.put(id, new CachedEntry(packed, weight));
      weightBytes += weight;
      Iterator<CachedEntry> oldest = entries.values().iterator();
      while (weightBytes > budgetBytes && oldest.hasNext()) {
        weightBytes -= oldest.next().weightBytes();
        oldest.remove();
      }
    }
  }

  /// Forgets all entries, and those that are being read.
  synchronized void forget() {
    entries.clear();
    weightBytes = 0;
    generation++;
  }

  /// Forgets the entry of a context, and all that are being read.
  synchronized void forget(ContextId id) {
    remove(id);
    generation++;
  }

  private void remove(ContextId id) {
    CachedEntry old = entries.remove(id);
    weightBytes -= old == null ? 0 : old.weightBytes();
  }

  /// Returns whether there is hardly room for another entry.
  synchronized boolean isFull() {
    return weightBytes > budgetBytes - budgetBytes / 64;
  }

  synchronized int count() {
    return entries.size();
  }
}
