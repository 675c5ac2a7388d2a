// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import static dev.varve.disk.LittleEndian.U32;
import static dev.varve.disk.LittleEndian.U64;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.disk.LittleEndian;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/// One record of `turns.log`: the spec's `TurnRecordV1`, 80 bytes.
///
/// Page: `docs/format/turns-log.md`.
public record TurnRecord(
    long turnId,
    long parentTurnId,
    int depth,
    int codec,
    long typeTag,
    BlobHash payloadHash,
    int flags,
    long createdAtUnixMs) {

  public static final StructLayout LAYOUT =
      MemoryLayout.structLayout(
          U64.withName("turn_id"),
          U64.withName("parent_turn_id"),
          U32.withName("depth"),
          U32.withName("codec"),
          U64.withName("type_tag"),
          LittleEndian.bytes(32, "payload_hash"),
          U32.withName("flags"),
          U64.withName("created_at_unix_ms"),
          U32.withName("crc32"));

  public static final int SIZE_BYTES = 80;

  private static final long DEPTH = 16;
  private static final long CODEC = 20;
  private static final long TYPE_TAG = 24;
  private static final long PAYLOAD_HASH = 32;
  private static final long FLAGS = 64;
  private static final long CREATED_AT = 68;
  private static final long CRC = 76;

  /// Writes the record, checksum included.
  public void write(MemorySegment target, long offset) {
    target.set(U64, offset, turnId);
    target.set(U64, offset + 8, parentTurnId);
    target.set(U32, offset + DEPTH, depth);
    target.set(U32, offset + CODEC, codec);
    target.set(U64, offset + TYPE_TAG, typeTag);
    payloadHash.write(target, offset + PAYLOAD_HASH);
    target.set(U32, offset + FLAGS, flags);
    target.set(U64, offset + CREATED_AT, createdAtUnixMs);
    target.set(U32, offset + CRC, LittleEndian.crc32(target, offset, CRC));
  }

  /// The checksum that stands in these 80 bytes.
  public static int crc(MemorySegment bytes) {
    return bytes.get(U32, CRC);
  }

  /// Returns whether the 80 bytes are a record: its checksum holds and it has a number. Zeros are
  /// not.
  public static boolean valid(MemorySegment bytes) {
    return bytes.get(U32, CRC) == LittleEndian.crc32(bytes, 0, CRC) && bytes.get(U64, 0) > 0;
  }

  /// The record in these 80 bytes, which stand at `fileOffset` of `file`.
  ///
  /// @throws StoreException.Corrupt if it is not valid
  public static TurnRecord read(MemorySegment bytes, String file, long fileOffset) {
    int found = bytes.get(U32, CRC);
    int expected = LittleEndian.crc32(bytes, 0, CRC);
    if (found != expected || bytes.get(U64, 0) <= 0) {
      throw new StoreException.Corrupt(
          file, fileOffset, "a turn with " + LittleEndian.hex(expected), LittleEndian.hex(found));
    }
    return new TurnRecord(
        bytes.get(U64, 0),
        bytes.get(U64, 8),
        bytes.get(U32, DEPTH),
        bytes.get(U32, CODEC),
        bytes.get(U64, TYPE_TAG),
        BlobHash.read(bytes, PAYLOAD_HASH),
        bytes.get(U32, FLAGS),
        bytes.get(U64, CREATED_AT));
  }
}
