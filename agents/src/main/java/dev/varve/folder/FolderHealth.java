// SPDX-License-Identifier: Apache-2.0
package dev.varve.folder;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.checkpoint.Health;
import dev.varve.checkpoint.Rewind;
import dev.varve.checkpoint.Snapshot;
import dev.varve.tree.Tree;
import dev.varve.tree.TreeEntry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Looks whether all that the snapshots of a folder are made of is in the store. Trees are read;
/// contents are looked for.
final class FolderHealth {

  private static final int TOLD_MAX = 20;

  private final Store store;
  private final Set<BlobHash> sound = new HashSet<>();
  private final List<String> problems = new ArrayList<>();
  private int more;

  FolderHealth(Store store) {
    this.store = store;
  }

  Health of(Set<BlobHash> names, List<String> remarks, Rewind.@Nullable Begun begun) {
    for (BlobHash name : names) {
      Optional<Snapshot> snapshot = text(name).flatMap(CheckpointText::read);
      if (snapshot.isEmpty()) {
        problem(name.toString().substring(0, 12) + " is no snapshot that can be read.");
      } else {
        tree(
            snapshot.get().commit().substring(0, 12) + ": ", BlobHash.parse(snapshot.get().tree()));
      }
    }
    if (more > 0) {
      problems.add("… and " + more + " more");
    }
    if (begun != null) {
      problems.add("A " + begun.kind() + " of " + begun.paths() + " paths broke off.");
    }
    return new Health(names.size(), begun, problems, remarks);
  }

  private Optional<Payload> text(BlobHash name) {
    try {
      return Optional.of(store.get(name));
    } catch (StoreException.NotFound | StoreException.Corrupt | StoreException.TooLarge e) {
      return Optional.empty();
    }
  }

  private void problem(String what) {
    if (problems.size() < TOLD_MAX) {
      problems.add(what);
    } else {
      more++;
    }
  }

  private void tree(String where, BlobHash hash) {
    if (!sound.add(hash)) {
      return;
    }
    Tree tree;
    try {
      tree = Tree.read(store.get(hash));
    } catch (StoreException e) {
      problem(where + e.getMessage());
      return;
    }
    for (TreeEntry entry : tree.entries()) {
      String name = where + entry.name();
      if (entry.isDirectory()) {
        tree(name + "/", entry.hash());
      } else if (sound.add(entry.hash()) && !store.has(entry.hash())) {
        problem(name + ": its content " + entry.hash() + " is not in the store");
      }
    }
  }
}
