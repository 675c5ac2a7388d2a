// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.folder;

import dev.varve.BlobHash;
import dev.varve.git.RepoPath;
import dev.varve.git.TreeChange;
import dev.varve.tree.StoredTrees;
import dev.varve.tree.StoredTrees.Change;
import dev.varve.tree.Tree;
import dev.varve.tree.TreeEntry;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The differences between two trees, in git's terms. Folders that come or go with the files in
/// them are not listed; empty folders and folders with unusual permissions are.
final class TreeChanges {

  private static final String NONE = "0".repeat(2 * BlobHash.SIZE_BYTES);
  private static final BlobHash EMPTY = Tree.EMPTY.hash();
  private static final int PLAIN = 0755;

  private TreeChanges() {}

  /// Compares two trees. The changes are in the order of the paths' bytes.
  static List<TreeChange> between(StoredTrees trees, BlobHash from, BlobHash to) {
    Map<RepoPath, TreeChange> changes = new TreeMap<>();
    for (Change change : trees.diff(from, to)) {
      switch (change) {
        case Change.Removed(String path, TreeEntry entry) -> {
          if (!entry.isDirectory() || entry.hash().equals(EMPTY)) {
            add(changes, path, mode(entry), 0, entry.hash(), null);
          }
        }
        case Change.Added(String path, TreeEntry entry) -> {
          if (!entry.isDirectory()
              || entry.hash().equals(EMPTY)
              || (entry.mode() & 0777) != PLAIN) {
            add(changes, path, 0, mode(entry), null, entry.hash());
          }
        }
        case Change.Modified(String path, TreeEntry before, TreeEntry after) -> {
          if (mode(before) != mode(after)
              || !before.isDirectory() && !before.hash().equals(after.hash())) {
            add(changes, path, mode(before), mode(after), before.hash(), after.hash());
          }
        }
      }
    }
    return List.copyOf(changes.values());
  }

  /// A path that goes and comes, as another kind of thing, is one change.
  private static void add(
      Map<RepoPath, TreeChange> changes,
      String text,
      int oldMode,
      int newMode,
      @org.jspecify.annotations.Nullable BlobHash oldHash,
      @org.jspecify.annotations.Nullable BlobHash newHash) {
    RepoPath path = TreeNames.path(text);
    TreeChange change =
        new TreeChange(
            path,
            oldMode,
            newMode,
            oldHash == null ? NONE : oldHash.toString(),
            newHash == null ? NONE : newHash.toString());
    changes.merge(
        path,
        change,
        (a, b) -> {
          boolean first = a.newMode() == 0;
          TreeChange gone = first ? a : b;
          TreeChange come = first ? b : a;
          return new TreeChange(path, gone.oldMode(), come.newMode(), gone.oldId(), come.newId());
        });
  }

  private static int mode(TreeEntry entry) {
    return switch (entry.kind()) {
      case FILE -> (entry.mode() & 0100) != 0 ? TreeChange.PROGRAM : TreeChange.FILE;
      case SYMLINK -> TreeChange.LINK;
      case DIRECTORY -> TreeChange.FOLDER | entry.mode() & 0777;
    };
  }
}
