// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.bytes;

import dev.varve.Store;
import dev.varve.imports.LineReader;
import java.io.InputStream;

/// The bytes of an archived file, in the order of the file and in bounded memory.
public final class ArchivedLines {

  private ArchivedLines() {}

  /// The content as a stream of bytes: of a packed file, the bytes inside.
  public static InputStream stream(Store store, StoredContent content) {
    return content.pieces() == null
        ? store.read(content.hash())
        : new TranscriptParts(store, content, FreshLines.NONE).stream();
  }

  /// The lines of the first `sizeBytes` bytes.
  public static LineReader lines(
      Store store, StoredContent content, long sizeBytes, int lineBytesMax) {
    return new LineReader(stream(store, content), sizeBytes, lineBytesMax, -1, _ -> {});
  }
}
