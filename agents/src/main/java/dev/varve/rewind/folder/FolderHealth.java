// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.folder;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.rewind.ArchiveHealth;
import dev.varve.rewind.Snapshot;
import dev.varve.rewind.UnfinishedRestore;
import dev.varve.tree.Tree;
import dev.varve.tree.TreeEntry;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A check of everything that the snapshots of a folder need: trees and contents are read to their
/// last byte, each once, and the store verifies them.
final class FolderHealth {

  private static final int LISTED_MAX = 20;

  private final Store store;
  private final Set<BlobHash> sound = new HashSet<>();
  private final List<String> problems = new ArrayList<>();
  private int more;

  FolderHealth(Store store) {
    this.store = store;
  }

  ArchiveHealth of(Set<BlobHash> names, List<String> remarks, @Nullable UnfinishedRestore begun) {
    for (BlobHash name : names) {
      Optional<Snapshot> snapshot = text(name).flatMap(SnapshotPayload::read);
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
    return new ArchiveHealth(names.size(), begun, problems, remarks);
  }

  private Optional<Payload> text(BlobHash name) {
    try {
      return Optional.of(store.get(name));
    } catch (StoreException.NotFound | StoreException.Corrupt | StoreException.TooLarge e) {
      return Optional.empty();
    }
  }

  private void problem(String what) {
    if (problems.size() < LISTED_MAX) {
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
      } else if (sound.add(entry.hash())) {
        content(name, entry.hash());
      }
    }
  }

  private void content(String name, BlobHash hash) {
    try (InputStream in = store.read(hash)) {
      in.transferTo(OutputStream.nullOutputStream());
    } catch (StoreException.NotFound e) {
      problem(name + ": its content " + hash + " is not in the store");
    } catch (StoreException e) {
      problem(name + ": " + e.getMessage());
    } catch (IOException e) {
      problem(name + ": its content " + hash + " cannot be read: " + e.getMessage());
    }
  }
}
