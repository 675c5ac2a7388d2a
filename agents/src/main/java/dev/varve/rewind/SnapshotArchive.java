// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import dev.varve.StoreException;
import dev.varve.disk.DiskLock;
import dev.varve.disk.LocalDisk;
import dev.varve.git.RepoPath;
import dev.varve.git.TreeChange;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Takes the snapshots of one worktree and keeps them, in git or in a store. [Rewind] does the
/// rest, whatever keeps the snapshots.
public interface SnapshotArchive {

  /// The longest wait for a turn, and the pause between two looks.
  Duration PATIENCE = Duration.ofMinutes(2);

  Duration RETRY = Duration.ofMillis(5);

  /// The worktree's top.
  Path root();

  /// True if a snapshot was taken in this worktree, and not in another one whose snapshots are kept
  /// in the same place. A snapshot of another tool does not name its worktree, and counts as taken
  /// here.
  boolean isOwn(Snapshot snapshot);

  /// Refuses to change the worktree, or what is kept of it, if the folder that it was opened by
  /// only seems to belong to it.
  ///
  /// @param snapshot what is to be restored, or was captured last
  /// @throws StoreException.Invalid if the folder belongs to another worktree, which is gone
  default void demandHere(Snapshot snapshot) {}

  /// The folder of this worktree alone for the files that one capture leaves for the next, and for
  /// the journal of a restore.
  Path folder();

  /// The folders of this kind of all worktrees whose snapshots are kept together.
  List<Path> folders();

  /// Waits for its turn: one capture or restore of a worktree at a time.
  ///
  /// @throws StoreException.Busy if another capture or restore is not done in two minutes
  default DiskLock lock() {
    return lock(folder());
  }

  /// The same for any [#folder].
  static DiskLock lock(Path folder) {
    LocalDisk disk = LocalDisk.open(folder);
    long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        return disk.lock("lock", "process " + ProcessHandle.current().pid());
      } catch (StoreException.Busy e) {
        if (System.nanoTime() > deadlineNanos) {
          throw e;
        }
        LockSupport.parkNanos(RETRY.toNanos());
      }
    }
  }

  // ---- taking

  /// Takes a snapshot of the files as they are now. If nothing changed since the last snapshot of
  /// this worktree, that snapshot is returned and nothing is written. Called under the lock.
  Snapshot take(CapturePurpose purpose);

  /// Declares that this process goes on capturing, so that it remembers the files.
  default void stay() {}

  /// The snapshots that the next captures of all worktrees go on from; a lost one is not named.
  Set<String> lastOnes();

  /// The snapshot that the next capture of this worktree goes on from; null if there is none.
  @Nullable String last();

  // ---- keeping

  /// The names of the snapshots that are kept, the last taken first.
  List<String> names();

  List<Snapshot> snapshots();

  /// Finds a snapshot.
  ///
  /// @param name a snapshot's name, or its beginning, in hexadecimal
  /// @throws StoreException.NotFound if there is none of that name, or more than one
  Snapshot snapshot(String name);

  /// The snapshots among `names` that are kept and were taken in this worktree.
  Set<String> present(Set<String> names);

  /// The snapshots among `names` that exist and were taken in another worktree, with the names of
  /// the worktrees.
  Map<String, String> elsewhere(Set<String> names);

  /// Stops keeping snapshots. If none would be left, nothing is done.
  ///
  /// @return the snapshots that were kept until now
  Set<String> drop(Set<String> unwanted);

  /// The number of bytes, uncompressed, that stay for good of snapshots that are or would be
  /// dropped, and that no other snapshots have. 0 where git collects them in time.
  long retainedBytes(Set<String> names);

  /// Looks for damage that keeps snapshots from being restored. Changes no file and no snapshot.
  ArchiveHealth check(@Nullable UnfinishedRestore begun);

  // ---- what is in them

  /// The differences between two snapshots, in the order of the paths' bytes.
  List<TreeChange> changes(Snapshot from, Snapshot to);

  /// The differences between two snapshots for people, as git prints them.
  byte[] diff(Snapshot from, Snapshot to, boolean stat);

  /// Counts the lines of text that a change from one snapshot to another adds and removes.
  ///
  /// @param among the paths whose lines are counted
  LineCounts lines(Snapshot from, Snapshot to, Predicate<RepoPath> among);

  /// The files and links that a snapshot has.
  List<RepoPath> files(Snapshot snapshot);

  /// True if a snapshot has a file or a folder of this name.
  boolean has(Snapshot snapshot, RepoPath path);

  SnapshotContents contents();

  // ---- what absence means

  /// The paths that may have existed although `then` does not have them, each with the reason.
  Map<RepoPath, String> notAbsent(Snapshot then, Collection<RepoPath> paths);

  /// The paths that are not wanted in the worktree as it is now, each with the reason.
  Map<RepoPath, String> notWanted(Snapshot now, Collection<RepoPath> paths);

  /// The folders among `folders` that a snapshot has. They stay when they become empty.
  Set<RepoPath> lasting(Snapshot snapshot, Collection<RepoPath> folders);
}
