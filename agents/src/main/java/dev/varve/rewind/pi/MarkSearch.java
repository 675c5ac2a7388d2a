// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/// Finds sessions that cannot have a mark without parsing them. Most sessions have none.
final class MarkSearch {

  /// A text in the type of every mark. An escaped form of the text, which no program writes, would
  /// begin with `\\u`.
  private static final byte[] WORD = "rewind-".getBytes(US_ASCII);

  private static final int BUFFER_BYTES = 1 << 18;

  private MarkSearch() {}

  static boolean mayHaveMarks(Path file) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    int kept = 0;
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(buffer, kept, buffer.length - kept);
          read >= 0;
          read = in.read(buffer, kept, buffer.length - kept)) {
        int filled = kept + read;
        if (has(buffer, 0, filled)) {
          return true;
        }
        kept = Math.min(filled, WORD.length - 1);
        System.arraycopy(buffer, filled - kept, buffer, 0, kept);
      }
    }
    return false;
  }

  static boolean has(byte[] bytes, int from, int to) {
    for (int i = from; i + WORD.length <= to; i++) {
      if (bytes[i] == WORD[0]
          && java.util.Arrays.equals(bytes, i, i + WORD.length, WORD, 0, WORD.length)) {
        return true;
      }
    }
    return false;
  }
}
