// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

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
import org.jspecify.annotations.Nullable;

/// Takes the snapshots of one worktree, and keeps them. [Rewind] does the rest, whatever keeps
/// them: git, or a store.
public interface Archive {

  /// How long one waits for its turn, and how often it looks.
  Duration PATIENCE = Duration.ofMinutes(2);

  Duration RETRY = Duration.ofMillis(5);

  /// The worktree's top.
  Path root();

  /// Where what is needed between two captures lies, and the journal of a restore. For this
  /// worktree alone.
  Path folder();

  /// The folders of this kind of all worktrees whose snapshots are kept together.
  List<Path> folders();

  /// Waits for its turn: one capture or restore of a worktree at a time.
  ///
  /// @throws StoreException.Busy if the other one is not done in two minutes
  default DiskLock lock() {
    LocalDisk disk = LocalDisk.open(folder());
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

  /// What is on the disk now. If nothing changed since the last snapshot of this worktree, that one
  /// is returned and nothing is written. Called under the lock.
  Snapshot take(Purpose purpose);

  /// This process goes on taking: it is worth to remember what was found.
  default void stay() {}

  /// The snapshots that captures of these worktrees go on from; one that is lost is not named.
  Set<String> lastOnes();

  /// The one that the next capture of this worktree goes on from; null if there is none.
  @Nullable String last();

  // ---- keeping

  /// The names of the snapshots that are kept, the last taken first.
  List<String> names();

  List<Snapshot> snapshots();

  /// @param name a snapshot's name, or its beginning, in hexadecimal
  /// @throws StoreException.NotFound if there is none of that name, or more than one
  Snapshot snapshot(String name);

  /// Which of these snapshots there are.
  Set<String> present(Set<String> names);

  /// Stops keeping snapshots. If none would be left, nothing is done.
  ///
  /// @return those that were kept and are no more
  Set<String> drop(Set<String> unwanted);

  /// How many bytes, uncompressed, stay for good of snapshots that are dropped, or would be, and
  /// that no others have. 0 where what nobody keeps goes in time.
  long staying(Set<String> names);

  /// Looks for what keeps snapshots from being restored. Changes nothing.
  Health check(Rewind.@Nullable Begun begun);

  // ---- what is in them

  /// How two snapshots differ, by the names' bytes.
  List<TreeChange> changes(Snapshot from, Snapshot to);

  /// The same for people, as git says it.
  byte[] diff(Snapshot from, Snapshot to, boolean stat);

  /// The files and links that a snapshot has.
  List<RepoPath> files(Snapshot snapshot);

  /// Whether a snapshot has a file of this name, or a folder.
  boolean has(Snapshot snapshot, RepoPath path);

  Contents contents();

  // ---- what absence means

  /// Those of `paths` of which their absence in `then` does not say that they did not exist, each
  /// with the reason.
  Map<RepoPath, String> notAbsent(Snapshot then, Collection<RepoPath> paths);

  /// Those of `paths` that are not wanted in the worktree as it is now, each with the reason.
  Map<RepoPath, String> notWanted(Snapshot now, Collection<RepoPath> paths);

  /// Those of `folders` that a snapshot has, where it knows of folders: they stay when they become
  /// empty.
  Set<RepoPath> lasting(Snapshot snapshot, Collection<RepoPath> folders);
}
