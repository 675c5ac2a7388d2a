// SPDX-License-Identifier: Apache-2.0
package dev.varve.cxdb;

import java.util.Optional;

/// Decompresses blobs.
@FunctionalInterface
public interface ZstdDecompressor {

  /// The raw bytes of a zstd frame, which need not declare the size of its content.
  ///
  /// @param rawSizeBytes the required number of raw bytes; no more memory may be taken
  /// @return empty if the frame does not have this number of raw bytes
  Optional<byte[]> decompress(byte[] frame, int rawSizeBytes);
}
