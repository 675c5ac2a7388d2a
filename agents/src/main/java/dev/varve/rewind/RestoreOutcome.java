// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import dev.varve.git.RepoPath;
import java.util.List;

/// The outcome of a restore.
///
/// @param plan the plan of the restore
/// @param after the snapshot of the files after the restore
/// @param results a result for each path that was to be changed
/// @param notExact paths that were to be as in the target and are not, as a capture after the
///   restore found
public record RestoreOutcome(
    RestorePlan plan, Snapshot after, List<PathResult> results, List<RepoPath> notExact) {

  public RestoreOutcome {
    results = List.copyOf(results);
    notExact = List.copyOf(notExact);
  }

  public List<PathResult> failures() {
    return results.stream().filter(result -> !result.done()).toList();
  }

  /// True if every path that was to change is now exactly as in the target.
  public boolean exact() {
    return failures().isEmpty() && notExact.isEmpty();
  }
}
