// SPDX-License-Identifier: Apache-2.0
package dev.varve.cxdb;

import java.util.Optional;

/// Takes the compression from a blob.
@FunctionalInterface
public interface ZstdDecompressor {

  /// The raw bytes of a zstd frame, which need not name its content's size.
  ///
  /// @param rawSizeBytes what must come out; no more memory than that may be taken
  /// @return empty if anything else comes out
  Optional<byte[]> decompress(byte[] frame, int rawSizeBytes);
}
