// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.BlobHash;
import dev.varve.ErasedBlob;
import dev.varve.StoreException;
import dev.varve.blob.ErasedTable;
import dev.varve.disk.Disk;
import dev.varve.journal.Checkpoint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The way back for content that was erased: the memory of the store notes that its names may come
/// back, by the same switch of files as an erasure. Brings no byte back.
final class ReadmissionRun {

  private final Disk disk;
  private final StoreRoot root;
  private final ErasedTable erased;

  ReadmissionRun(Disk disk, StoreRoot root, ErasedTable erased) {
    this.disk = disk;
    this.root = root;
    this.erased = erased;
  }

  /// Writes the files that allow the names, in a store that was just closed for writing. Nothing is
  /// decided yet.
  ///
  /// @return how many of the names the store had
  /// @throws StoreException.NotFound if there were none
  int prepare(Set<BlobHash> names) {
    List<ErasedBlob> entries = new ArrayList<>();
    int[] readmitted = {0};
    erased.each(
        known -> {
          boolean named = names.contains(known.hash());
          readmitted[0] += named ? 1 : 0;
          entries.add(named ? known.readmit() : known);
        });
    if (readmitted[0] == 0) {
      throw new StoreException.NotFound(
          StoreException.NotFound.ERASED_BLOB, names.iterator().next().toString());
    }
    Checkpoint former =
        Checkpoint.read(disk, root.shortId())
            .filter(Checkpoint::clean)
            .orElseThrow(
                () -> new StoreException.Corrupt(Checkpoint.FILE, 0, "a closed store", "none"));
    ErasureSwitch.clear(disk);
    ErasedTable.write(disk, ErasureSwitch.unswitched(ErasedTable.FILE), root.shortId(), entries);
    write(
        new Checkpoint(
            former.seq(),
            Checkpoint.State.CLOSED,
            former.position(),
            former.tails(),
            root.erasures() + 1));
    return readmitted[0];
  }

  private void write(Checkpoint checkpoint) {
    String name = ErasureSwitch.unswitched(Checkpoint.FILE);
    try (var file = disk.open(name)) {
      file.write(0, ByteBuffer.wrap(checkpoint.bytes(root.shortId())));
      file.force();
    }
  }
}
