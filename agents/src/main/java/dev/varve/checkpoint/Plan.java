// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import java.util.List;

/// What a restore would do. Nothing of it is done yet, except that the state it starts from was
/// captured.
///
/// @param target what is to be restored
/// @param now what was on the disk when the plan was made: where undo leads back to
/// @param paths those that differ, in the order of their bytes; all others are not touched
/// @param repositories those inside that are not as they were, which stays so
public record Plan(
    Snapshot target,
    Snapshot now,
    List<PlannedPath> paths,
    List<RepositoryDifference> repositories) {

  public Plan {
    paths = List.copyOf(paths);
    repositories = List.copyOf(repositories);
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
        repositories);
  }

  /// How many paths will be created, changed or deleted.
  public long changes() {
    return paths.stream().filter(path -> path.action() != PlannedPath.Action.KEEP).count();
  }

  public long count(PlannedPath.Action action) {
    return paths.stream().filter(path -> path.action() == action).count();
  }
}
