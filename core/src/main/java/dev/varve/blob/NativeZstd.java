// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import com.github.luben.zstd.Zstd;
import dev.varve.StoreException;

/// The native code of zstd. The code is unpacked into the folder for temporary files, which may be
/// full or forbid execution.
final class NativeZstd {

  private NativeZstd() {}

  /// Loads the code, unless it is there already.
  ///
  /// @throws StoreException.Io if the code cannot be loaded; later calls in this process fail too
  static void load() {
    try {
      if (Zstd.compressBound(1) <= 0) {
        throw new AssertionError("zstd has no bound for one byte");
      }
    } catch (LinkageError e) {
      String why = String.valueOf(e.getMessage()).lines().findFirst().orElse("unknown reason");
      throw new StoreException.Io(
          "zstd", "native code cannot be loaded through java.io.tmpdir: " + why, e);
    }
  }
}
