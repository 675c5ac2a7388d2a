// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.StoreException;
import dev.varve.disk.Disk;
import dev.varve.disk.DiskFile;
import dev.varve.disk.LocalDisk;
import dev.varve.journal.Checkpoint;
import dev.varve.journal.StorePosition;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/// The place of a store: a folder that has a store, or could have one.
final class StorePlace {

  /// The file that is locked while the store is open.
  static final String LOCK = "lock";

  /// See [LocalStore#CONTEXT_ROWS].
  static final String CONTEXT_ROWS = "contexts.rows";

  /// The files that an unfinished making of a store may leave behind.
  private static final List<String> LEFTOVERS = List.of(LOCK, StoreRoot.FILE_NEW, Checkpoint.FILE);

  private StorePlace() {}

  /// Refuses a folder without a store. A folder that cannot be looked into is not taken for a
  /// folder without a store.
  ///
  /// @throws StoreException.NoStore if the folder has no store; says whether a store could be made
  /// @throws StoreException.Io if the folder cannot be looked into
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

  /// Refuses a folder that neither has a store nor is empty.
  static void requireStoreOrVacant(Disk disk) {
    if (!StoreRoot.isInOrVacant(disk, LEFTOVERS)) {
      throw new StoreException.NoStore(
          disk.describe(), "no " + StoreRoot.FILE + ", but other files", false);
    }
  }

  /// Returns whether the folder has nothing but the leftovers of an unfinished making.
  static boolean isVacant(Disk disk) {
    return LEFTOVERS.containsAll(disk.names());
  }

  /// Makes an empty store in one step: a crash leaves the whole store or none.
  static StoreRoot make(Disk disk, Instant now) {
    return make(disk, new StoreRoot(UUID.randomUUID(), now));
  }

  static StoreRoot make(Disk disk, StoreRoot root) {
    disk.delete(Checkpoint.FILE);
    try (DiskFile file = disk.open(Checkpoint.FILE)) {
      List<byte[]> noTails = Collections.nCopies(Checkpoint.TAIL_FILES, new byte[0]);
      new Checkpoint(1, Checkpoint.State.CLOSED, StorePosition.START, noTails)
          .write(file, root.shortId());
    }
    root.write(disk); // from here on there is a store
    return root;
  }
}
