// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.StoreException;
import dev.varve.disk.AppendFile;
import dev.varve.disk.Disk;
import dev.varve.journal.Checkpoint;
import dev.varve.turn.HeadRecord;
import dev.varve.turn.HeadTable;
import dev.varve.turn.TurnLog;
import dev.varve.turn.TurnMeta;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/// The refusal of a `varve.store` that does not belong to the other files of its folder. With the
/// root of another store, all files would seem foreign.
final class ForeignRoot {

  private ForeignRoot() {}

  /// @param files with their ends at their sizes
  /// @throws StoreException.Corrupt if other files name another store, and none names this one
  static void refuse(Disk disk, StoreRoot root, StoreFiles files) {
    if (Checkpoint.read(disk, root.shortId()).isPresent()) {
      return;
    }
    Set<Long> named = new TreeSet<>();
    noteEnds(files.growing(TurnLog.META), TurnMeta.SIZE_BYTES, TurnMeta::storeId, named);
    noteEnds(files.headLog(), HeadRecord.SIZE_BYTES, HeadRecord::storeId, named);
    named.add(HeadTable.storeId(files.headSlots()));
    named.remove(0L);
    if (!named.isEmpty() && !named.contains(root.shortId())) {
      throw new StoreException.Corrupt(
          StoreRoot.FILE,
          16,
          "store " + Long.toHexString(named.iterator().next()) + ", as in the other files",
          "store " + Long.toHexString(root.shortId()));
    }
  }

  /// Notes whom the first and the last record of a file name.
  private static void noteEnds(
      AppendFile file, int sizeBytes, ToLongFunction<MemorySegment> storeId, Set<Long> named) {
    long count = file.endBytes() / sizeBytes;
    if (count > 0) {
      named.add(storeId.applyAsLong(file.at(0, sizeBytes)));
      named.add(storeId.applyAsLong(file.at((count - 1) * sizeBytes, sizeBytes)));
    }
  }
}
