// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import dev.varve.git.Git;
import dev.varve.git.RepoPath;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Lists of paths that git makes from a worktree and its index (git-ls-files(1)).
final class GitListing {

  private GitListing() {}

  /// The files that git neither tracks nor ignores, and the outermost folders in which it tracks
  /// nothing. A folder has a slash at the end.
  static List<RepoPath> outermost(Git git) {
    return RepoPath.list(git.run("ls-files", "-z", "-o", "--directory", "--exclude-standard"));
  }

  /// The files that git tracks.
  ///
  /// @param top the repository's place in the outer worktree, with a slash at the end; empty for
  ///   the outer repository itself
  /// @param skippedOnly whether only files are wanted that git keeps out of a sparse worktree
  static Set<RepoPath> tracked(Git git, RepoPath top, boolean skippedOnly) {
    Set<RepoPath> found = new HashSet<>();
    for (RepoPath line : RepoPath.list(git.run("ls-files", "-t", "-z", "-c"))) {
      byte[] bytes = line.bytes();
      if (bytes[0] == 'S' || !skippedOnly) {
        found.add(RepoPath.of(Arrays.copyOfRange(bytes, 2, bytes.length)).after(top));
      }
    }
    return found;
  }
}
