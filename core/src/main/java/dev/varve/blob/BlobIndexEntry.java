// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import static dev.varve.disk.LittleEndian.U16;
import static dev.varve.disk.LittleEndian.U32;
import static dev.varve.disk.LittleEndian.U64;

import dev.varve.BlobHash;
import dev.varve.disk.LittleEndian;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.util.Optional;

/// One entry of `blobs.idx`: the spec's `BlobIndexEntry`, 52 bytes, whose reserved field holds a
/// check.
///
/// Page: `docs/format/blobs-idx.md`.
record BlobIndexEntry(
    BlobHash hash, long packOffset, long rawLength, long storedLength, int codec) {

  static final StructLayout LAYOUT =
      MemoryLayout.structLayout(
          LittleEndian.bytes(32, "hash"),
          U64.withName("pack_offset"),
          U32.withName("raw_len"),
          U32.withName("stored_len"),
          U16.withName("codec"),
          U16.withName("reserved"));

  static final int SIZE_BYTES = 52;

  private static final long CHECK = 50;

  void write(MemorySegment target, long offset) {
    hash.write(target, offset);
    target.set(U64, offset + 32, packOffset);
    target.set(U32, offset + 40, (int) rawLength);
    target.set(U32, offset + 44, (int) storedLength);
    target.set(U16, offset + 48, (short) codec);
    target.set(U16, offset + CHECK, (short) LittleEndian.crc32(target, offset, CHECK));
  }

  /// The entry in these 52 bytes, or empty if the check does not hold.
  static Optional<BlobIndexEntry> read(MemorySegment bytes) {
    if (bytes.get(U16, CHECK) != (short) LittleEndian.crc32(bytes, 0, CHECK)) {
      return Optional.empty();
    }
    return Optional.of(
        new BlobIndexEntry(
            BlobHash.read(bytes, 0),
            bytes.get(U64, 32),
            Integer.toUnsignedLong(bytes.get(U32, 40)),
            Integer.toUnsignedLong(bytes.get(U32, 44)),
            Short.toUnsignedInt(bytes.get(U16, 48))));
  }
}
