// SPDX-License-Identifier: Apache-2.0
package dev.varve.chunk;

import dev.varve.BlobHash;
import dev.varve.hash.Blake3;

/// Cuts content into chunks where the content itself says so, so that what is inserted or appended
/// moves few cuts.
///
/// FastCDC with normalised chunking of level 2. The rule, in full: `docs/format/chunk-lists.md`.
///
/// Source: Xia, Zhou, Jiang, Feng, Hua, Hu, Zhang, Liu: *FastCDC: a fast and efficient
/// content-defined chunking approach for data deduplication*, USENIX ATC 2016.
public final class ContentChunker {

  /// By how many bits cutting is harder below the average size and easier above it.
  private static final int NORMALISATION = 2;

  /// For each byte 64 bits that look random: the first eight of the byte's own BLAKE3 hash,
  /// little-endian.
  private static final long[] GEAR = gear();

  private final ChunkSizes sizes;
  private final long hard;
  private final long easy;
  private final long list;

  public ContentChunker(ChunkSizes sizes) {
    this.sizes = sizes;
    int bits = Integer.numberOfTrailingZeros(sizes.averageBytes());
    hard = highest(bits + NORMALISATION);
    easy = highest(bits - NORMALISATION);
    list = sizes.averageEntries() - 1L;
  }

  private static long[] gear() {
    long[] gear = new long[256];
    for (int value = 0; value < gear.length; value++) {
      gear[value] = Blake3.hash(new byte[] {(byte) value}).w0();
    }
    return gear;
  }

  private static long highest(int bits) {
    return bits <= 0 ? 0 : -1L << (Long.SIZE - bits);
  }

  /// The size of the chunk that begins at `offset`.
  ///
  /// @param length how many bytes there are from `offset` on: all that is left of the content, or
  ///   at least the largest chunk's size
  public int cut(byte[] bytes, int offset, int length) {
    int end = Math.min(length, sizes.maxBytes());
    int normal = Math.min(end, sizes.averageBytes());
    int at = sizes.minBytes();
    long rolling = 0;
    while (at < normal) {
      rolling = (rolling << 1) + GEAR[bytes[offset + at++] & 0xff];
      if ((rolling & hard) == 0) {
        return at;
      }
    }
    while (at < end) {
      rolling = (rolling << 1) + GEAR[bytes[offset + at++] & 0xff];
      if ((rolling & easy) == 0) {
        return at;
      }
    }
    return end;
  }

  /// Returns whether a list ends behind its `count`-th chunk.
  ///
  /// @param listedBytes how many bytes the list stands for with this chunk
  public boolean endsList(BlobHash chunk, int count, long listedBytes) {
    return count >= sizes.maxEntries()
        || count >= sizes.minEntries()
            && listedBytes >= sizes.listBytesMin()
            && (chunk.w3() & list) == 0;
  }
}
