// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import dev.varve.git.RepoPath;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The facts about a snapshot that its tree does not hold. [SnapshotMessage] is their form in git.
///
/// @param worktree the name of the worktree
/// @param plain the permissions that most files have
/// @param modes the files whose permissions are not the plain ones, in octal: `600`
/// @param leftOut the paths that existed and were not captured
/// @param sparse whether git left files of the repository out of the worktree
/// @param excludes the patterns in force besides `.gitignore` files, a line each
/// @param repositories the repositories inside whose files were captured, with a slash at the end;
///   empty if the capture did not look into repositories
/// @param emptyFolders the empty folders, with their permissions in octal; empty if the capture did
///   not look for them, or the tree has them
public record SnapshotMetadata(
    String worktree,
    Plain plain,
    SortedMap<RepoPath, String> modes,
    SortedMap<RepoPath, LeftOut> leftOut,
    boolean sparse,
    String excludes,
    Optional<SortedMap<RepoPath, Checkout>> repositories,
    Optional<SortedMap<RepoPath, String>> emptyFolders) {

  /// The metadata of a snapshot that did not look into repositories.
  public SnapshotMetadata(
      String worktree,
      Plain plain,
      SortedMap<RepoPath, String> modes,
      SortedMap<RepoPath, LeftOut> leftOut,
      boolean sparse,
      String excludes) {
    this(worktree, plain, modes, leftOut, sparse, excludes, Optional.empty(), Optional.empty());
  }

  /// Permissions in octal of files that are no programs, and of programs.
  public record Plain(String file, String program) {

    public String of(boolean isProgram) {
      return isProgram ? program : file;
    }
  }

  /// The permissions that a snapshot knows of a file; empty if it has the plain ones.
  Optional<String> mode(RepoPath path) {
    return Optional.ofNullable(modes.get(path));
  }

  /// The repositories inside whose files were captured; none if the capture did not look into
  /// repositories.
  public SortedMap<RepoPath, Checkout> inner() {
    return repositories.orElseGet(TreeMap::new);
  }

  /// The innermost repository around a path, with a slash at the end; empty if the path is in no
  /// repository inside whose files were captured.
  public Optional<RepoPath> repositoryOf(RepoPath path) {
    SortedMap<RepoPath, Checkout> inner = inner();
    for (Optional<RepoPath> step = path.parent(); step.isPresent(); step = step.get().parent()) {
      if (inner.containsKey(step.get().asFolder())) {
        return step.map(RepoPath::asFolder);
      }
    }
    return Optional.empty();
  }

  /// The reason why a path, or a folder around it, was left out; empty if it was not left out.
  public Optional<LeftOut> leftOut(RepoPath path) {
    return leftOut.entrySet().stream()
        .filter(entry -> path.isIn(entry.getKey()))
        .map(Map.Entry::getValue)
        .findFirst();
  }
}
