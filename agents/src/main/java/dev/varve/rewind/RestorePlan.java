// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import dev.varve.git.RepoPath;
import dev.varve.git.TreeChange;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The plan of a restore. Nothing of the plan is done yet, except that the state from which the
/// restore starts was captured.
///
/// @param target the snapshot that is to be restored
/// @param now the snapshot of the files when the plan was made, to which an undo leads back
/// @param paths the paths that differ, in the order of their bytes; no other path is touched
/// @param repositories repositories inside whose checkout differs, and stays as it is
/// @param leavesMoved whether paths that change before the restore are left alone and named;
///   otherwise such a change stops the restore
public record RestorePlan(
    Snapshot target,
    Snapshot now,
    List<PlannedPath> paths,
    List<RepositoryDifference> repositories,
    boolean leavesMoved) {

  private static final String MOVED = "was changed while it was to be restored";

  public RestorePlan {
    paths = List.copyOf(paths);
    repositories = List.copyOf(repositories);
  }

  RestorePlan(
      Snapshot target,
      Snapshot now,
      List<PlannedPath> paths,
      List<RepositoryDifference> repositories) {
    this(target, now, paths, repositories, false);
  }

  /// The same plan, which goes on although files never hold still: a log, or the output of a build.
  public RestorePlan leavingMoved() {
    return new RestorePlan(target, now, paths, repositories, true);
  }

  /// The paths to be changed that another change concerns: a change of the path itself, of a folder
  /// around the path, or of a path inside it.
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

  /// The same plan without some paths.
  RestorePlan keeping(Set<RepoPath> moved) {
    return new RestorePlan(
        target,
        now,
        paths.stream().map(p -> moved.contains(p.path()) ? p.kept(MOVED) : p).toList(),
        repositories);
  }

  /// The results for paths that were left alone because they changed.
  List<PathResult> failed(Set<RepoPath> moved) {
    return paths.stream()
        .filter(path -> moved.contains(path.path()))
        .map(path -> new PathResult(path.path(), path.action(), MOVED))
        .toList();
  }

  /// The same plan, but files that were edited since the last snapshot stay as they are.
  public RestorePlan keepingEdits() {
    return new RestorePlan(
        target,
        now,
        paths.stream()
            .map(
                path ->
                    path.editedSince() && path.action() != PlannedPath.Action.KEEP
                        ? path.kept("edited since the last snapshot")
                        : path)
            .toList(),
        repositories,
        leavesMoved);
  }

  /// The number of paths that will be created, changed or deleted.
  public long changes() {
    return paths.stream().filter(path -> path.action() != PlannedPath.Action.KEEP).count();
  }

  public long count(PlannedPath.Action action) {
    return paths.stream().filter(path -> path.action() == action).count();
  }
}
