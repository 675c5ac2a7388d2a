// SPDX-License-Identifier: Apache-2.0
package dev.varve.database;

import dev.varve.BlobHash;
import dev.varve.PutOutcome;
import dev.varve.StoreException;
import java.util.List;
import java.util.Optional;

/// The table of blobs in some database.
public interface BlobRows {

  /// Keeps rows; damaged rows of the same names are replaced. All are durable on return. A row that
  /// is a root list counts only once the rows before are kept.
  ///
  /// @return an outcome for each row, in any order but for the last row's, which is the last
  List<PutOutcome> keep(List<EncodedBlob> rows);

  /// A number that rises whenever blobs are taken out of the table.
  default int erasures() {
    return 0;
  }

  /// Keeps a root list whose pieces were kept or found in the table one after the other.
  ///
  /// @param since [#erasures] before the first of them was
  /// @throws StoreException.Conflict if an erasure has taken one of them meanwhile
  default PutOutcome keepRoot(EncodedBlob root, int since) {
    return keep(List.of(root)).getLast();
  }

  /// The row of a blob.
  Optional<EncodedBlob> find(BlobHash hash);

  /// The refusal where a blob is not in the table.
  default StoreException.NotFound absent(BlobHash hash) {
    return new StoreException.NotFound("blob", hash.toString());
  }

  /// Returns whether there is a row of this name that can be read again later.
  boolean has(BlobHash hash);

  /// The names among some that have no row, in the order in which they are given.
  default List<BlobHash> lacking(List<BlobHash> hashes) {
    return hashes.stream().filter(hash -> !has(hash)).toList();
  }

  /// The size of a blob's content.
  ///
  /// @throws StoreException.NotFound if there is no such blob
  long sizeBytes(BlobHash hash);
}
