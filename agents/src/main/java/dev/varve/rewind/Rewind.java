// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import dev.varve.StoreException;
import dev.varve.disk.DiskLock;
import dev.varve.git.RepoPath;
import dev.varve.git.TreeChange;
import dev.varve.rewind.RestoreHistory.Operation;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The snapshots of one worktree. Several threads and processes may use them at once: captures and
/// restores take turns.
///
/// Nothing but files of the worktree is ever changed, and of the repository nothing but
/// `refs/pi-rewind/store`, new objects, and the folder `varve-rewind` in the git folder.
public final class Rewind {

  /// The limit for files: a larger file is not captured, because snapshots would store each of its
  /// versions.
  public static final long FILE_BYTES_MAX_DEFAULT = 256L << 20;

  /// The number of restores that can be undone whatever is dropped.
  private static final int UNDOS_KEPT = 20;

  private final SnapshotArchive archive;
  private final RestorePreview preview;
  private final RestoreExecution execution;

  private Rewind(SnapshotArchive archive, InstantSource clock) {
    this.archive = archive;
    this.preview = new RestorePreview(archive);
    this.execution = new RestoreExecution(archive, clock);
  }

  /// Snapshots that an archive keeps.
  public static Rewind of(SnapshotArchive archive, InstantSource clock) {
    return new Rewind(archive, clock);
  }

  /// The worktree's top.
  public Path root() {
    return archive.root();
  }

  /// Declares that this process goes on capturing, so that it remembers the files. Costs some
  /// hundred bytes for each file.
  public Rewind withFileCache() {
    archive.stay();
    return this;
  }

  public SnapshotArchive archive() {
    return archive;
  }

  /// Takes a snapshot, or returns the last one if nothing changed and there is no note.
  public Snapshot capture(String note) {
    try (DiskLock _ = archive.lock()) {
      return archive.take(CapturePurpose.keeping(note));
    }
  }

  /// Takes a snapshot of the files as they are now, only to compare with. The snapshot is not
  /// listed, and git may collect it after some days.
  public Snapshot look() {
    try (DiskLock _ = archive.lock()) {
      return archive.take(CapturePurpose.LOOK);
    }
  }

  /// Notes that are kept with this worktree.
  public SideNotes sideNotes(String group) {
    return new SideNotes(archive, group);
  }

  /// The snapshots among `commits` that exist and were taken in this worktree.
  public Set<String> present(Set<String> commits) {
    return archive.present(commits);
  }

  /// The snapshots among `commits` that exist and were taken in another worktree, with the names of
  /// the worktrees.
  public Map<String, String> elsewhere(Set<String> commits) {
    return archive.elsewhere(commits);
  }

  /// The snapshots of the repository, the last taken first, including those of linked worktrees and
  /// of other tools.
  public List<Snapshot> snapshots() {
    return archive.snapshots();
  }

  /// Finds a snapshot by its name.
  ///
  /// @param name the beginning of a commit's id, or `@0` for the last snapshot, `@1` for the one
  ///   before
  /// @throws StoreException.NotFound if there is none of that name, or more than one
  public Snapshot snapshot(String name) {
    if (name.matches("@[0-9]{1,6}")) {
      List<String> all = archive.names();
      int back = Integer.parseInt(name.substring(1));
      if (back >= all.size()) {
        throw new StoreException.NotFound("snapshot", name);
      }
      return archive.snapshot(all.get(back));
    }
    if (!name.toLowerCase(Locale.ROOT).matches("[0-9a-f]{4,64}")) {
      throw new StoreException.Invalid("snapshot", "expected @N or a commit's id, found " + name);
    }
    return archive.snapshot(name);
  }

  /// True if a snapshot has a file or a folder of this name.
  public boolean has(Snapshot snapshot, RepoPath path) {
    return archive.has(snapshot, path);
  }

  /// The differences between two snapshots.
  public List<TreeChange> changes(Snapshot from, Snapshot to) {
    return archive.changes(from, to);
  }

  /// The differences between two snapshots for people, as git prints them.
  public byte[] diff(Snapshot from, Snapshot to, boolean stat) {
    return archive.diff(from, to, stat);
  }

  // ---- letting go

  /// The snapshots that are never dropped: a worktree of the repository goes on from them, or needs
  /// them for an undo or for a restore that broke off.
  public Set<String> inUse() {
    Set<String> used = new HashSet<>(archive.lastOnes());
    for (Path folder : archive.folders()) {
      RestoreJournal.read(folder)
          .ifPresent(journal -> used.addAll(List.of(journal.from(), journal.to())));
      List<Operation> all = new RestoreHistory(folder).all();
      all.subList(Math.max(0, all.size() - UNDOS_KEPT), all.size())
          .forEach(operation -> used.addAll(List.of(operation.from(), operation.to())));
    }
    return used;
  }

  /// Stops keeping snapshots. Git's garbage collection removes what nothing else keeps; in a store
  /// the bytes stay, and no list and no session has the snapshots any more. The snapshots of
  /// [#inUse] stay, and those that are captured meanwhile.
  ///
  /// @return the snapshots that were kept until now
  public Set<String> drop(Set<String> commits) {
    try (DiskLock _ = archive.lock()) {
      String last = archive.last();
      if (last != null) {
        archive.demandHere(archive.snapshot(last));
      }
      Set<String> unwanted = new HashSet<>(commits);
      unwanted.removeAll(inUse());
      return archive.drop(unwanted);
    }
  }

  /// The number of bytes, uncompressed, that stay for good of snapshots that are or would be let
  /// go. 0 where git collects them.
  public long retainedBytes(Set<String> names) {
    return archive.retainedBytes(names);
  }

  // ---- restore

  /// Plans a restore.
  public RestorePlan plan(Snapshot target, PathSelection selection) {
    return preview.plan(target, selection);
  }

  /// Plans an undo of the paths that the last restore changed, and of no others.
  public RestorePlan planUndo() {
    return preview.planUndo();
  }

  /// Plans a redo.
  public RestorePlan planRedo() {
    return preview.planRedo();
  }

  /// The size of a restore, for people who are asked before it.
  public RestoreSize size(RestorePlan plan) {
    return preview.size(plan);
  }

  /// Carries out a plan. On return the result is on the disk and verified, and can be undone.
  ///
  /// @throws StoreException.Conflict if files changed since the plan was made: plan again
  public RestoreOutcome restore(RestorePlan plan) {
    return execution.apply("restore", plan);
  }

  /// Carries out a plan of [#planUndo].
  public RestoreOutcome undo(RestorePlan plan) {
    return execution.apply("undo", plan);
  }

  /// Carries out a plan of [#planRedo].
  public RestoreOutcome redo(RestorePlan plan) {
    return execution.apply("redo", plan);
  }

  /// The snapshot before the last restore that is not undone; empty if there is none, or the
  /// snapshot or the history is lost.
  public Optional<Snapshot> beforeLastRestore() {
    try {
      return Optional.of(snapshot(operations().toUndo().from()));
    } catch (StoreException.NotFound | StoreException.Corrupt e) {
      return Optional.empty();
    }
  }

  /// Refuses a history of restores that is damaged: an undo that it had is not "nothing to undo".
  ///
  /// @throws StoreException.Corrupt if nothing of the history can be read
  public void demandHistory() {
    operations().demandLegible();
  }

  /// True if a restore of this worktree began at a snapshot, as far as the history goes.
  public boolean wasRestoredFrom(String commit) {
    return operations().all().stream().anyMatch(each -> each.from().equals(commit));
  }

  /// The snapshot before the last undo; empty if there is none, or the snapshot is lost.
  public Optional<Snapshot> beforeLastUndo() {
    try {
      return Optional.of(snapshot(operations().toRedo().to()));
    } catch (StoreException.NotFound | StoreException.Corrupt e) {
      return Optional.empty();
    }
  }

  // ---- a restore that broke off

  /// The restore that began and did not end; null if there is none.
  public @Nullable UnfinishedRestore begun() {
    return RestoreJournal.read(archive.folder())
        .map(
            journal ->
                new UnfinishedRestore(
                    journal.kind(), journal.from(), journal.to(), journal.paths().size()))
        .orElse(null);
  }

  /// Finishes the restore that broke off. An undo leads back to the files before that restore.
  public RestoreOutcome finish() {
    return execution.settle(true);
  }

  /// Brings the files back to what they were before the restore that broke off.
  public RestoreOutcome rollBack() {
    return execution.settle(false);
  }

  /// Looks for damage that keeps snapshots from being restored. Changes no file and no snapshot.
  public ArchiveHealth check() {
    return archive.check(begun());
  }

  private RestoreHistory operations() {
    return new RestoreHistory(archive.folder());
  }
}
