// SPDX-License-Identifier: Apache-2.0
package dev.varve.copy;

/// The amounts of a store's content that are listed and handed over at once.
///
/// @param items the most blobs, contexts or turns
/// @param bytes the most bytes of small blobs
/// @param wholeBytes a blob of at most this size is never kept as chunks
record CopyBatch(int items, long bytes, long wholeBytes) {

  static final CopyBatch DEFAULTS = new CopyBatch(1_000, 4 << 20, 64 << 10);
}
