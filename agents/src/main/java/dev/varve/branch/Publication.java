// SPDX-License-Identifier: Apache-2.0
package dev.varve.branch;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// Branches in a store and in the index of this computer.
///
/// A session's bytes and its sidecar are blobs of the store, so they outlive the file. Bytes that
/// are stored for the first time are read again, and must have the hash that the session was given.
public final class Publication implements KnownBranches {

  private final Store store;
  private final BranchIndex index;
  private final SequencedMap<BlobHash, Path> entering = new LinkedHashMap<>();
  private @Nullable Map<String, List<BlobHash>> byPath;

  public Publication(Store store, BranchIndex index) {
    this.store = store;
    this.index = index;
  }

  /// Puts every branch of `lineage` into the store, root first. [#enter()] then tells the index.
  ///
  /// @return how many blobs the store did not have yet
  /// @throws StoreException.Conflict if a session's bytes are no longer those that were hashed
  /// @throws StoreException.TooLarge if a session is larger than the store takes
  public int add(Lineage lineage) {
    int added = 0;
    for (Branch branch : lineage.rootFirst()) {
      added += keep(branch);
      entering.remove(branch.hash());
      entering.put(branch.hash(), branch.session());
    }
    return added;
  }

  /// Enters what was added into the index, in one step. When it returns, the index is on the disk:
  /// it is called once the blobs are.
  public void enter() {
    if (!entering.isEmpty()) {
      index.add(entering);
      entering.clear();
      byPath = null;
    }
  }

  private int keep(Branch branch) {
    int added = 0;
    if (!store.has(branch.content().hash())) {
      putSession(branch);
      added++;
    }
    if (!store.has(branch.hash())) {
      store.put(branch.bytes());
      added++;
    }
    return added;
  }

  private void putSession(Branch branch) {
    try (InputStream in = branch.open()) {
      store.put(in, branch.content().hash());
    } catch (StoreException.Invalid e) {
      throw new StoreException.Conflict(
          branch.session().toString(),
          "bytes with the hash " + branch.content().hash(),
          "others: it was rewritten since it was hashed");
    } catch (IOException e) {
      throw new StoreException.Io(branch.session().toString(), "cannot be read", e);
    }
  }

  /// The sidecars that the index and the store know of `session`, the last published first. What
  /// the store lost or cannot read counts as not known.
  @Override
  public List<Payload> of(Path session) {
    List<Payload> sidecars = new ArrayList<>();
    List<BlobHash> hashes = byPath().getOrDefault(session.toString(), List.of());
    for (BlobHash hash : hashes.reversed()) {
      try {
        Payload bytes = store.get(hash);
        Sidecar.read(bytes, hash.toString());
        sidecars.add(bytes);
      } catch (StoreException.NotFound | StoreException.Corrupt | StoreException.FormatTooNew e) {
        // it is computed again
      }
    }
    return sidecars;
  }

  private Map<String, List<BlobHash>> byPath() {
    if (byPath == null) {
      Map<String, List<BlobHash>> paths = new HashMap<>();
      index
          .read()
          .forEach((hash, path) -> paths.computeIfAbsent(path, _ -> new ArrayList<>()).add(hash));
      byPath = paths;
    }
    return byPath;
  }
}
