// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi;

import dev.varve.BlobHash;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Entries whose parent stands further down in the file. Pi writes none; tools that sort lines do.
final class Waiting {

  /// One of them. Its bytes are in the store already.
  record One(
      SessionRecord.Entry entry, EntryId parent, BlobHash line, long number, Segments.Slot slot) {}

  private final Map<EntryId, List<One>> byParent = new HashMap<>();
  private final List<One> inOrder = new ArrayList<>();

  void add(One one) {
    byParent.computeIfAbsent(one.parent(), _ -> new ArrayList<>(1)).add(one);
    inOrder.add(one);
  }

  /// Those that waited for `parent`, each handed out once.
  List<One> release(SessionRecord.Entry parent) {
    if (byParent.isEmpty() || parent.id() == null) {
      return List.of();
    }
    List<One> released = byParent.remove(EntryId.of(parent.id()));
    return released == null ? List.of() : released;
  }

  /// All that ever waited, in the file's order. Once the file is read, those without a turn wait in
  /// a circle.
  List<One> inOrder() {
    return inOrder;
  }
}
