// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import dev.varve.StoreException;
import dev.varve.git.RepoPath;
import dev.varve.rewind.SnapshotMetadata;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Finds the new names in folders, and which of them are to be captured.
final class CachedNames {

  private static final RepoPath RULES_FILE = RepoPath.of(".gitignore");
  private static final RepoPath GIT_FOLDER = RepoPath.of(".git");

  private final Path root;
  private final Statx statx;
  private final GitIgnoreRules ignoreRules;
  private final SortedMap<RepoPath, InnerRepository> inner;
  private final SortedMap<RepoPath, String> marks;
  private final Set<RepoPath> closed;
  private final SnapshotMetadata metadata;

  /// Ignored folders that were looked into, because a file in them is or was tracked.
  private final Set<RepoPath> ignoredFolders = new HashSet<>();

  /// @param metadata of the capture that found the repositories
  CachedNames(
      Path root,
      Statx statx,
      GitIgnoreRules ignoreRules,
      InnerRepositories repositories,
      SnapshotMetadata metadata) {
    this.root = root;
    this.statx = statx;
    this.ignoreRules = ignoreRules;
    this.inner = repositories.open();
    this.marks = repositories.marks();
    this.closed = Set.copyOf(repositories.closed().keySet());
    this.metadata = metadata;
  }

  /// Gives up if a repository inside changed, because then other files may have to be captured.
  void demandTheSameRepositories() throws NeedsGit {
    for (RepoPath repository : closed) {
      if (Files.notExists(repository.under(root).resolve(".git"), LinkOption.NOFOLLOW_LINKS)) {
        throw new NeedsGit("a repository went away");
      }
    }
    for (InnerRepository repository : inner.values()) {
      if (!repository.mark().equals(marks.get(repository.path()))) {
        throw new NeedsGit("a repository is not as it was");
      }
    }
  }

  /// The names in a folder that are not known, each with the folder.
  Map<RepoPath, CachedFolder> list(CachedFolder folder, int open, long atNanos)
      throws NeedsGit, IOException {
    if (!statx.lookAtFolder(open)) {
      throw new NeedsGit("a folder cannot be looked at");
    }
    folder.wasListed(statx, atNanos);
    return names(folder);
  }

  Map<RepoPath, CachedFolder> listed(CachedFolder folder, long atNanos)
      throws NeedsGit, IOException {
    int open = statx.openFolder(-1, CachedFolder.terminated(absolute(folder.path)));
    if (open < 0) {
      throw new NeedsGit("a folder cannot be opened");
    }
    try {
      return list(folder, open, atNanos);
    } finally {
      statx.close(open);
    }
  }

  RepoPath absolute(RepoPath path) {
    return path.after(RepoPath.of(root.toString()).asFolder());
  }

  Map<RepoPath, CachedFolder> names(CachedFolder folder) throws NeedsGit, IOException {
    Map<RepoPath, CachedFolder> fresh = new LinkedHashMap<>();
    Set<RepoPath> passed = new HashSet<>();
    try (DirectoryStream<Path> there = Files.newDirectoryStream(folder.path.under(root))) {
      for (Path file : there) {
        RepoPath name = RepoPath.from(root, file).name();
        if (name.equals(GIT_FOLDER)) {
          if (folder.parent != null && !inner.containsKey(folder.path.asFolder())) {
            throw new NeedsGit("a folder became a repository");
          }
        } else if (folder.passed.contains(name)) {
          passed.add(name);
        } else if (!folder.files.containsKey(name) && !folder.folders.containsKey(name)) {
          fresh.put(folder.child(name), folder);
        }
      }
    } catch (java.nio.file.DirectoryIteratorException e) {
      throw e.getCause();
    }
    folder.passed.retainAll(passed);
    return fresh;
  }

  /// The folders in which nothing is, with their permissions.
  ///
  /// @param before those that were found last
  SortedMap<RepoPath, String> emptyFolders(CachedFolder top, Set<RepoPath> before) throws NeedsGit {
    SortedMap<RepoPath, String> found = new TreeMap<>();
    addEmpty(top, found);
    // One that a tracked file was in may itself be ignored.
    found.keySet().removeAll(ignoredFolders);
    Set<RepoPath> fresh = new HashSet<>(found.keySet());
    fresh.removeAll(before);
    ignoredFolders.addAll(ignored(fresh, false));
    found.keySet().removeAll(ignoredFolders);
    return found;
  }

  private void addEmpty(CachedFolder folder, SortedMap<RepoPath, String> to) {
    if (folder.isEmpty() && folder.parent != null && !inner.containsKey(folder.path.asFolder())) {
      to.put(folder.path, folder.octal);
    }
    folder.folders.values().forEach(each -> addEmpty(each, to));
  }

  /// Passes over what is ignored, a repository, or no file; what is left is to be captured, or is a
  /// folder.
  Map<RepoPath, CachedFolder> sorted(Map<RepoPath, CachedFolder> fresh)
      throws NeedsGit, IOException {
    Set<RepoPath> ignored = ignored(fresh.keySet(), true);
    Map<RepoPath, CachedFolder> left = new LinkedHashMap<>();
    for (Map.Entry<RepoPath, CachedFolder> each : fresh.entrySet()) {
      RepoPath path = each.getKey();
      if (path.name().equals(RULES_FILE)) {
        throw new NeedsGit("rules came");
      }
      BasicFileAttributes seen =
          Files.readAttributes(
              path.under(root), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (ignored.contains(path) || closed.contains(path.asFolder()) || seen.isOther()) {
        each.getValue().passed.add(path.name());
      } else {
        left.put(path, each.getValue());
      }
    }
    return left;
  }

  /// Each repository is asked by its own rules.
  ///
  /// @param trackedCount whether what is tracked counts as not ignored
  private Set<RepoPath> ignored(Set<RepoPath> fresh, boolean trackedCount) throws NeedsGit {
    Map<Optional<RepoPath>, List<RepoPath>> byRepository =
        fresh.stream().collect(Collectors.groupingBy(metadata::repositoryOf));
    Set<RepoPath> ignored = new HashSet<>();
    for (Map.Entry<Optional<RepoPath>, List<RepoPath>> each : byRepository.entrySet()) {
      InnerRepository repository = each.getKey().map(path -> inner.get(path)).orElse(null);
      try {
        ignored.addAll(
            repository == null
                ? trackedCount
                    ? ignoreRules.untracked(each.getValue())
                    : ignoreRules.among(each.getValue())
                : trackedCount
                    ? repository.ignored(each.getValue())
                    : repository.named(each.getValue()));
      } catch (InnerRepository.Unfit | StoreException.Io e) {
        throw new NeedsGit("a repository cannot be asked");
      }
    }
    return ignored;
  }
}
