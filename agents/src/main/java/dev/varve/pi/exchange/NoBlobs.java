// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import dev.varve.BlobHash;
import java.util.Optional;

/// A source without blobs, for callers that need only the blobs of their own store.
///
/// @param describe names the place that was searched
public record NoBlobs(String describe) implements BlobSource {

  @Override
  public Optional<Rest> open(BlobHash hash, long offset) {
    return Optional.empty();
  }

  @Override
  public void close() {}
}
