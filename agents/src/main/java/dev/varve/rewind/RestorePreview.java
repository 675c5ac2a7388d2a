// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import dev.varve.StoreException;
import dev.varve.disk.DiskLock;
import dev.varve.git.RepoPath;
import dev.varve.rewind.RestoreHistory.Operation;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Plans restores, undos and redos of a worktree, and counts what they would change. Changes no
/// file of the worktree.
final class RestorePreview {

  private final SnapshotArchive archive;

  RestorePreview(SnapshotArchive archive) {
    this.archive = archive;
  }

  /// Plans a restore.
  RestorePlan plan(Snapshot target, PathSelection selection) {
    try (DiskLock _ = archive.lock()) {
      RestoreJournal.refuseBegun(archive);
      archive.demandHere(target);
      demandOwn(target); // what an undo leads to, this worktree has noted itself
      return planned(target, selection);
    }
  }

  /// Plans an undo of the paths that the last restore changed, and of no others.
  RestorePlan planUndo() {
    try (DiskLock _ = archive.lock()) {
      RestoreJournal.refuseBegun(archive);
      Operation last = operations().toUndo();
      Snapshot target = archive.snapshot(last.from());
      archive.demandHere(target);
      return planned(target, touched(last));
    }
  }

  /// Plans a redo.
  RestorePlan planRedo() {
    try (DiskLock _ = archive.lock()) {
      RestoreJournal.refuseBegun(archive);
      Operation undone = operations().toRedo();
      Snapshot target = archive.snapshot(undone.to());
      archive.demandHere(target);
      return planned(target, touched(undone));
    }
  }

  private RestorePlan planned(Snapshot target, PathSelection selection) {
    String before = archive.last();
    Snapshot now = archive.take(CapturePurpose.LOOK);
    Set<RepoPath> edited = new HashSet<>();
    if (before != null && !before.equals(now.commit())) {
      archive.changes(archive.snapshot(before), now).forEach(change -> edited.add(change.path()));
    }
    return new RestorePlanner(archive).plan(target, now, selection, edited);
  }

  /// Refuses a snapshot of another worktree: its restore would make this worktree a copy of the
  /// other one, and delete the files that are in this worktree alone.
  private void demandOwn(Snapshot target) {
    if (!archive.isOwn(target)) {
      throw new StoreException.Invalid(
          "snapshot " + target.shortName(),
          "was taken in another worktree"
              + target.metadata().map(found -> " ('" + found.worktree() + "')").orElse("")
              + ", not in "
              + archive.root());
    }
  }

  private PathSelection touched(Operation operation) {
    Snapshot from = archive.snapshot(operation.from());
    Snapshot to = archive.snapshot(operation.to());
    Set<RepoPath> paths = new TreeSet<>();
    archive.changes(from, to).forEach(change -> paths.add(change.path()));
    for (Snapshot each : List.of(from, to)) {
      each.metadata().ifPresent(metadata -> paths.addAll(metadata.modes().keySet()));
    }
    if (!from.metadata()
        .map(SnapshotMetadata::plain)
        .equals(to.metadata().map(SnapshotMetadata::plain))) {
      paths.addAll(archive.files(to));
    }
    return PathSelection.exactly(paths);
  }

  /// The size of a restore, for people who are asked before it.
  RestoreSize size(RestorePlan plan) {
    Set<RepoPath> paths = new HashSet<>();
    for (PlannedPath path : plan.paths()) {
      if (path.action() != PlannedPath.Action.KEEP) {
        paths.add(path.path());
      }
    }
    return RestoreSize.of(
        plan,
        paths.isEmpty()
            ? LineCounts.NONE
            : archive.lines(plan.now(), plan.target(), paths::contains));
  }

  private RestoreHistory operations() {
    return new RestoreHistory(archive.folder());
  }
}
