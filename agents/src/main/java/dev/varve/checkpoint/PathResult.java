// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import dev.varve.git.RepoPath;

/// What became of one planned path.
///
/// @param failure why it is not as planned; empty if it is
public record PathResult(RepoPath path, PlannedPath.Action action, String failure) {

  public boolean done() {
    return failure.isEmpty();
  }
}
