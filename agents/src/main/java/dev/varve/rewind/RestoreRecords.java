// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import dev.varve.StoreException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;

/// The records of restores in the folders of worktrees, as far as they need snapshots.
public final class RestoreRecords {

  private RestoreRecords() {}

  /// Refuses a worktree in which a restore began and did not end.
  ///
  /// @param folder the [SnapshotArchive#folder] of the worktree
  /// @throws StoreException.Conflict if there is such a restore
  public static void refuseBegun(Path folder) {
    RestoreJournal.refuseBegun(folder, folder);
  }

  /// Forgets the restores that lead over snapshots which are about to go: no undo offers them.
  public static void forget(Collection<Path> folders, Set<String> snapshots) {
    folders.forEach(folder -> new RestoreHistory(folder).forgetUpTo(snapshots));
  }
}
