// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import static dev.varve.disk.LittleEndian.U32;
import static dev.varve.disk.LittleEndian.U64;

import dev.varve.BlobHash;
import dev.varve.Overlay;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.disk.LittleEndian;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/// One record of `overlays.log`, 64 bytes: the spec's `Patch` and a link to the target's earlier
/// one.
///
/// Page: `docs/format/overlays-log.md`.
///
/// @param previousSeq the overlay of the same turn before this one, 0 if none
public record OverlayRecord(
    long targetTurnId, BlobHash newPayloadHash, Overlay.Kind kind, long seq, long previousSeq) {

  public static final StructLayout LAYOUT =
      MemoryLayout.structLayout(
          U64.withName("target_turn_id"),
          LittleEndian.bytes(32, "new_payload_hash"),
          U32.withName("flags"),
          U64.withName("seq"),
          U64.withName("previous_seq"),
          U32.withName("crc32"));

  public static final int SIZE_BYTES = 64;

  /// The bit of `flags` that marks a tombstone.
  private static final int TOMBSTONE = 2;

  private static final BlobHash NO_BLOB = new BlobHash(0, 0, 0, 0);
  private static final long BLOB = 8;
  private static final long FLAGS = 40;
  private static final long SEQ = 44;
  private static final long PREVIOUS = 52;
  private static final long CRC = 60;

  /// Writes the record, checksum included. A tombstone, which has no blob, has the store's id in
  /// the place of one.
  ///
  /// @param storeId the store's id in 64 bits
  public void write(MemorySegment target, long offset, long storeId) {
    target.set(U64, offset, targetTurnId);
    newPayloadHash.write(target, offset + BLOB);
    if (kind == Overlay.Kind.TOMBSTONE) {
      target.set(U64, offset + BLOB, storeId);
    }
    int flags =
        switch (kind) {
          case PATCH -> 1;
          case TOMBSTONE -> TOMBSTONE;
          case FS_ROOT -> 3;
        };
    target.set(U32, offset + FLAGS, flags);
    target.set(U64, offset + SEQ, seq);
    target.set(U64, offset + PREVIOUS, previousSeq);
    target.set(U32, offset + CRC, LittleEndian.crc32(target, offset, CRC));
  }

  /// Returns whether the checksum of these 64 bytes holds, they are not zeros, and no tombstone of
  /// another store.
  public static boolean valid(MemorySegment bytes, long storeId) {
    return bytes.get(U32, CRC) == LittleEndian.crc32(bytes, 0, CRC)
        && bytes.get(U64, SEQ) > 0
        && !isForeign(bytes, storeId);
  }

  private static boolean isForeign(MemorySegment bytes, long storeId) {
    return bytes.get(U32, FLAGS) == TOMBSTONE && !RecordOrigin.isOf(storeId, bytes, BLOB);
  }

  /// The record in these 64 bytes, which stand at `fileOffset` of `file`.
  ///
  /// @throws StoreException.Corrupt if the checksum does not hold, the kind is unknown, or it is a
  ///   tombstone of another store
  public static OverlayRecord read(
      MemorySegment bytes, String file, long fileOffset, long storeId) {
    int found = bytes.get(U32, CRC);
    int expected = LittleEndian.crc32(bytes, 0, CRC);
    int flags = bytes.get(U32, FLAGS);
    if (found != expected || flags < 1 || flags > 3) {
      throw new StoreException.Corrupt(
          file,
          fileOffset,
          "an overlay with " + LittleEndian.hex(expected),
          LittleEndian.hex(found));
    }
    if (isForeign(bytes, storeId)) {
      throw RecordOrigin.foreign(storeId, bytes, BLOB, file, fileOffset);
    }
    Overlay.Kind kind =
        switch (flags) {
          case 1 -> Overlay.Kind.PATCH;
          case TOMBSTONE -> Overlay.Kind.TOMBSTONE;
          default -> Overlay.Kind.FS_ROOT;
        };
    return new OverlayRecord(
        bytes.get(U64, 0),
        kind == Overlay.Kind.TOMBSTONE ? NO_BLOB : BlobHash.read(bytes, BLOB),
        kind,
        bytes.get(U64, SEQ),
        bytes.get(U64, PREVIOUS));
  }

  public Overlay overlay() {
    return new Overlay(
        seq,
        new TurnId(targetTurnId),
        kind,
        kind == Overlay.Kind.TOMBSTONE ? null : newPayloadHash);
  }
}
