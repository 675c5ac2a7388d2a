// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.cli.store.AllContexts;
import dev.varve.cli.store.ContextDescription;
import dev.varve.rewind.removal.RepositoryErasure;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The repositories of git on this machine in which an erasure looks for snapshots: the one of the
/// current folder, those that were named, and those in which the agents of contexts worked.
///
/// @param found each repository once
/// @param unread folders that are gone, or whose repository git does not read, with the reason
record GitRepositories(List<RepositoryErasure> found, Map<String, String> unread) {

  /// @param named folders from the command line
  /// @param contexts the contexts that are erased; all contexts of the store if there is none
  /// @throws StoreException.NotFound if a named folder is in no repository
  static GitRepositories of(List<Path> named, Set<ContextId> contexts, Store store) {
    Map<Path, RepositoryErasure> found = new LinkedHashMap<>();
    Map<String, String> unread = new LinkedHashMap<>();
    for (Path folder : named) {
      add(RepositoryErasure.at(folder), found);
    }
    Set<Path> roots = new LinkedHashSet<>();
    find(Path.of("").toAbsolutePath(), roots);
    for (String text : folders(contexts, store)) {
      Path folder = absolute(text);
      if (folder != null && !find(folder, roots) && Files.notExists(folder)) {
        unread.put(text, "the folder is gone");
      }
    }
    for (Path root : roots) {
      try {
        add(RepositoryErasure.at(root), found);
      } catch (StoreException e) {
        unread.put(root.toString(), String.valueOf(e.getMessage()));
      }
    }
    return new GitRepositories(List.copyOf(found.values()), unread);
  }

  private static void add(RepositoryErasure repository, Map<Path, RepositoryErasure> found) {
    if (repository.hasSnapshots()) {
      found.putIfAbsent(repository.repository(), repository);
    }
  }

  private static Set<String> folders(Set<ContextId> contexts, Store store) {
    Set<String> folders = new HashSet<>();
    if (contexts.isEmpty()) {
      for (ContextHead context : new AllContexts(store, 100)) {
        folders.add(ContextDescription.of(context, store).folder());
      }
    } else {
      contexts.forEach(
          context -> folders.add(ContextDescription.of(store.head(context), store).folder()));
    }
    return folders;
  }

  private static @Nullable Path absolute(String text) {
    try {
      Path path = Path.of(text);
      return path.isAbsolute() ? path : null;
    } catch (InvalidPathException e) {
      return null; // another system's
    }
  }

  /// Finds the repository around a folder without running git.
  ///
  /// @return whether there is one
  private static boolean find(Path folder, Set<Path> roots) {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    for (Path step = folder; step != null; step = step.getParent()) {
      if (Files.exists(step.resolve(".git"), LinkOption.NOFOLLOW_LINKS)) {
        roots.add(step);
        return true;
      }
    }
    return false;
  }
}
