// SPDX-License-Identifier: Apache-2.0
package dev.varve.database;

import dev.varve.BlobHash;
import dev.varve.PutOutcome;
import java.util.List;
import java.util.Optional;

/// The table of blobs in some database.
public interface BlobRows {

  /// Keeps rows; damaged rows of the same names are replaced. All are durable on return. A row that
  /// is a root list counts only once the rows before are kept.
  ///
  /// @return an outcome for each row, in any order but for the last row's, which is the last
  List<PutOutcome> keep(List<EncodedBlob> rows);

  /// The row of a blob.
  Optional<EncodedBlob> find(BlobHash hash);

  /// Returns whether there is a row of this name that can be read again later.
  boolean has(BlobHash hash);

  /// The size of a blob's content.
  ///
  /// @throws dev.varve.StoreException.NotFound if there is no such blob
  long sizeBytes(BlobHash hash);
}
