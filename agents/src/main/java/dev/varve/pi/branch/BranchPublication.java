// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.branch;

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
/// A session's bytes and its sidecar are blobs of the store, so they outlive the file. A session
/// that is stored for the first time is read as a whole, and must have the hash that it was given.
/// So is a small one that grew; of one that had [#GROWN_FROM_BYTES] only what was appended is read.
public final class BranchPublication implements KnownBranches {

  /// Below that reading everything takes no time that anybody notices, and proves more.
  static final long GROWN_FROM_BYTES = 16 << 20;

  private final Store store;
  private final BranchIndex index;
  private final Proof proof;
  private final long grownFromBytes;
  private final SequencedMap<BlobHash, Path> entering = new LinkedHashMap<>();
  private @Nullable Map<String, List<BlobHash>> byPath;

  /// The proof that the store has a blob that is there already.
  public enum Proof {
    /// Its size, and of at most [#GROWN_FROM_BYTES] its bytes.
    CHEAP,
    /// Its bytes.
    ALL_BYTES
  }

  public BranchPublication(Store store, BranchIndex index) {
    this(store, index, Proof.CHEAP);
  }

  public BranchPublication(Store store, BranchIndex index, Proof proof) {
    this(store, index, proof, GROWN_FROM_BYTES);
  }

  BranchPublication(Store store, BranchIndex index, Proof proof, long grownFromBytes) {
    this.proof = proof;
    this.grownFromBytes = grownFromBytes;
    this.store = store;
    this.index = index;
  }

  /// Puts every branch of `lineage` into the store, root first. [#enter()] then updates the index.
  ///
  /// @return how many blobs the store did not have yet
  /// @throws StoreException.Conflict if a session's bytes are no longer those that were hashed
  /// @throws StoreException.TooLarge if a session is larger than the store takes
  public int add(BranchLineage lineage) {
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
    if (!isReadable(branch.content().hash(), branch.content().sizeBytes())) {
      putSession(branch);
      added++;
    }
    if (!isReadable(branch.hash(), branch.bytes().sizeBytes())) {
      store.put(branch.bytes());
      added++;
    }
    return added;
  }

  /// True if the store has a blob and can give its bytes. That the blob's record is there proves
  /// neither: its chunks may be gone or damaged. The size is compared always; the bytes are read,
  /// and so verified, as the proof says.
  private boolean isReadable(BlobHash hash, long sizeBytes) {
    try {
      if (!store.has(hash) || store.sizeBytes(hash) != sizeBytes) {
        return false;
      }
      return store.isReadable(hash, proof == Proof.ALL_BYTES ? Long.MAX_VALUE : grownFromBytes);
    } catch (StoreException.NotFound | StoreException.Corrupt e) {
      return false; // putting the good bytes heals it
    }
  }

  private void putSession(Branch branch) {
    try {
      if (!putGrown(branch)) {
        putWhole(branch);
      }
    } catch (StoreException.Invalid e) {
      throw new StoreException.Conflict(
          branch.session().toString(),
          "bytes with the hash " + branch.content().hash(),
          "others: it was rewritten since it was hashed");
    } catch (IOException e) {
      throw new StoreException.Io(branch.session().toString(), "cannot be read", e);
    }
  }

  private void putWhole(Branch branch) throws IOException {
    try (InputStream in = branch.open()) {
      store.put(in, branch.content().hash());
    }
  }

  /// A large session that the store has as it was before costs what was appended.
  private boolean putGrown(Branch branch) throws IOException {
    HashedSession.Base base = branch.content().base();
    if (base == null || base.sizeBytes() < grownFromBytes || !store.has(base.hash())) {
      return false;
    }
    try (InputStream in = branch.open(base.sizeBytes())) {
      store.putGrown(base.hash(), base.state().unsafeArray(), in, branch.content().hash());
      return true;
    } catch (StoreException.Corrupt | StoreException.NotFound e) {
      return false; // putting the whole heals it
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
