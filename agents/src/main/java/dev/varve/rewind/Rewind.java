// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import dev.varve.StoreException;
import dev.varve.disk.DiskErrors;
import dev.varve.disk.DiskLock;
import dev.varve.git.RepoPath;
import dev.varve.git.TreeChange;
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
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
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
  private final InstantSource clock;

  private Rewind(SnapshotArchive archive, InstantSource clock) {
    this.archive = archive;
    this.clock = clock;
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
  public Rewind staying() {
    archive.stay();
    return this;
  }

  public SnapshotArchive archive() {
    return archive;
  }

  /// Takes a snapshot, or returns the last one if nothing changed and there is no note.
  public Snapshot capture(String note) {
    try (DiskLock _ = archive.lock()) {
      return take(CapturePurpose.keeping(note));
    }
  }

  /// Takes a snapshot of the files as they are now, only to compare with. The snapshot is not
  /// listed, and git may collect it after some days.
  public Snapshot look() {
    try (DiskLock _ = archive.lock()) {
      return take(CapturePurpose.LOOK);
    }
  }

  private Snapshot take(CapturePurpose purpose) {
    return archive.take(purpose);
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
  public long staying(Set<String> names) {
    return archive.staying(names);
  }

  // ---- restore

  /// Plans a restore.
  public RestorePlan plan(Snapshot target, PathSelection selection) {
    try (DiskLock _ = archive.lock()) {
      demandNoneBegun();
      archive.demandHere(target);
      demandOwn(target); // what an undo leads to, this worktree has noted itself
      return planned(target, selection);
    }
  }

  /// Plans an undo of the paths that the last restore changed, and of no others.
  public RestorePlan planUndo() {
    try (DiskLock _ = archive.lock()) {
      demandNoneBegun();
      Operation last = operations().toUndo();
      Snapshot target = snapshot(last.from());
      archive.demandHere(target);
      return planned(target, touched(last));
    }
  }

  /// Plans a redo.
  public RestorePlan planRedo() {
    try (DiskLock _ = archive.lock()) {
      demandNoneBegun();
      Operation undone = operations().toRedo();
      Snapshot target = snapshot(undone.to());
      archive.demandHere(target);
      return planned(target, touched(undone));
    }
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

  private RestorePlan planned(Snapshot target, PathSelection selection) {
    String before = archive.last();
    Snapshot now = take(CapturePurpose.LOOK);
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
          "snapshot " + shown(target),
          "was taken in another worktree"
              + target.metadata().map(found -> " ('" + found.worktree() + "')").orElse("")
              + ", not in "
              + archive.root());
    }
  }

  /// The size of a restore, for people who are asked before it.
  public RestoreSize size(RestorePlan plan) {
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

  private PathSelection touched(Operation operation) {
    Snapshot from = snapshot(operation.from());
    Snapshot to = snapshot(operation.to());
    Set<RepoPath> paths = new TreeSet<>();
    changes(from, to).forEach(change -> paths.add(change.path()));
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

  /// Carries out a plan. On return the result is on the disk and verified, and can be undone.
  ///
  /// @throws StoreException.Conflict if files changed since the plan was made: plan again
  public RestoreOutcome restore(RestorePlan plan) {
    return apply("restore", plan);
  }

  /// Carries out a plan of [#planUndo].
  public RestoreOutcome undo(RestorePlan plan) {
    return apply("undo", plan);
  }

  /// Carries out a plan of [#planRedo].
  public RestoreOutcome redo(RestorePlan plan) {
    return apply("redo", plan);
  }

  private RestoreOutcome apply(String kind, RestorePlan plan) {
    try (DiskLock _ = archive.lock()) {
      demandNoneBegun();
      if (plan.changes() == 0) {
        if (!kind.equals("restore")) {
          // It is taken back all the same: the next undo is of the restore before.
          String now = plan.now().commit();
          operations().add(new Operation(clock.instant(), kind, now, now));
        }
        return new RestoreOutcome(plan, plan.now(), List.of(), List.of());
      }
      FileTime capturedAt = fileSystemTime();
      Snapshot now =
          take(
              new CapturePurpose(
                  "before " + kind + " of " + shown(plan.target()), false, true, null));
      RestorePlan present = new RestorePlan(plan.target(), now, plan.paths(), plan.repositories());
      Set<RepoPath> moved =
          present.among(
              now.tree().equals(plan.now().tree()) ? List.of() : changes(plan.now(), now));
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
    String note = "after " + kind + " of " + shown(target);
    return take(new CapturePurpose(note, false, true, target));
  }

  private static String shown(Snapshot snapshot) {
    return snapshot.commit().substring(0, 12);
  }

  /// The paths that were to be as in the target and are not.
  private List<RepoPath> notExact(RestorePlan plan, Snapshot after) {
    Set<RepoPath> wrong = new HashSet<>();
    changes(after, plan.target()).forEach(change -> wrong.add(change.path()));
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
    return settle(true);
  }

  /// Brings the files back to what they were before the restore that broke off.
  public RestoreOutcome rollBack() {
    return settle(false);
  }

  private RestoreOutcome settle(boolean forward) {
    try (DiskLock _ = archive.lock()) {
      RestoreJournal journal =
          RestoreJournal.read(archive.folder())
              .orElseThrow(() -> new StoreException.NotFound("restore", "that broke off"));
      Snapshot target = snapshot(forward ? journal.to() : journal.from());
      archive.demandHere(target);
      new RestoreRun(archive).tidy(journal.paths());
      FileTime capturedAt = fileSystemTime();
      Snapshot from = snapshot(journal.from());
      RestorePlan plan =
          new RestorePlanner(archive)
              .plan(
                  target,
                  take(CapturePurpose.LOOK),
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

  /// Looks for damage that keeps snapshots from being restored. Changes no file and no snapshot.
  public ArchiveHealth check() {
    return archive.check(begun());
  }

  private void demandNoneBegun() {
    Optional<RestoreJournal> journal = RestoreJournal.read(archive.folder());
    if (journal.isPresent()) {
      throw new StoreException.Conflict(
          archive.root().toString(), "no restore under way", "one that broke off");
    }
  }

  private RestoreHistory operations() {
    return new RestoreHistory(archive.folder());
  }

  private FileTime fileSystemTime() {
    Path probe = archive.folder().resolve("probe");
    try {
      Files.writeString(probe, "");
      return Permissions.areKnownIn(probe)
          ? (FileTime) Files.getAttribute(probe, "unix:ctime", LinkOption.NOFOLLOW_LINKS)
          : Files.getLastModifiedTime(probe);
    } catch (IOException e) {
      throw DiskErrors.ofWrite(probe, "write", 0, e);
    }
  }
}
