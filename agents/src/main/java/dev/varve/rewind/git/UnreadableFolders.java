// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import dev.varve.git.RepoPath;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// Folders of a worktree that cannot be listed or looked into, apart from ignored ones.
///
/// Git passes over such a folder with a warning, as if it were empty. A snapshot must name the
/// folder, because the absence of its files says nothing about them.
final class UnreadableFolders {

  private static final RepoPath GIT_FOLDER = RepoPath.of(".git");

  private final Path root;
  private final InnerRepositories repositories;
  private final SortedSet<RepoPath> found = new TreeSet<>();

  private UnreadableFolders(Path root, InnerRepositories repositories) {
    this.root = root;
    this.repositories = repositories;
  }

  /// Looks into every folder, repositories inside included.
  ///
  /// @return with a slash at the end
  static SortedSet<RepoPath> of(
      Worktree worktree, ShadowRepository shadow, InnerRepositories repositories) {
    UnreadableFolders search = new UnreadableFolders(worktree.root(), repositories);
    search.walk(worktree.root());
    search.removeIgnored(new GitIgnoreRules(shadow.git(), worktree.git()));
    return search.found;
  }

  private void walk(Path folder) {
    List<Path> inside = new ArrayList<>();
    try (DirectoryStream<Path> names = Files.newDirectoryStream(folder)) {
      for (Path each : names) {
        if (!RepoPath.from(folder, each).equals(GIT_FOLDER) && isFolder(each)) {
          inside.add(each);
        }
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      return; // The folder went away meanwhile.
    } catch (IOException | DirectoryIteratorException e) {
      if (!folder.equals(root)) {
        found.add(RepoPath.from(root, folder).asFolder());
      }
      return;
    }
    for (Path each : inside) {
      if (!repositories.closed().containsKey(RepoPath.from(root, each).asFolder())) {
        walk(each);
      }
    }
  }

  /// @throws AccessDeniedException if the folder around `file` may be listed and not looked into
  private static boolean isFolder(Path file) throws AccessDeniedException {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .isDirectory();
    } catch (AccessDeniedException e) {
      throw e;
    } catch (IOException e) {
      return false; // The file went away meanwhile.
    }
  }

  /// Each repository decides about its own folders.
  private void removeIgnored(GitIgnoreRules outer) {
    Map<Optional<RepoPath>, List<RepoPath>> byRepository = new HashMap<>();
    for (RepoPath folder : found) {
      byRepository
          .computeIfAbsent(repositories.of(folder.withoutSlash()), _ -> new ArrayList<>())
          .add(folder);
    }
    byRepository.forEach(
        (path, folders) -> {
          InnerRepository inner = path.map(each -> repositories.open().get(each)).orElse(null);
          try {
            found.removeAll(inner == null ? outer.untracked(folders) : inner.ignored(folders));
          } catch (InnerRepository.Unfit e) {
            // A repository that cannot be asked ignores nothing: its folders stay named.
          }
        });
  }
}
