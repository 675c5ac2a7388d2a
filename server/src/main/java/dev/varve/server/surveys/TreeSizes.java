// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.surveys;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.tree.StoredTrees;
import dev.varve.tree.Tree;
import dev.varve.tree.TreeEntry;
import dev.varve.tree.TreeLimits;
import java.util.LinkedHashMap;
import java.util.Map;

/// The sizes of file trees, folders included. A folder that was read is not read again while it is
/// among the last [#FOLDERS_MAX].
final class TreeSizes {

  private static final int FOLDERS_MAX = 100_000;

  private final Store store;
  private final StoredTrees trees;
  private final KnownContents known;
  private final Runnable pause;
  private final Map<BlobHash, Long> folders =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<BlobHash, Long> eldest) {
          return size() > FOLDERS_MAX;
        }
      };
  private long keptBytes;
  private long unreadable;

  /// @param known what was counted
  /// @param pause is called for each entry of a folder
  TreeSizes(Store store, KnownContents known, Runnable pause) {
    this.store = store;
    this.trees = new StoredTrees(store::get);
    this.known = known;
    this.pause = pause;
  }

  /// Counts a tree for a row of each table.
  void count(BlobHash root, Iterable<ShareTable.Row> rows) {
    keptBytes = 0;
    long size = folder(root, 0);
    rows.forEach(row -> row.content(size, keptBytes));
  }

  /// The number of folders that could not be read.
  long unreadable() {
    return unreadable;
  }

  private long folder(BlobHash hash, int depth) {
    Long before = folders.get(hash);
    if (before != null) {
      return before;
    }
    long size = 0;
    try {
      long own = store.sizeBytes(hash);
      keptBytes += known.kept(hash, own);
      size = own;
      Tree tree = trees.tree(hash);
      for (TreeEntry entry : tree.entries()) {
        pause.run();
        size = ShareTable.saturated(size, entry(entry, depth));
      }
    } catch (StoreException.NotFound | StoreException.Corrupt | StoreException.Invalid e) {
      unreadable++;
    }
    folders.put(hash, size);
    return size;
  }

  private long entry(TreeEntry entry, int depth) {
    if (!entry.isDirectory()) {
      keptBytes = ShareTable.saturated(keptBytes, known.kept(entry.hash(), entry.sizeBytes()));
      return entry.sizeBytes();
    }
    return depth < TreeLimits.DEFAULTS.depth() ? folder(entry.hash(), depth + 1) : 0;
  }
}
