// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

/// The branch and commit that a repository inside a worktree had checked out when a snapshot was
/// taken. A restore reports a difference and never changes it.
///
/// @param branch the full name of what HEAD points to, `refs/heads/main`; empty if to no branch
/// @param commit the commit's id; empty before the first commit
/// @param sparse whether git left files of the repository out of its worktree
/// @param excludes the patterns in force in the repository besides its `.gitignore` files, a line
///   each
public record Checkout(String branch, String commit, boolean sparse, String excludes) {

  private static final String HEADS = "refs/heads/";
  private static final int SHOWN = 12;

  /// The checkout for people: `main at 91b2e43a1f06`.
  public String words() {
    String name = branch.startsWith(HEADS) ? branch.substring(HEADS.length()) : branch;
    String at = commit.isEmpty() ? "no commit" : commit.substring(0, SHOWN);
    return name.isEmpty() ? at : name + " at " + at;
  }

  /// True if the same branch and commit are checked out.
  boolean isLike(Checkout other) {
    return branch.equals(other.branch) && commit.equals(other.commit);
  }
}
