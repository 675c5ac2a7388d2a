// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.access.StoreVisits;
import dev.varve.pi.branch.Branch;
import dev.varve.pi.branch.BranchLineage;
import dev.varve.pi.branch.Sidecar;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The blobs of a branch and its parents, ready to be sent: root first, and each session before the
/// sidecar that names it, so that a receiver that has a sidecar has everything to which the sidecar
/// leads.
///
/// @param branch the branch itself
/// @param parcels each blob once
/// @param missing the first parent that is absent
public record BranchChain(BlobHash branch, List<OutgoingBlob> parcels, Optional<BlobHash> missing) {

  public BranchChain {
    parcels = List.copyOf(parcels);
  }

  /// Of a branch that is in a store, which stays open while the blobs are read.
  ///
  /// @throws StoreException.NotFound if the branch or its session is not
  /// @throws StoreException.Corrupt if a sidecar is none
  public static BranchChain of(BlobHash branch, Store store) {
    return of(branch, store, src -> () -> store.read(src));
  }

  /// Of a branch that is in a store, which is open only while a blob is copied out of it, into
  /// `folder`: the blobs may be read slowly.
  public static BranchChain of(BlobHash branch, StoreVisits store, Path folder) {
    OutgoingSpool outgoing = new OutgoingSpool(store, folder);
    return store.ask(in -> of(branch, in, src -> () -> outgoing.open(src)));
  }

  private static BranchChain of(
      BlobHash branch, Store store, Function<BlobHash, OutgoingBlob.Contents> sessions) {
    List<List<OutgoingBlob>> links = new ArrayList<>();
    @Nullable BlobHash next = branch;
    @Nullable BlobHash missing = null;
    while (next != null && missing == null) {
      Payload bytes;
      Sidecar sidecar;
      try {
        bytes = sidecar(next, store);
        sidecar = Sidecar.read(bytes, "branch " + next);
        BlobHash src = sidecar.src();
        OutgoingBlob session = new OutgoingBlob(src, store.sizeBytes(src), sessions.apply(src));
        links.add(List.of(session, parcel(next, bytes)));
        next = sidecar.parent();
      } catch (StoreException.NotFound e) {
        if (links.isEmpty()) {
          throw e;
        }
        missing = next;
      }
      if (links.size() > TransferBudget.DEPTH_MAX) {
        throw new StoreException.TooLarge(
            "line of parents", links.size(), TransferBudget.DEPTH_MAX);
      }
    }
    return new BranchChain(branch, rootFirst(links), Optional.ofNullable(missing));
  }

  /// Of a session and its parents as they lie in Pi's folder.
  public static BranchChain of(BranchLineage lineage) {
    List<List<OutgoingBlob>> links = new ArrayList<>();
    for (Branch each : lineage.rootFirst().reversed()) {
      OutgoingBlob session =
          new OutgoingBlob(each.content().hash(), each.content().sizeBytes(), each::open);
      links.add(List.of(session, parcel(each.hash(), each.bytes())));
    }
    Optional<BlobHash> missing =
        Optional.ofNullable(lineage.rootFirst().getFirst().parent()); // remembered, but not here
    return new BranchChain(lineage.hash(), rootFirst(links), missing);
  }

  private static Payload sidecar(BlobHash hash, Store store) {
    if (store.sizeBytes(hash) > Sidecar.SIZE_BYTES_MAX) {
      throw new StoreException.Corrupt("blob " + hash, 0, "a branch sidecar", "a large blob");
    }
    return store.get(hash);
  }

  private static OutgoingBlob parcel(BlobHash hash, Payload bytes) {
    return new OutgoingBlob(
        hash, bytes.sizeBytes(), () -> new ByteArrayInputStream(bytes.unsafeArray()));
  }

  private static List<OutgoingBlob> rootFirst(List<List<OutgoingBlob>> links) {
    Map<BlobHash, OutgoingBlob> once = new LinkedHashMap<>();
    for (List<OutgoingBlob> link : links.reversed()) {
      link.forEach(parcel -> once.putIfAbsent(parcel.hash(), parcel));
    }
    return new ArrayList<>(once.values());
  }
}
