// SPDX-License-Identifier: Apache-2.0
package dev.varve.travel;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.branch.Branch;
import dev.varve.branch.Lineage;
import dev.varve.branch.Sidecar;
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
/// sidecar that names it, so that whoever has a sidecar has all that it leads to.
///
/// @param branch the branch itself
/// @param parcels each blob once
/// @param missing the first parent that is not here
public record Chain(BlobHash branch, List<Parcel> parcels, Optional<BlobHash> missing) {

  public Chain {
    parcels = List.copyOf(parcels);
  }

  /// Of a branch that is in a store, which stays open while the blobs are read.
  ///
  /// @throws StoreException.NotFound if the branch or its session is not
  /// @throws StoreException.Corrupt if a sidecar is none
  public static Chain of(BlobHash branch, Store store) {
    return of(branch, store, src -> () -> store.read(src));
  }

  /// Of a branch that is in a store, which is open only while a blob is copied out of it, into
  /// `folder`: the blobs may be read slowly.
  public static Chain of(BlobHash branch, Door store, Path folder) {
    Outgoing outgoing = new Outgoing(store, folder);
    return store.ask(in -> of(branch, in, src -> () -> outgoing.open(src)));
  }

  private static Chain of(
      BlobHash branch, Store store, Function<BlobHash, Parcel.Contents> sessions) {
    List<List<Parcel>> links = new ArrayList<>();
    @Nullable BlobHash next = branch;
    @Nullable BlobHash missing = null;
    while (next != null && missing == null) {
      Payload bytes;
      Sidecar sidecar;
      try {
        bytes = sidecar(next, store);
        sidecar = Sidecar.read(bytes, "branch " + next);
        BlobHash src = sidecar.src();
        Parcel session = new Parcel(src, store.sizeBytes(src), sessions.apply(src));
        links.add(List.of(session, parcel(next, bytes)));
        next = sidecar.parent();
      } catch (StoreException.NotFound e) {
        if (links.isEmpty()) {
          throw e;
        }
        missing = next;
      }
      if (links.size() > Budget.DEPTH_MAX) {
        throw new StoreException.TooLarge("line of parents", links.size(), Budget.DEPTH_MAX);
      }
    }
    return new Chain(branch, rootFirst(links), Optional.ofNullable(missing));
  }

  /// Of a session and its parents as they lie in Pi's folder.
  public static Chain of(Lineage lineage) {
    List<List<Parcel>> links = new ArrayList<>();
    for (Branch each : lineage.rootFirst().reversed()) {
      Parcel session = new Parcel(each.content().hash(), each.content().sizeBytes(), each::open);
      links.add(List.of(session, parcel(each.hash(), each.bytes())));
    }
    Optional<BlobHash> missing =
        Optional.ofNullable(lineage.rootFirst().getFirst().parent()); // remembered, but not here
    return new Chain(lineage.hash(), rootFirst(links), missing);
  }

  private static Payload sidecar(BlobHash hash, Store store) {
    if (store.sizeBytes(hash) > Sidecar.SIZE_BYTES_MAX) {
      throw new StoreException.Corrupt("blob " + hash, 0, "a branch sidecar", "a large blob");
    }
    return store.get(hash);
  }

  private static Parcel parcel(BlobHash hash, Payload bytes) {
    return new Parcel(hash, bytes.sizeBytes(), () -> new ByteArrayInputStream(bytes.unsafeArray()));
  }

  private static List<Parcel> rootFirst(List<List<Parcel>> links) {
    Map<BlobHash, Parcel> once = new LinkedHashMap<>();
    for (List<Parcel> link : links.reversed()) {
      link.forEach(parcel -> once.putIfAbsent(parcel.hash(), parcel));
    }
    return new ArrayList<>(once.values());
  }
}
