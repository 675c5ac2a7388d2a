// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.folder;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.access.StoreAccess;
import dev.varve.tree.Tree;
import dev.varve.tree.TreeEntry;
import dev.varve.tree.TreeLimits;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Lets snapshots go in a store that deletes nothing: their turns get a tombstone, so that no list
/// and no session has them any more. Their bytes stay, and can be counted.
final class SnapshotRemoval {

  /// The number of turns that are marked before other processes may have the store.
  private static final int SHARE = 500;

  private final Store store;
  private final Set<BlobHash> met = new HashSet<>();

  SnapshotRemoval(Store store) {
    this.store = store;
  }

  /// Marks the turns of snapshots as deleted, one after the other: one that fails keeps what is not
  /// marked yet. If none would be left, nothing is done.
  ///
  /// @return the snapshots that were kept until now; durable on return
  static Set<String> drop(StoreAccess access, SnapshotContext context, Set<String> unwanted) {
    List<TurnId> turns = new ArrayList<>();
    Set<String> dropped = new LinkedHashSet<>();
    try (Store store = access.open()) {
      Map<BlobHash, List<TurnId>> kept = context.kept(store);
      kept.forEach(
          (name, its) -> {
            if (unwanted.contains(name.toString()) && dropped.add(name.toString())) {
              turns.addAll(its);
            }
          });
      if (dropped.size() == kept.size()) {
        return Set.of();
      }
    }
    for (int i = 0; i < turns.size(); i += SHARE) {
      try (Store store = access.open()) {
        mark(store, turns.subList(i, Math.min(turns.size(), i + SHARE)));
      }
    }
    return dropped;
  }

  /// Marks turns all at once, so that they become durable together.
  private static void mark(Store store, List<TurnId> turns) {
    try (ExecutorService all = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Long>> marks = new ArrayList<>();
      turns.forEach(turn -> marks.add(all.submit(() -> store.tombstone(turn))));
      for (Future<Long> mark : marks) {
        mark.get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StoreException refusal) {
        throw refusal;
      }
      throw new AssertionError(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException.Io("letting snapshots go", "interrupted", e);
    }
  }

  /// The number of bytes, uncompressed, that snapshots have and no other snapshots of their folder
  /// have. Other things in the store are not looked at, and may share some of these bytes.
  ///
  /// @param kept the snapshots of the folder, or some of them
  /// @param names the snapshots whose bytes are counted; they count as removed from `kept`
  long retainedBytes(Collection<BlobHash> kept, Set<String> names) {
    kept.stream().filter(name -> !names.contains(name.toString())).forEach(this::snapshot);
    return names.stream().mapToLong(name -> snapshot(BlobHash.parse(name))).sum();
  }

  /// The bytes of a snapshot that were not met before. A lost or damaged snapshot has none.
  private long snapshot(BlobHash name) {
    try {
      long sizeBytes = store.sizeBytes(name);
      return SnapshotPayload.read(store.get(name))
          .map(found -> sizeBytes + tree(BlobHash.parse(found.tree()), 1))
          .orElse(0L);
    } catch (StoreException.NotFound | StoreException.Corrupt | StoreException.TooLarge e) {
      return 0;
    }
  }

  private long tree(BlobHash hash, int depth) {
    if (depth > TreeLimits.DEFAULTS.depth() || !met.add(hash)) {
      return 0;
    }
    try {
      long sizeBytes = store.sizeBytes(hash);
      for (TreeEntry entry : Tree.read(store.get(hash)).entries()) {
        if (entry.isDirectory()) {
          sizeBytes += tree(entry.hash(), depth + 1);
        } else if (met.add(entry.hash())) {
          sizeBytes += entry.sizeBytes();
        }
      }
      return sizeBytes;
    } catch (StoreException.NotFound
        | StoreException.Corrupt
        | StoreException.Invalid
        | StoreException.TooLarge e) {
      return 0;
    }
  }
}
