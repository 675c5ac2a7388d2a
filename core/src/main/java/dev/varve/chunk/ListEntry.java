// SPDX-License-Identifier: Apache-2.0
package dev.varve.chunk;

import dev.varve.BlobHash;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// One entry of a list: a blob in one piece, and how many bytes of the large blob it stands for.
///
/// Page: `docs/format/chunk-lists.md`.
///
/// @param length includes the line feed
/// @param lineFeed whether a line feed follows the blob
record ListEntry(BlobHash hash, long length, boolean lineFeed) {

  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  static final StructLayout ENTRY =
      MemoryLayout.structLayout(
          MemoryLayout.sequenceLayout(BlobHash.SIZE_BYTES, ValueLayout.JAVA_BYTE).withName("hash"),
          U32.withName("length"));

  static final int SIZE_BYTES = 36;

  /// Set in `length` where a line feed follows.
  private static final long LINE_FEED = 1L << 31;

  /// An entry without a line feed.
  ListEntry(BlobHash hash, long length) {
    this(hash, length, false);
  }

  void write(MemorySegment target, long offset) {
    hash.write(target, offset);
    target.set(U32, offset + BlobHash.SIZE_BYTES, (int) (length | (lineFeed ? LINE_FEED : 0)));
  }

  static BlobHash hash(MemorySegment list, int index) {
    return BlobHash.read(list, (long) index * SIZE_BYTES);
  }

  /// The length as it stands in a root list, where no line feed can follow.
  static long length(MemorySegment list, int index) {
    return Integer.toUnsignedLong(list.get(U32, (long) index * SIZE_BYTES + BlobHash.SIZE_BYTES));
  }

  /// The length of a chunk, without what says that a line feed follows.
  static long chunkLength(MemorySegment list, int index) {
    return length(list, index) & ~LINE_FEED;
  }

  static boolean lineFeed(MemorySegment list, int index) {
    return (length(list, index) & LINE_FEED) != 0;
  }
}
