// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.StoreException;
import dev.varve.disk.Disk;
import dev.varve.disk.DiskFile;
import dev.varve.disk.LocalDisk;
import dev.varve.journal.Checkpoint;
import dev.varve.journal.Position;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/// Whether a store is somewhere, or could be.
final class StorePlace {

  /// What a making that was broken off may leave behind.
  private static final List<String> LEFTOVERS =
      List.of(LocalStore.LOCK, StoreRoot.FILE_NEW, Checkpoint.FILE);

  private StorePlace() {}

  /// Refuses a folder without a store. One that cannot be looked into is not taken for such.
  ///
  /// @throws StoreException.NoStore if there is none; says whether one could be made
  /// @throws StoreException.Io if nobody can tell
  static void require(Path folder) {
    Path root = folder.resolve(StoreRoot.FILE);
    if (Files.exists(root)) {
      return;
    }
    if (Files.notExists(folder)) {
      throw new StoreException.NoStore(folder.toString(), "no such folder", true);
    }
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new StoreException.NoStore(folder.toString(), "not a folder", false);
    }
    if (!Files.notExists(root)) {
      throw new StoreException.Io(
          folder.toString(), "cannot be looked into", new AccessDeniedException(root.toString()));
    }
    boolean vacant = StoreRoot.isInOrVacant(LocalDisk.openReadOnly(folder), LEFTOVERS);
    throw new StoreException.NoStore(
        folder.toString(), "no " + StoreRoot.FILE + (vacant ? "" : ", but other files"), vacant);
  }

  /// Refuses what is neither a store nor empty.
  static void requireStoreOrVacant(Disk disk) {
    if (!StoreRoot.isInOrVacant(disk, LEFTOVERS)) {
      throw new StoreException.NoStore(
          disk.describe(), "no " + StoreRoot.FILE + ", but other files", false);
    }
  }

  /// Makes an empty store, in one step: before it there is none, after it there is one.
  static StoreRoot make(Disk disk, Instant now) {
    StoreRoot root = new StoreRoot(UUID.randomUUID(), now);
    disk.delete(Checkpoint.FILE);
    try (DiskFile file = disk.open(Checkpoint.FILE)) {
      List<byte[]> noTails = Collections.nCopies(Checkpoint.TAIL_FILES, new byte[0]);
      new Checkpoint(1, true, Position.START, noTails).write(file, root.shortId());
    }
    root.write(disk); // from here on there is a store
    return root;
  }
}
