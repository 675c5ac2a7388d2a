// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/// A session file: lines of JSON, mostly tool results, no two alike.
final class SampleSessions {

  private SampleSessions() {}

  /// The first `sizeBytes` bytes of a session that never ends, always the same.
  static byte[] of(int sizeBytes) {
    byte[] session = new byte[sizeBytes];
    SplittableRandom random = new SplittableRandom(1);
    int at = 0;
    for (long entry = 0; at < sizeBytes; entry++) {
      byte[] line = SamplePayloads.of(entry, 200 + random.nextInt(random.nextInt(9_000) + 1));
      byte[] salt = String.format("%016x\n", random.nextLong()).getBytes(StandardCharsets.US_ASCII);
      at = copy(line, session, at);
      at = copy(salt, session, at);
    }
    return session;
  }

  private static int copy(byte[] from, byte[] to, int at) {
    int length = Math.min(from.length, to.length - at);
    System.arraycopy(from, 0, to, at, length);
    return at + length;
  }

  /// The content of the file that `--file` names, or else a session of `--mb` megabytes.
  static byte[] chosen(BenchOptions options) throws IOException {
    String file = options.get("file", "");
    return file.isEmpty()
        ? of(options.get("mb", 50) * 1_000_000)
        : Files.readAllBytes(Path.of(file));
  }
}
