// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import dev.varve.git.RepoPath;
import java.util.List;

/// What a restore did.
///
/// @param plan what it was to do
/// @param after what is on the disk now
/// @param results one for each path that was to be changed
/// @param notExact paths that were to be as in the target and are not: looked at again afterwards
public record Outcome(
    Plan plan, Snapshot after, List<PathResult> results, List<RepoPath> notExact) {

  public Outcome {
    results = List.copyOf(results);
    notExact = List.copyOf(notExact);
  }

  public List<PathResult> failures() {
    return results.stream().filter(result -> !result.done()).toList();
  }

  /// Whether every path that was to change is now exactly as in the target.
  public boolean exact() {
    return failures().isEmpty() && notExact.isEmpty();
  }
}
