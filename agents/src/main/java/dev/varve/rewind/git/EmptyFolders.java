// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import dev.varve.git.RepoPath;
import dev.varve.rewind.Permissions;
import dev.varve.rewind.git.InnerRepository.Unfit;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// The empty folders of a worktree, with their permissions: git's trees do not hold them. A folder
/// with ignored or left-out files is not empty.
///
/// Git lists the folders in which it has no file and that it does not ignore; only these folders
/// are looked into.
final class EmptyFolders {

  private interface Rules {
    Set<RepoPath> ignored(Collection<RepoPath> folders) throws Unfit;
  }

  private final Path root;
  private final InnerRepositories repositories;
  private final SortedMap<RepoPath, String> found = new TreeMap<>();

  private EmptyFolders(Path root, InnerRepositories repositories) {
    this.root = root;
    this.repositories = repositories;
  }

  /// @param shadow its index has all that is captured
  static SortedMap<RepoPath, String> of(
      Worktree worktree, ShadowRepository shadow, InnerRepositories repositories) {
    EmptyFolders search = new EmptyFolders(worktree.root(), repositories);
    GitIgnoreRules outer = new GitIgnoreRules(shadow.git());
    try {
      search.look(GitListing.outermost(shadow.git()), Optional.empty(), outer::among);
      if (!repositories.open().isEmpty()) {
        List<RepoPath> lost = lost(worktree, shadow, repositories);
        for (InnerRepository each : repositories.open().values()) {
          List<RepoPath> candidates = new ArrayList<>(each.foldersWithoutTracked());
          candidates.addAll(lost);
          search.look(candidates, Optional.of(each.path()), each::named);
        }
      }
    } catch (Unfit e) {
      // A repository went away meanwhile: the next capture knows more.
    }
    return search.found;
  }

  /// The folders of repositories inside whose tracked files are all missing.
  private static List<RepoPath> lost(
      Worktree worktree, ShadowRepository shadow, InnerRepositories repositories) {
    Set<RepoPath> full = new HashSet<>();
    shadow.entries(worktree.idBytes()).forEach(entry -> addAbove(entry.path(), full));
    Set<RepoPath> all = new TreeSet<>();
    repositories.wanted().forEach(path -> addAbove(path, all));
    all.removeAll(full);
    all.removeIf(
        path -> !Files.isDirectory(path.under(worktree.root()), LinkOption.NOFOLLOW_LINKS));
    return all.stream().map(RepoPath::asFolder).toList();
  }

  private static void addAbove(RepoPath path, Set<RepoPath> to) {
    for (Optional<RepoPath> step = path.parent();
        step.isPresent() && to.add(step.get());
        step = step.get().parent()) {}
  }

  /// The permissions of a folder.
  private static String mode(Path folder) throws IOException {
    return Permissions.areKnownIn(folder)
        ? Permissions.octal(Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS))
        : "755";
  }

  /// Looks into folders of one repository, and those in them that it does not ignore.
  private void look(Collection<RepoPath> candidates, Optional<RepoPath> repository, Rules rules)
      throws Unfit {
    SortedSet<RepoPath> level =
        candidates.stream()
            .filter(RepoPath::isFolder)
            .filter(folder -> !repositories.isAt(folder))
            .map(RepoPath::withoutSlash)
            .filter(folder -> repositories.of(folder).equals(repository))
            .collect(Collectors.toCollection(TreeSet::new));
    level.removeAll(rules.ignored(level));
    while (!level.isEmpty()) {
      SortedSet<RepoPath> inside = new TreeSet<>();
      for (RepoPath folder : level) {
        look(folder, inside);
      }
      inside.removeAll(rules.ignored(inside));
      level = inside;
    }
  }

  private void look(RepoPath folder, SortedSet<RepoPath> inside) {
    Path place = folder.under(root);
    boolean empty = true;
    try (DirectoryStream<Path> names = Files.newDirectoryStream(place)) {
      for (Path each : names) {
        empty = false;
        if (Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)) {
          RepoPath name = RepoPath.from(place, each).after(folder.asFolder());
          if (!repositories.isAt(name.asFolder())) {
            inside.add(name);
          }
        }
      }
      if (empty) {
        found.put(folder, mode(place));
      }
    } catch (IOException | java.nio.file.DirectoryIteratorException e) {
      // What cannot be looked into may hold something.
    }
  }
}
