// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

import dev.varve.BlobHash;
import dev.varve.hash.Blake3;
import java.io.IOException;

/// Hashes of some bytes of a file, cheap to take and unlikely to survive a change.
///
/// A migration rewrites the header; a rewritten or reordered file has other bytes before its end;
/// what is put in or taken out anywhere moves all bytes behind it, and so the samples. A change
/// that keeps every length and misses all of them stays unseen: only a full reading finds it.
///
/// @param start of the first line, up to 4 KiB
/// @param end of the last 4 KiB
/// @param samples of 16 times 64 bytes, spread evenly
/// @param startBytes how many bytes `start` is of
public record SpotHashes(BlobHash start, BlobHash end, BlobHash samples, int startBytes) {

  /// The most bytes of a first line that are hashed.
  public static final int START_BYTES_MAX = 4 << 10;

  static final int END_BYTES = 4 << 10;
  static final int SAMPLES = 16;
  static final int SAMPLE_BYTES = 64;

  /// The most bytes that are read to take them.
  public static final int BYTES_MAX = START_BYTES_MAX + END_BYTES + SAMPLES * SAMPLE_BYTES;

  /// Takes those of the first `sizeBytes` bytes of `file`.
  public static SpotHashes of(CountedFile file, long sizeBytes) throws IOException {
    byte[] start = file.read(0, (int) Math.min(START_BYTES_MAX, sizeBytes));
    int startBytes = 0;
    while (startBytes < start.length && start[startBytes] != '\n') {
      startBytes++;
    }
    return of(file, sizeBytes, Blake3.hash(start, 0, startBytes), startBytes);
  }

  /// True if the first `sizeBytes` bytes of `file` still have these hashes.
  public boolean hold(CountedFile file, long sizeBytes) throws IOException {
    BlobHash found = Blake3.hash(file.read(0, startBytes));
    return found.equals(start) && of(file, sizeBytes, start, startBytes).equals(this);
  }

  private static SpotHashes of(CountedFile file, long sizeBytes, BlobHash start, int startBytes)
      throws IOException {
    int endBytes = (int) Math.min(END_BYTES, sizeBytes);
    BlobHash end = Blake3.hash(file.read(sizeBytes - endBytes, endBytes));
    Blake3 samples = new Blake3();
    for (int i = 0; i < SAMPLES; i++) {
      long at = sizeBytes / SAMPLES * i;
      samples.update(file.read(at, (int) Math.min(SAMPLE_BYTES, sizeBytes - at)));
    }
    return new SpotHashes(start, end, samples.digest(), startBytes);
  }
}
