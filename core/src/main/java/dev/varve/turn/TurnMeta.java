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
import org.jspecify.annotations.Nullable;

/// One record of `turns.meta`, 128 bytes: what a turn carries beyond `TurnRecordV1`.
///
/// Stands at the same ordinal as the turn's record in `turns.log`. Page:
/// `docs/format/turns-meta.md`.
///
/// @param contextId the context the turn was appended through
/// @param jumpTurnId an ancestor to leap to (see [AncestorSearch]); the turn itself for a root
/// @param rawLen size of the payload, uncompressed
/// @param compression what the writer declared of the bytes it sent
/// @param fsRoot root of the file tree given at the append, or null
/// @param keyHash BLAKE3 of the context's number and the idempotency key, or null
/// @param movedHead false if the turn was brought in by a bulk import, which moves no head
public record TurnMeta(
    long turnId,
    long contextId,
    long jumpTurnId,
    int rawLen,
    int compression,
    @Nullable BlobHash fsRoot,
    @Nullable BlobHash keyHash,
    boolean movedHead) {

  public static final StructLayout LAYOUT =
      MemoryLayout.structLayout(
          U64.withName("turn_id"),
          U64.withName("context_id"),
          U64.withName("jump_turn_id"),
          U32.withName("raw_len"),
          U32.withName("compression"),
          LittleEndian.bytes(32, "fs_root"),
          LittleEndian.bytes(32, "key_hash"),
          U32.withName("flags"),
          U64.withName("store_id"),
          U32.withName("record_crc32"),
          LittleEndian.bytes(12, "reserved"),
          U32.withName("crc32"));

  public static final int SIZE_BYTES = 128;

  /// Bits of `flags`.
  public static final int HAS_FS_ROOT = 1;

  public static final int HAS_KEY = 2;
  public static final int MOVED_NO_HEAD = 4;

  private static final BlobHash ZEROS = new BlobHash(0, 0, 0, 0);
  private static final long FS_ROOT = 32;
  private static final long KEY_HASH = 64;
  private static final long FLAGS = 96;
  private static final long STORE_ID = 100;
  private static final long RECORD_CRC = 108;
  private static final long CRC = 124;

  /// Writes the record, checksum included.
  ///
  /// @param storeId the store's id in 64 bits
  /// @param recordCrc the checksum of the turn's record in `turns.log`
  public void write(MemorySegment target, long offset, long storeId, int recordCrc) {
    target.set(U64, offset, turnId);
    target.set(U64, offset + 8, contextId);
    target.set(U64, offset + 16, jumpTurnId);
    target.set(U32, offset + 24, rawLen);
    target.set(U32, offset + 28, compression);
    (fsRoot == null ? ZEROS : fsRoot).write(target, offset + FS_ROOT);
    (keyHash == null ? ZEROS : keyHash).write(target, offset + KEY_HASH);
    int flags =
        (fsRoot == null ? 0 : HAS_FS_ROOT)
            | (keyHash == null ? 0 : HAS_KEY)
            | (movedHead ? 0 : MOVED_NO_HEAD);
    target.set(U32, offset + FLAGS, flags);
    target.set(U64, offset + STORE_ID, storeId);
    target.set(U32, offset + RECORD_CRC, recordCrc);
    target.asSlice(offset + RECORD_CRC + 4, 12).fill((byte) 0);
    target.set(U32, offset + CRC, LittleEndian.crc32(target, offset, CRC));
  }

  /// Returns whether the 128 bytes are a meta of this store: its checksum holds and it has a
  /// number. Zeros are not.
  public static boolean valid(MemorySegment bytes, long storeId) {
    return bytes.get(U32, CRC) == LittleEndian.crc32(bytes, 0, CRC)
        && bytes.get(U64, 0) > 0
        && RecordOrigin.isOf(storeId, bytes, STORE_ID);
  }

  /// Returns whether the 128 bytes are surely a meta of this store, and say that the turn's record
  /// has another checksum.
  static boolean denies(MemorySegment bytes, long storeId, int recordCrc) {
    int named = bytes.get(U32, RECORD_CRC);
    return named != recordCrc
        && named != 0
        && bytes.get(U64, STORE_ID) == storeId
        && valid(bytes, storeId);
  }

  /// The id of the store whose meta the 128 bytes are; 0 if they are none or it names no store.
  public static long storeId(MemorySegment bytes) {
    long named = bytes.get(U64, STORE_ID);
    return valid(bytes, named) ? named : 0;
  }

  /// Returns whether the 128 bytes are surely a meta of this store.
  static boolean isOwn(MemorySegment bytes, long storeId) {
    return storeId != 0 && bytes.get(U64, STORE_ID) == storeId && valid(bytes, storeId);
  }

  /// The record in these 128 bytes, which stand at `fileOffset` of `file`.
  ///
  /// @throws StoreException.Corrupt if its checksum does not hold, or it is of another store
  public static TurnMeta read(MemorySegment bytes, String file, long fileOffset, long storeId) {
    int found = bytes.get(U32, CRC);
    int expected = LittleEndian.crc32(bytes, 0, CRC);
    if (found != expected || bytes.get(U64, 0) <= 0) {
      throw new StoreException.Corrupt(
          file,
          fileOffset,
          "a turn's meta with " + LittleEndian.hex(expected),
          LittleEndian.hex(found));
    }
    if (!RecordOrigin.isOf(storeId, bytes, STORE_ID)) {
      throw RecordOrigin.foreign(storeId, bytes, STORE_ID, file, fileOffset);
    }
    int flags = bytes.get(U32, FLAGS);
    return new TurnMeta(
        bytes.get(U64, 0),
        bytes.get(U64, 8),
        bytes.get(U64, 16),
        bytes.get(U32, 24),
        bytes.get(U32, 28),
        (flags & HAS_FS_ROOT) == 0 ? null : BlobHash.read(bytes, FS_ROOT),
        (flags & HAS_KEY) == 0 ? null : BlobHash.read(bytes, KEY_HASH),
        (flags & MOVED_NO_HEAD) == 0);
  }
}
