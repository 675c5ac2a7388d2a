// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.blob.ZstdInput;
import java.io.IOException;
import java.io.InputStream;

/// Opens the content of a session's file.
final class FileContents {

  /// The most bytes that a packed file may hold.
  private static final long UNPACKED_BYTES_MAX = 1L << 40;

  private FileContents() {}

  /// The bytes of the file; of a packed file, the bytes inside.
  static InputStream open(HistoryFile file) throws IOException {
    InputStream bytes = file.source().open();
    return file.kind() == HistoryFile.Kind.PACKED_TRANSCRIPT
        ? ZstdInput.of(bytes, UNPACKED_BYTES_MAX)
        : bytes;
  }
}
