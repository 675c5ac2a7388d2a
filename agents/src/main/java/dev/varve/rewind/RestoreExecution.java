// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import dev.varve.StoreException;
import dev.varve.disk.DiskLock;
import dev.varve.git.RepoPath;
import dev.varve.rewind.RestoreHistory.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Carries out planned restores, under a journal, and settles a restore that broke off. On return
/// the result is on the disk and verified, and can be undone.
final class RestoreExecution {

  private final SnapshotArchive archive;
  private final InstantSource clock;

  RestoreExecution(SnapshotArchive archive, InstantSource clock) {
    this.archive = archive;
    this.clock = clock;
  }

  /// @param kind `restore`, `undo` or `redo`
  /// @throws StoreException.Conflict if files changed since the plan was made
  RestoreOutcome apply(String kind, RestorePlan plan) {
    try (DiskLock _ = archive.lock()) {
      RestoreJournal.refuseBegun(archive);
      if (plan.changes() == 0) {
        if (!kind.equals("restore")) {
          // It is taken back all the same: the next undo is of the restore before.
          String now = plan.now().commit();
          operations().add(new Operation(clock.instant(), kind, now, now));
        }
        return new RestoreOutcome(plan, plan.now(), List.of(), List.of());
      }
      FileTime capturedAt = DiskClock.now(archive.folder());
      Snapshot now =
          archive.take(
              new CapturePurpose(
                  "before " + kind + " of " + plan.target().shortName(), false, true, null));
      RestorePlan present = new RestorePlan(plan.target(), now, plan.paths(), plan.repositories());
      Set<RepoPath> moved =
          present.among(
              now.tree().equals(plan.now().tree()) ? List.of() : archive.changes(plan.now(), now));
      if (!moved.isEmpty() && !plan.leavesMoved()) {
        throw new StoreException.Conflict(
            archive.root().toString(), "the files as they were planned", "other ones");
      }
      return applied(kind, present, moved, capturedAt);
    }
  }

  /// @param moved paths that are not as they were planned, and are left alone
  private RestoreOutcome applied(
      String kind, RestorePlan plan, Set<RepoPath> moved, FileTime capturedAt) {
    RestorePlan doing = plan.keeping(moved);
    List<PathResult> results = new ArrayList<>(plan.failed(moved));
    results.addAll(
        new RestoreRun(archive)
            .run(doing, capturedAt, () -> RestoreJournal.of(kind, doing).write(archive.folder())));
    Snapshot after = afterwards(kind, plan.target());
    if (plan.changes() > 0) {
      operations().add(new Operation(clock.instant(), kind, plan.now().commit(), after.commit()));
    }
    RestoreJournal.delete(archive.folder());
    return new RestoreOutcome(plan, after, results, notExact(plan, after));
  }

  private Snapshot afterwards(String kind, Snapshot target) {
    String note = "after " + kind + " of " + target.shortName();
    return archive.take(new CapturePurpose(note, false, true, target));
  }

  /// The paths that were to be as in the target and are not.
  private List<RepoPath> notExact(RestorePlan plan, Snapshot after) {
    Set<RepoPath> wrong = new HashSet<>();
    archive.changes(after, plan.target()).forEach(change -> wrong.add(change.path()));
    return plan.paths().stream()
        .filter(path -> path.action() != PlannedPath.Action.KEEP)
        .filter(path -> wrong.contains(path.path()) || !isPermitted(path))
        .map(PlannedPath::path)
        .toList();
  }

  private boolean isPermitted(PlannedPath path) {
    Path file = path.path().under(archive.root());
    try {
      return path.permissions().isEmpty()
          || !Permissions.areKnownIn(archive.root())
          || Permissions.octal(Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS))
              .equals(path.permissions());
    } catch (IOException e) {
      return false;
    }
  }

  /// Finishes the restore that broke off, or rolls it back.
  RestoreOutcome settle(boolean forward) {
    try (DiskLock _ = archive.lock()) {
      RestoreJournal journal =
          RestoreJournal.read(archive.folder())
              .orElseThrow(() -> new StoreException.NotFound("restore", "that broke off"));
      Snapshot target = archive.snapshot(forward ? journal.to() : journal.from());
      archive.demandHere(target);
      new RestoreRun(archive).tidy(journal.paths());
      FileTime capturedAt = DiskClock.now(archive.folder());
      Snapshot from = archive.snapshot(journal.from());
      RestorePlan plan =
          new RestorePlanner(archive)
              .plan(
                  target,
                  archive.take(CapturePurpose.LOOK),
                  PathSelection.withFolders(journal.paths()),
                  Set.of());
      // The journal stays as it is: breaking off again loses nothing of it.
      List<PathResult> results = new RestoreRun(archive).run(plan, capturedAt, () -> {});
      Snapshot after = afterwards(journal.kind(), target);
      // Undo leads to before the restore, not to the middle of it.
      if (forward) {
        operations()
            .add(new Operation(clock.instant(), journal.kind(), from.commit(), after.commit()));
      }
      RestoreJournal.delete(archive.folder());
      RestorePlan whole =
          forward ? new RestorePlan(target, from, plan.paths(), plan.repositories()) : plan;
      return new RestoreOutcome(whole, after, results, notExact(plan, after));
    }
  }

  private RestoreHistory operations() {
    return new RestoreHistory(archive.folder());
  }
}
