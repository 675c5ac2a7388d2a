// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import dev.varve.git.RepoPath;

/// The result of a restore for one planned path.
///
/// @param failure the reason why the path is not as planned; empty if it is as planned
public record PathResult(RepoPath path, PlannedPath.Action action, String failure) {

  public boolean done() {
    return failure.isEmpty();
  }
}
