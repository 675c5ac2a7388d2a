// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import dev.varve.StoreException;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;

/// A file and its copy. For one thread.
public final class FilePair {

  private static final int STEP_BYTES = 1 << 20;

  private final DiskFile original;
  private final DiskFile copy;
  private final ByteBuffer originalBytes = ByteBuffer.allocate(STEP_BYTES);
  private final ByteBuffer copyBytes = ByteBuffer.allocate(STEP_BYTES);

  /// Pairs two open files, which stay the caller's.
  public FilePair(DiskFile original, DiskFile copy) {
    this.original = original;
    this.copy = copy;
  }

  /// The first offset at which the copy has other bytes than the original, or ends; -1 if the copy
  /// is the same.
  ///
  /// @param passed hears how many bytes were compared, again and again
  /// @throws StoreException.Corrupt if the original is shorter than `end`
  public long firstDifference(long from, long end, LongConsumer passed) {
    for (long at = from; at < end; ) {
      int length = readBoth(at, end);
      int different = originalBytes.mismatch(copyBytes);
      if (different >= 0) {
        return at + different;
      }
      at += length;
      passed.accept(length);
    }
    return -1;
  }

  /// Makes the copy equal to the original. Bytes that the copy has already are not written again.
  ///
  /// @param passed hears how many bytes were copied, again and again
  /// @return how many bytes were written
  /// @throws StoreException.Corrupt if the original is shorter than `end`
  public long copy(long from, long end, LongConsumer passed) {
    long written = 0;
    for (long at = from; at < end; ) {
      int length = readBoth(at, end);
      if (originalBytes.mismatch(copyBytes) >= 0) {
        copy.write(at, originalBytes);
        written += length;
      }
      at += length;
      passed.accept(length);
    }
    return written;
  }

  private int readBoth(long at, long end) {
    int length = (int) Math.min(STEP_BYTES, end - at);
    originalBytes.clear().limit(length);
    copyBytes.clear().limit(length);
    int found = original.read(at, originalBytes);
    if (found < length) {
      throw new StoreException.Corrupt(
          original.name(), at + Math.max(0, found), "more bytes, up to " + end, "the end");
    }
    copy.read(at, copyBytes);
    originalBytes.flip();
    copyBytes.flip();
    return length;
  }
}
