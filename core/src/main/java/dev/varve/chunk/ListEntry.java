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
record ListEntry(BlobHash hash, long length) {

  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  static final StructLayout ENTRY =
      MemoryLayout.structLayout(
          MemoryLayout.sequenceLayout(BlobHash.SIZE_BYTES, ValueLayout.JAVA_BYTE).withName("hash"),
          U32.withName("length"));

  static final int SIZE_BYTES = 36;

  void write(MemorySegment target, long offset) {
    hash.write(target, offset);
    target.set(U32, offset + BlobHash.SIZE_BYTES, (int) length);
  }

  static BlobHash hash(MemorySegment list, int index) {
    return BlobHash.read(list, (long) index * SIZE_BYTES);
  }

  static long length(MemorySegment list, int index) {
    return Integer.toUnsignedLong(list.get(U32, (long) index * SIZE_BYTES + BlobHash.SIZE_BYTES));
  }
}
