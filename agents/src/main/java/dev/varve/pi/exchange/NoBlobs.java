// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import dev.varve.BlobHash;
import java.util.Optional;

/// A source that has nothing, for who asks no more than what its own store has.
///
/// @param describe names where was looked
public record NoBlobs(String describe) implements BlobSource {

  @Override
  public Optional<Rest> open(BlobHash hash, long offset) {
    return Optional.empty();
  }

  @Override
  public void close() {}
}
