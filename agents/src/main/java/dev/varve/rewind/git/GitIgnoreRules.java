// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import dev.varve.git.Git;
import dev.varve.git.RepoPath;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The ignore rules of git, asked for single paths.
final class GitIgnoreRules {

  private static final String[] QUESTION = {"check-ignore", "--no-index", "-z", "--stdin"};

  private final Git git;
  private final Git user;

  GitIgnoreRules(Git git) {
    this(git, git);
  }

  /// @param user the git whose index says which files are tracked
  GitIgnoreRules(Git git, Git user) {
    this.git = git.with(Map.of("GIT_LITERAL_PATHSPECS", "0"));
    this.user = user;
  }

  Set<RepoPath> among(Collection<RepoPath> paths) {
    if (paths.isEmpty()) {
      return Set.of();
    }
    // This command takes patterns only; none begins with a dot and a slash.
    List<RepoPath> asked = paths.stream().map(path -> path.after("./")).toList();
    Git.Output output = git.tryRun(RepoPath.join(asked), QUESTION);
    if (output.status() > 1) {
      throw git.failed(output, QUESTION);
    }
    Set<RepoPath> ignored = new HashSet<>(RepoPath.list(output.out()));
    return new HashSet<>(
        paths.stream().filter(path -> ignored.contains(path.after("./"))).toList());
  }

  /// The ignored paths among `paths` that git does not track: files, and folders without a tracked
  /// file.
  Set<RepoPath> untracked(Collection<RepoPath> paths) {
    Set<RepoPath> ignored = among(paths);
    if (!ignored.isEmpty()) {
      byte[] tracked = user.run("ls-files", "-z", "-c", "-i", "--exclude-standard");
      List<RepoPath> files = RepoPath.list(tracked);
      ignored.removeIf(path -> files.stream().anyMatch(file -> file.isIn(path)));
    }
    return ignored;
  }
}
