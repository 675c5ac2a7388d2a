// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import dev.varve.BlobHash;
import dev.varve.pi.session.EntryId;
import dev.varve.pi.session.SessionRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The entries whose parent stands further down in the file. Pi writes no such entries; tools that
/// sort lines do.
final class WaitingEntries {

  /// An entry whose parent has no turn yet.
  ///
  /// @param line the hash of the entry's bytes, which are in the store already
  /// @param number the number of the line
  /// @param slot the entry's place in the manifest
  record WaitingEntry(
      SessionRecord.Entry entry,
      EntryId parent,
      BlobHash line,
      long number,
      SegmentList.Slot slot) {}

  private final Map<EntryId, List<WaitingEntry>> byParent = new HashMap<>();
  private final List<WaitingEntry> inOrder = new ArrayList<>();

  void add(WaitingEntry entry) {
    byParent.computeIfAbsent(entry.parent(), _ -> new ArrayList<>(1)).add(entry);
    inOrder.add(entry);
  }

  /// The entries that waited for `parent`. Each entry is returned once.
  List<WaitingEntry> release(SessionRecord.Entry parent) {
    if (byParent.isEmpty() || parent.id() == null) {
      return List.of();
    }
    List<WaitingEntry> released = byParent.remove(EntryId.of(parent.id()));
    return released == null ? List.of() : released;
  }

  /// All entries that ever waited, in the file's order. Once the file is read, the entries without
  /// a turn wait in a circle.
  List<WaitingEntry> inOrder() {
    return inOrder;
  }
}
