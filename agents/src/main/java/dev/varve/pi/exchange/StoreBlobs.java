// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The blobs of a store.
public final class StoreBlobs implements BlobTarget {

  /// Reading more to find out whether a blob is whole takes long enough to be noticed.
  private static final long READ_BYTES_MAX = 16 << 20;

  private final Store store;
  private final String name;

  /// @param store closed with this
  /// @param name of the store, for messages
  public StoreBlobs(Store store, String name) {
    this.store = store;
    this.name = name;
  }

  @Override
  public Optional<Rest> open(BlobHash hash, long offset) {
    try {
      long from = Math.min(offset, store.sizeBytes(hash));
      long length = store.sizeBytes(hash) - from;
      return Optional.of(new Rest(store.read(hash, from, length), from));
    } catch (StoreException.NotFound e) {
      return Optional.empty();
    }
  }

  /// A blob of at most [#READ_BYTES_MAX] counts only if it can be read.
  @Override
  public Set<BlobHash> missing(List<BlobHash> hashes) {
    return hashes.stream()
        .filter(hash -> !store.isReadable(hash, READ_BYTES_MAX))
        .collect(Collectors.toSet());
  }

  @Override
  public void put(OutgoingBlob parcel) throws IOException {
    try (InputStream in = parcel.contents().open()) {
      store.put(in, parcel.hash());
    }
  }

  @Override
  public String describe() {
    return name;
  }

  @Override
  public void close() {
    store.close();
  }
}
