// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import dev.varve.git.RepoPath;
import dev.varve.git.TreeChange;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What a restore would do. Nothing of it is done yet, except that the state it starts from was
/// captured.
///
/// @param target what is to be restored
/// @param now what was on the disk when the plan was made: where undo leads back to
/// @param paths those that differ, in the order of their bytes; all others are not touched
/// @param repositories those inside that are not as they were, which stays so
/// @param leavesMoved whether paths that change until it is carried out are left alone and named;
///   else nothing is done then
public record Plan(
    Snapshot target,
    Snapshot now,
    List<PlannedPath> paths,
    List<RepositoryDifference> repositories,
    boolean leavesMoved) {

  private static final String MOVED = "was changed while it was to be restored";

  public Plan {
    paths = List.copyOf(paths);
    repositories = List.copyOf(repositories);
  }

  Plan(
      Snapshot target,
      Snapshot now,
      List<PlannedPath> paths,
      List<RepositoryDifference> repositories) {
    this(target, now, paths, repositories, false);
  }

  /// The same plan, for files that never hold still: a log, what a build writes.
  public Plan leavingMoved() {
    return new Plan(target, now, paths, repositories, true);
  }

  /// The paths to be changed that some other change concerns: one of the path itself, of a folder
  /// that it is in, or of what is in it.
  Set<RepoPath> among(Collection<TreeChange> changes) {
    Set<RepoPath> found = new HashSet<>();
    for (TreeChange change : changes) {
      for (PlannedPath path : paths) {
        if (path.action() != PlannedPath.Action.KEEP
            && (path.path().isIn(change.path()) || change.path().isIn(path.path()))) {
          found.add(path.path());
        }
      }
    }
    return found;
  }

  /// The same plan without these.
  Plan keeping(Set<RepoPath> moved) {
    return new Plan(
        target,
        now,
        paths.stream().map(p -> moved.contains(p.path()) ? p.kept(MOVED) : p).toList(),
        repositories);
  }

  /// What is to be said of these.
  List<PathResult> failed(Set<RepoPath> moved) {
    return paths.stream()
        .filter(path -> moved.contains(path.path()))
        .map(path -> new PathResult(path.path(), path.action(), MOVED))
        .toList();
  }

  /// The same plan, but files that were edited since the last checkpoint stay as they are.
  public Plan keepingEdits() {
    return new Plan(
        target,
        now,
        paths.stream()
            .map(
                path ->
                    path.editedSince() && path.action() != PlannedPath.Action.KEEP
                        ? path.kept("edited since the last checkpoint")
                        : path)
            .toList(),
        repositories,
        leavesMoved);
  }

  /// How many paths will be created, changed or deleted.
  public long changes() {
    return paths.stream().filter(path -> path.action() != PlannedPath.Action.KEEP).count();
  }

  public long count(PlannedPath.Action action) {
    return paths.stream().filter(path -> path.action() == action).count();
  }
}
