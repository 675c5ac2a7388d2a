// SPDX-License-Identifier: Apache-2.0
package dev.varve.journal;

import dev.varve.disk.LittleEndian;
import dev.varve.format.Example;
import java.lang.foreign.MemorySegment;

/// Positions that the tests of this room use.
final class Positions {

  /// Behind the first commit of the example store, the blob `hello`.
  static final StorePosition WITH_HELLO =
      new StorePosition(
          1,
          StorePosition.Numbers.atLimits(1, 1),
          new StorePosition.Ends(57, 1, 0, 0, 0, 0, 0),
          new StorePosition.Counts(0, 1, 5, 57));

  private Positions() {}

  /// A position in which no two numbers are the same.
  static StorePosition distinct(long from, long batchSeq) {
    return new StorePosition(
        batchSeq,
        new StorePosition.Numbers(from + 1, from + 2, from + 3, from + 4),
        new StorePosition.Ends(
            from + 5, from + 6, from + 7, from + 8, from + 9, from + 10, from + 11),
        new StorePosition.Counts(from + 12, from + 13, from + 14, from + 15));
  }

  /// The record of the blob `hello`, as `docs/format/blobs-pack.md` shows it. This room does not
  /// know records, so it is put together here.
  static byte[] helloRecord() {
    byte[] record = new byte[57];
    MemorySegment bytes = MemorySegment.ofArray(record);
    bytes.set(LittleEndian.U32, 0, 0x42534C42);
    bytes.set(LittleEndian.U16, 4, (short) 1);
    bytes.set(LittleEndian.U32, 8, 5);
    bytes.set(LittleEndian.U32, 12, 5);
    Example.HELLO_HASH.write(bytes, 16);
    System.arraycopy(Example.HELLO.bytes(), 0, record, 48, 5);
    bytes.set(LittleEndian.U32, 53, LittleEndian.crc32(bytes, 0, 53));
    return record;
  }

  /// Its entry, as `docs/format/blobs-idx.md` shows it.
  static byte[] helloEntry() {
    byte[] entry = new byte[52];
    MemorySegment bytes = MemorySegment.ofArray(entry);
    Example.HELLO_HASH.write(bytes, 0);
    bytes.set(LittleEndian.U32, 40, 5);
    bytes.set(LittleEndian.U32, 44, 5);
    bytes.set(LittleEndian.U16, 50, (short) LittleEndian.crc32(bytes, 0, 50));
    return entry;
  }
}
