// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import static dev.varve.disk.LittleEndian.U16;
import static dev.varve.disk.LittleEndian.U32;

import dev.varve.BlobHash;
import dev.varve.disk.LittleEndian;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.util.Optional;

/// The fixed part of a record of `blobs.pack`: the spec's `BlobRecord`. Behind it stand
/// `stored_len` bytes and a CRC-32 over everything before.
///
/// Page: `docs/format/blobs-pack.md`.
///
/// @param codec the number as it stands in the file; this version may not know it
/// @param rawLength as an unsigned 32-bit number; so is `storedLength`
public record BlobRecord(int codec, long rawLength, long storedLength, BlobHash hash) {

  /// The file of the records.
  public static final String FILE = "blobs.pack";

  public static final StructLayout HEADER =
      MemoryLayout.structLayout(
          U32.withName("magic"),
          U16.withName("version"),
          U16.withName("codec"),
          U32.withName("raw_len"),
          U32.withName("stored_len"),
          LittleEndian.bytes(32, "hash"));

  /// On the disk: `BLSB`.
  public static final int MAGIC = 0x42534C42;

  public static final int VERSION = 1;
  public static final int HEADER_BYTES = 48;
  public static final int CRC_BYTES = 4;

  private static final long HASH = 16;

  /// Size of the whole record.
  public long sizeBytes() {
    return HEADER_BYTES + storedLength + CRC_BYTES;
  }

  /// The size that the blob adds to the store before compression: its own bytes, or the bytes of
  /// its root list, since chunks count for themselves.
  public long keptBytes() {
    return keptBytes(codec, rawLength, storedLength);
  }

  static long keptBytes(int codec, long rawLength, long storedLength) {
    return codec == Codec.CHUNKS.number() ? storedLength : rawLength;
  }

  /// Writes the fixed part.
  public void write(MemorySegment target, long offset) {
    target.set(U32, offset, MAGIC);
    target.set(U16, offset + 4, (short) VERSION);
    target.set(U16, offset + 6, (short) codec);
    target.set(U32, offset + 8, (int) rawLength);
    target.set(U32, offset + 12, (int) storedLength);
    hash.write(target, offset + HASH);
  }

  /// Writes the whole record.
  public void writeAll(byte[] stored, MemorySegment target, long offset) {
    write(target, offset);
    MemorySegment.copy(
        MemorySegment.ofArray(stored), 0, target, offset + HEADER_BYTES, stored.length);
    long crcOffset = HEADER_BYTES + (long) stored.length;
    target.set(U32, offset + crcOffset, LittleEndian.crc32(target, offset, crcOffset));
  }

  /// The fixed part in these 48 bytes, or empty if they are not one.
  public static Optional<BlobRecord> read(MemorySegment bytes) {
    if (bytes.get(U32, 0) != MAGIC || bytes.get(U16, 4) != VERSION) {
      return Optional.empty();
    }
    return Optional.of(
        new BlobRecord(
            Short.toUnsignedInt(bytes.get(U16, 6)),
            Integer.toUnsignedLong(bytes.get(U32, 8)),
            Integer.toUnsignedLong(bytes.get(U32, 12)),
            BlobHash.read(bytes, HASH)));
  }

  /// Returns whether these 48 bytes are the fixed part of a record with this hash. Allocates
  /// nothing.
  public static boolean hasHash(MemorySegment bytes, BlobHash hash) {
    return bytes.get(U32, 0) == MAGIC
        && bytes.get(LittleEndian.U64, HASH) == hash.w0()
        && bytes.get(LittleEndian.U64, HASH + 8) == hash.w1()
        && bytes.get(LittleEndian.U64, HASH + 16) == hash.w2()
        && bytes.get(LittleEndian.U64, HASH + 24) == hash.w3();
  }
}
