// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

/// A case that [WorktreeCache] does not cover, so that git has to look at the worktree.
final class NeedsGit extends Exception {

  private static final long serialVersionUID = 1;

  NeedsGit(String why) {
    super(why, null, false, false);
  }
}
