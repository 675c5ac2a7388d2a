// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// The proof of an erasure.
///
/// @param run the number of the erasure in its store, counted from 1
/// @param plan the forecast that was carried out
/// @param hashes the names of all erased blobs
/// @param packBytes the size of `blobs.pack` before and after; of a store in a database, the stored
///   bytes of all blobs
public record EraseReceipt(
    UUID storeId,
    int run,
    Instant erasedAt,
    ErasePlan plan,
    List<BlobHash> hashes,
    PackBytes packBytes) {

  public EraseReceipt {
    hashes = List.copyOf(hashes);
  }

  /// Stored bytes.
  public record PackBytes(long before, long after) {}
}
