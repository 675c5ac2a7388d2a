// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.removal;

import dev.varve.StoreException;
import dev.varve.disk.DiskLock;
import dev.varve.rewind.RestoreRecords;
import dev.varve.rewind.SnapshotArchive;
import dev.varve.rewind.git.CaptureFolders;
import dev.varve.rewind.git.SnapshotRef;
import dev.varve.rewind.git.Worktree;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Finds snapshots of a git repository that have some content, and takes them out of it.
///
/// What a user's own commits, tags, stashes, indexes and logs of refs need is never taken out, and
/// neither is what other objects need that git has not collected yet.
///
/// Page: `docs/erase.md`.
public final class RepositoryErasure {

  private final Worktree worktree;
  private final List<SnapshotDatabase> databases = new ArrayList<>();

  private RepositoryErasure(Worktree worktree) {
    this.worktree = worktree;
    SnapshotRef ref = new SnapshotRef(worktree, InstantSource.system());
    databases.add(
        new SnapshotDatabase(worktree.keeper(), worktree.keep(), worktree.idBytes(), ref));
    if (worktree.keepsOutside()) { // snapshots may have been here before
      databases.add(
          new SnapshotDatabase(worktree.git(), worktree.commonFolder(), worktree.idBytes(), null));
    }
  }

  /// The repository that a folder is in.
  ///
  /// @throws StoreException.NotFound if the folder is in no worktree of git, or the repository with
  ///   the snapshots is gone
  public static RepositoryErasure at(Path folder) {
    return new RepositoryErasure(Worktree.at(folder));
  }

  /// The worktree's top.
  public Path root() {
    return worktree.root();
  }

  /// The folder that all worktrees of the repository have in common.
  public Path repository() {
    return worktree.commonFolder();
  }

  /// Returns whether a snapshot was ever taken here, as far as anything of it is left.
  public boolean hasSnapshots() {
    return !CaptureFolders.all(worktree).isEmpty()
        || new SnapshotRef(worktree, InstantSource.system()).tip().isPresent();
  }

  /// Searches all snapshots.
  ///
  /// @param each called before each snapshot is read
  /// @return the findings in each git folder that has snapshots of the repository
  /// @throws StoreException.Io if git cannot read an object
  public List<SnapshotHolding> find(WantedContent wanted, Runnable each) {
    return databases.stream().map(database -> database.find(wanted, each)).toList();
  }

  /// The objects among `ids` that git has in a folder with snapshots.
  ///
  /// @param ids full names
  public Set<String> present(Set<String> ids) {
    Set<String> present = new TreeSet<>();
    databases.forEach(database -> present.addAll(database.present(ids)));
    return present;
  }

  /// Takes out what was found. On return the result is on the disk. Captures and restores wait
  /// meanwhile, and begin anew afterwards. A kill leaves snapshots that are whole or in no list,
  /// and the next removal completes the former.
  ///
  /// @param holdings of [#find]
  /// @throws StoreException.Conflict if a restore broke off in one of the worktrees
  /// @throws StoreException.Corrupt if the repository lacks objects
  /// @throws StoreException.Busy if a capture or restore does not end in two minutes
  public List<RemovedSnapshots> remove(List<SnapshotHolding> holdings) {
    List<Path> folders = CaptureFolders.all(worktree).stream().sorted().toList();
    Deque<DiskLock> locks = new ArrayDeque<>();
    try {
      for (Path folder : folders) {
        locks.push(SnapshotArchive.lock(folder));
      }
      folders.forEach(RestoreRecords::refuseBegun);
      List<RemovedSnapshots> removed = new ArrayList<>();
      for (int i = 0; i < databases.size(); i++) {
        if (!holdings.get(i).isEmpty()) {
          removed.add(
              databases
                  .get(i)
                  .remove(
                      holdings.get(i),
                      snapshots -> {
                        CaptureFolders.forget(worktree);
                        RestoreRecords.forget(folders, snapshots);
                      }));
        }
      }
      return removed;
    } finally {
      locks.forEach(DiskLock::close);
    }
  }
}
