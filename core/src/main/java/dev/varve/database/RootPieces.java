// SPDX-License-Identifier: Apache-2.0
package dev.varve.database;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.chunk.ChunkList;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/// The rows of the pieces that a root list promises.
///
/// @param <X> the failure of a table
public interface RootPieces<X extends Exception> {

  /// The row of a list.
  Optional<EncodedBlob> find(BlobHash list) throws X;

  /// Returns whether the table has all of some chunks.
  boolean hasAll(Set<BlobHash> chunks) throws X;

  /// Refuses a root list of which an erasure has taken a list or a chunk.
  ///
  /// @throws StoreException.Conflict if a piece is not there
  static <X extends Exception> void require(EncodedBlob root, RootPieces<X> pieces) throws X {
    ChunkList lists = DatabaseBlobs.root(root);
    for (int i = 0; i < lists.count(); i++) {
      Optional<EncodedBlob> list = pieces.find(lists.hash(i));
      if (list.isEmpty() || !pieces.hasAll(chunks(list.get()))) {
        throw new StoreException.Conflict(
            "blob " + root.hash(), "the pieces that were put or found", "an erasure of some");
      }
    }
  }

  private static Set<BlobHash> chunks(EncodedBlob list) {
    ChunkList names =
        ChunkList.chunks(
            list.content(DatabaseBlobs.SIZES.maxBytes()).unsafeArray(), DatabaseBlobs.SIZES);
    Set<BlobHash> chunks = new HashSet<>();
    for (int i = 0; i < names.count(); i++) {
      chunks.add(names.hash(i));
    }
    return chunks;
  }
}
