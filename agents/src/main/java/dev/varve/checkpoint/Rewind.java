// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import dev.varve.StoreException;
import dev.varve.checkpoint.Operations.Operation;
import dev.varve.disk.DiskLock;
import dev.varve.git.RepoPath;
import dev.varve.git.TreeChange;
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
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Checkpoints of one worktree. For several threads and processes at once: captures and restores
/// take turns.
///
/// Nothing but files of the worktree is ever changed, and of the repository nothing but
/// `refs/pi-rewind/store`, new objects, and the folder `varve-rewind` in the git folder.
public final class Rewind {

  /// Files that are larger are not captured: a snapshot would store each of their versions.
  public static final long FILE_BYTES_MAX_DEFAULT = 256L << 20;

  /// So many restores can be undone whatever is dropped.
  private static final int UNDOS_KEPT = 20;

  private final Archive archive;
  private final InstantSource clock;

  private Rewind(Archive archive, InstantSource clock) {
    this.archive = archive;
    this.clock = clock;
  }

  /// Checkpoints that are kept elsewhere than in git.
  public static Rewind of(Archive archive, InstantSource clock) {
    return new Rewind(archive, clock);
  }

  /// The worktree that a folder is in; a capture is always of the whole worktree.
  ///
  /// @throws StoreException.NotFound if the folder is in no worktree of git
  public static Rewind at(Path folder, InstantSource clock, long fileBytesMax) {
    return new Rewind(new GitArchive(Worktree.at(folder), clock, fileBytesMax), clock);
  }

  /// Whether the snapshots of the repository that a folder is in are kept outside of it.
  public static boolean keepsOutside(Path folder) {
    return Worktree.at(folder).keepsOutside();
  }

  /// Keeps the snapshots of a repository outside of it from now on, and moves those that are there.
  /// Whoever has opened it before must open it again.
  ///
  /// @param to where: a folder that is made
  /// @return whether they were in the repository until now
  public static boolean keepOutside(Path folder, Path to) {
    Worktree worktree = Worktree.at(folder);
    if (worktree.keepsOutside()) {
      return false;
    }
    try (DiskLock _ = new GitArchive(worktree, InstantSource.system(), 0).lock()) {
      Outside.move(worktree, to);
    }
    return true;
  }

  /// The worktree's top.
  public Path root() {
    return archive.root();
  }

  /// This process goes on capturing: it is worth to remember what was found. Costs some hundred
  /// bytes a file.
  public Rewind staying() {
    archive.stay();
    return this;
  }

  Archive archive() {
    return archive;
  }

  /// Takes a snapshot, or returns the last one if nothing changed and there is no note.
  public Snapshot capture(String note) {
    try (DiskLock _ = archive.lock()) {
      return take(Purpose.keeping(note));
    }
  }

  /// What is there now, to compare with. It is not listed, and git may collect it after some days.
  public Snapshot look() {
    try (DiskLock _ = archive.lock()) {
      return take(Purpose.LOOK);
    }
  }

  private Snapshot take(Purpose purpose) {
    return archive.take(purpose);
  }

  /// Notes that are kept with this worktree.
  public Margins margins(String group) {
    return new Margins(archive, group);
  }

  /// Which of these commits the repository has.
  public Set<String> present(Set<String> commits) {
    return archive.present(commits);
  }

  /// The snapshots of the repository, the last taken first; those of linked worktrees, and those of
  /// other tools, among them.
  public List<Snapshot> snapshots() {
    return archive.snapshots();
  }

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

  /// Whether a snapshot has a file of this name, or a folder.
  public boolean has(Snapshot snapshot, RepoPath path) {
    return archive.has(snapshot, path);
  }

  /// How two snapshots differ.
  public List<TreeChange> changes(Snapshot from, Snapshot to) {
    return archive.changes(from, to);
  }

  /// How two snapshots differ, for people, as git says it.
  public byte[] diff(Snapshot from, Snapshot to, boolean stat) {
    return archive.diff(from, to, stat);
  }

  // ---- letting go

  /// Snapshots that a worktree of the repository goes on from, or needs for an undo or for a
  /// restore that broke off: they are never to be dropped.
  public Set<String> inUse() {
    Set<String> used = new HashSet<>(archive.lastOnes());
    for (Path folder : archive.folders()) {
      RestoreJournal.read(folder)
          .ifPresent(journal -> used.addAll(List.of(journal.from(), journal.to())));
      List<Operation> all = new Operations(folder).all();
      all.subList(Math.max(0, all.size() - UNDOS_KEPT), all.size())
          .forEach(operation -> used.addAll(List.of(operation.from(), operation.to())));
    }
    return used;
  }

  /// Stops keeping snapshots. Git's garbage collection removes what nothing else keeps; in a store
  /// the bytes stay, and no list and no session has the snapshots any more. What [#inUse] names
  /// stays; what is captured meanwhile, too.
  ///
  /// @return those that were kept and are no more
  public Set<String> drop(Set<String> commits) {
    try (DiskLock _ = archive.lock()) {
      Set<String> unwanted = new HashSet<>(commits);
      unwanted.removeAll(inUse());
      return archive.drop(unwanted);
    }
  }

  /// How many bytes, uncompressed, of snapshots that are let go, or would be, stay for good. 0
  /// where git collects them.
  public long staying(Set<String> names) {
    return archive.staying(names);
  }

  // ---- restore

  /// What a restore would do.
  public Plan plan(Snapshot target, Selection selection) {
    try (DiskLock _ = archive.lock()) {
      demandNoneBegun();
      return planned(target, selection);
    }
  }

  /// What an undo would do: to the paths that the last restore changed, and no others.
  public Plan planUndo() {
    try (DiskLock _ = archive.lock()) {
      demandNoneBegun();
      Operation last = operations().toUndo();
      return planned(snapshot(last.from()), touched(last));
    }
  }

  /// What a redo would do.
  public Plan planRedo() {
    try (DiskLock _ = archive.lock()) {
      demandNoneBegun();
      Operation undone = operations().toRedo();
      return planned(snapshot(undone.to()), touched(undone));
    }
  }

  /// What the files were before the last restore that is not undone; empty if there is none, or the
  /// snapshot is lost.
  public Optional<Snapshot> beforeLastRestore() {
    try {
      return Optional.of(snapshot(operations().toUndo().from()));
    } catch (StoreException.NotFound e) {
      return Optional.empty();
    }
  }

  /// Whether a restore of this worktree began at a snapshot, as far as is remembered.
  public boolean wasRestoredFrom(String commit) {
    return operations().all().stream().anyMatch(each -> each.from().equals(commit));
  }

  /// The same for the last undo.
  public Optional<Snapshot> beforeLastUndo() {
    try {
      return Optional.of(snapshot(operations().toRedo().to()));
    } catch (StoreException.NotFound e) {
      return Optional.empty();
    }
  }

  private Plan planned(Snapshot target, Selection selection) {
    String before = archive.last();
    Snapshot now = take(Purpose.LOOK);
    Set<RepoPath> edited = new HashSet<>();
    if (before != null && !before.equals(now.commit())) {
      archive.changes(archive.snapshot(before), now).forEach(change -> edited.add(change.path()));
    }
    return new Planner(archive).plan(target, now, selection, edited);
  }

  private Selection touched(Operation operation) {
    Snapshot from = snapshot(operation.from());
    Snapshot to = snapshot(operation.to());
    Set<RepoPath> paths = new TreeSet<>();
    changes(from, to).forEach(change -> paths.add(change.path()));
    for (Snapshot each : List.of(from, to)) {
      each.facts().ifPresent(facts -> paths.addAll(facts.modes().keySet()));
    }
    if (!from.facts().map(Facts::plain).equals(to.facts().map(Facts::plain))) {
      paths.addAll(archive.files(to));
    }
    return Selection.exactly(paths);
  }

  /// Does what a plan says. When it returns, the result is on the disk and verified, and can be
  /// undone.
  ///
  /// @throws StoreException.Conflict if files changed since the plan was made: plan again
  public Outcome restore(Plan plan) {
    return apply("restore", plan);
  }

  /// Does what [#planUndo] said.
  public Outcome undo(Plan plan) {
    return apply("undo", plan);
  }

  /// Does what [#planRedo] said.
  public Outcome redo(Plan plan) {
    return apply("redo", plan);
  }

  private Outcome apply(String kind, Plan plan) {
    try (DiskLock _ = archive.lock()) {
      demandNoneBegun();
      if (plan.changes() == 0) {
        if (!kind.equals("restore")) {
          // It is taken back all the same: the next undo is of the restore before.
          String now = plan.now().commit();
          operations().add(new Operation(clock.instant(), kind, now, now));
        }
        return new Outcome(plan, plan.now(), List.of(), List.of());
      }
      FileTime capturedAt = fileSystemTime();
      Snapshot now =
          take(new Purpose("before " + kind + " of " + shown(plan.target()), false, true, null));
      Plan present = new Plan(plan.target(), now, plan.paths(), plan.repositories());
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
  private Outcome applied(String kind, Plan plan, Set<RepoPath> moved, FileTime capturedAt) {
    Plan doing = plan.keeping(moved);
    List<PathResult> results = new ArrayList<>(plan.failed(moved));
    results.addAll(
        new Apply(archive)
            .run(doing, capturedAt, () -> RestoreJournal.of(kind, doing).write(archive.folder())));
    Snapshot after = afterwards(kind, plan.target());
    if (plan.changes() > 0) {
      operations().add(new Operation(clock.instant(), kind, plan.now().commit(), after.commit()));
    }
    RestoreJournal.delete(archive.folder());
    return new Outcome(plan, after, results, notExact(plan, after));
  }

  private Snapshot afterwards(String kind, Snapshot target) {
    String note = "after " + kind + " of " + shown(target);
    return take(new Purpose(note, false, true, target));
  }

  private static String shown(Snapshot snapshot) {
    return snapshot.commit().substring(0, 12);
  }

  /// The paths that were to be as in the target and are not.
  private List<RepoPath> notExact(Plan plan, Snapshot after) {
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
  public @Nullable Begun begun() {
    return RestoreJournal.read(archive.folder())
        .map(
            journal ->
                new Begun(journal.kind(), journal.from(), journal.to(), journal.paths().size()))
        .orElse(null);
  }

  /// A restore that broke off.
  ///
  /// @param paths how many it was to change
  public record Begun(String kind, String from, String to, int paths) {}

  /// Does what is left of the restore that broke off. The plan of what comes of it starts where the
  /// restore did: an undo leads back there.
  public Outcome finish() {
    return settle(true);
  }

  /// Brings the files back to what they were before the restore that broke off.
  public Outcome rollBack() {
    return settle(false);
  }

  private Outcome settle(boolean forward) {
    try (DiskLock _ = archive.lock()) {
      RestoreJournal journal =
          RestoreJournal.read(archive.folder())
              .orElseThrow(() -> new StoreException.NotFound("restore", "that broke off"));
      new Apply(archive).tidy(journal.paths());
      FileTime capturedAt = fileSystemTime();
      Snapshot target = snapshot(forward ? journal.to() : journal.from());
      Snapshot from = snapshot(journal.from());
      Plan plan =
          new Planner(archive)
              .plan(target, take(Purpose.LOOK), Selection.withFolders(journal.paths()), Set.of());
      // The journal stays as it is: breaking off again loses nothing of it.
      List<PathResult> results = new Apply(archive).run(plan, capturedAt, () -> {});
      Snapshot after = afterwards(journal.kind(), target);
      // Undo leads to before the restore, not to the middle of it.
      if (forward) {
        operations()
            .add(new Operation(clock.instant(), journal.kind(), from.commit(), after.commit()));
      }
      RestoreJournal.delete(archive.folder());
      Plan whole = forward ? new Plan(target, from, plan.paths(), plan.repositories()) : plan;
      return new Outcome(whole, after, results, notExact(plan, after));
    }
  }

  /// Looks for what keeps snapshots from being restored. Changes nothing.
  public Health check() {
    return archive.check(begun());
  }

  private void demandNoneBegun() {
    Optional<RestoreJournal> journal = RestoreJournal.read(archive.folder());
    if (journal.isPresent()) {
      throw new StoreException.Conflict(
          archive.root().toString(), "no restore under way", "one that broke off");
    }
  }

  private Operations operations() {
    return new Operations(archive.folder());
  }

  private FileTime fileSystemTime() {
    Path probe = archive.folder().resolve("probe");
    try {
      Files.writeString(probe, "");
      return Permissions.areKnownIn(probe)
          ? (FileTime) Files.getAttribute(probe, "unix:ctime", LinkOption.NOFOLLOW_LINKS)
          : Files.getLastModifiedTime(probe);
    } catch (IOException e) {
      throw SmallFile.refusal(probe, "write", e);
    }
  }
}
