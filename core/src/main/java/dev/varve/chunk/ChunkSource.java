// SPDX-License-Identifier: Apache-2.0
package dev.varve.chunk;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreException;

/// Where chunks and lists come from.
@FunctionalInterface
public interface ChunkSource {

  /// The bytes of a blob that is kept in one piece, verified.
  ///
  /// @param bytesMax the most it may have; no memory is taken for more
  /// @throws StoreException.NotFound if it is not there
  /// @throws StoreException.Invalid if it is larger, or not in one piece
  /// @throws StoreException.Corrupt if it is damaged
  Payload get(BlobHash hash, int bytesMax);
}
