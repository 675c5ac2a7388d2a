// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import dev.varve.git.RepoPath;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/// Folders of a worktree that became repositories of their own after files in them were captured.
/// Git goes on looking into these; into others it does not look.
final class Repositories {

  private final Path root;
  private final Map<RepoPath, Boolean> known = new HashMap<>();
  private final NavigableSet<RepoPath> found = new TreeSet<>();

  Repositories(Path root) {
    this.root = root;
  }

  /// Looks at the folders that a file is in.
  ///
  /// @return whether one of them is a repository
  boolean add(RepoPath path) {
    Optional<RepoPath> outermost = Optional.empty();
    for (Optional<RepoPath> step = path.parent(); step.isPresent(); step = step.get().parent()) {
      if (known.computeIfAbsent(step.get(), this::isRepository)) {
        outermost = step;
      }
    }
    outermost.map(RepoPath::asFolder).ifPresent(found::add);
    return outermost.isPresent();
  }

  private boolean isRepository(RepoPath folder) {
    return Files.isDirectory(folder.under(root), LinkOption.NOFOLLOW_LINKS)
        && Files.exists(folder.under(root).resolve(".git"), LinkOption.NOFOLLOW_LINKS);
  }

  /// Those that were met, with a slash at the end.
  NavigableSet<RepoPath> found() {
    return found;
  }
}
