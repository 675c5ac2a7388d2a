// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import static dev.varve.disk.LittleEndian.U32;
import static dev.varve.disk.LittleEndian.U64;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.TurnId;
import dev.varve.disk.LittleEndian;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One record of `heads.tbl` and of `heads.log`, 128 bytes: the spec's `ContextHead` and what a
/// context carries beyond it.
///
/// Pages: `docs/format/heads-tbl.md`, `docs/format/heads-log.md`.
///
/// @param atTurnId the turn number that was next when this record was made: turns from here on are
///   newer than it
public record HeadRecord(
    long contextId,
    long headTurnId,
    int headDepth,
    long createdAtUnixMs,
    long baseTurnId,
    long activeAtUnixMs,
    @Nullable BlobHash about,
    long atTurnId) {

  public static final StructLayout LAYOUT =
      MemoryLayout.structLayout(
          U64.withName("context_id"),
          U64.withName("head_turn_id"),
          U32.withName("head_depth"),
          U64.withName("created_at_unix_ms"),
          U32.withName("flags"),
          U64.withName("base_turn_id"),
          U64.withName("active_at_unix_ms"),
          LittleEndian.bytes(32, "about"),
          U64.withName("at_turn_id"),
          U64.withName("store_id"),
          LittleEndian.bytes(28, "reserved"),
          U32.withName("crc32"));

  public static final int SIZE_BYTES = 128;

  /// Bit of `flags`.
  public static final int HAS_ABOUT = 1;

  private static final BlobHash ZEROS = new BlobHash(0, 0, 0, 0);
  private static final long FLAGS = 28;
  private static final long ABOUT = 48;
  private static final long AT_TURN_ID = 80;
  private static final long STORE_ID = 88;
  private static final long CRC = 124;

  /// This context with another head. The context was last active at the time of the head's turn or,
  /// if an imported turn declares an earlier time, at its former time. Heads can thereby be derived
  /// from turns.
  public HeadRecord moved(long turnId, int depth, long turnUnixMs) {
    return new HeadRecord(
        contextId,
        turnId,
        depth,
        createdAtUnixMs,
        baseTurnId,
        Math.max(activeAtUnixMs, turnUnixMs),
        about,
        turnId + 1);
  }

  /// This context with another description.
  public HeadRecord described(BlobHash blob, long nowUnixMs, long nextTurnId) {
    return new HeadRecord(
        contextId, headTurnId, headDepth, createdAtUnixMs, baseTurnId, nowUnixMs, blob, nextTurnId);
  }

  public ContextHead head() {
    return new ContextHead(
        new ContextId(contextId),
        new TurnId(headTurnId),
        headDepth,
        new TurnId(baseTurnId),
        Instant.ofEpochMilli(createdAtUnixMs),
        Instant.ofEpochMilli(activeAtUnixMs),
        about);
  }

  /// Writes the record, checksum included.
  ///
  /// @param storeId the store's id in 64 bits
  public void write(MemorySegment target, long offset, long storeId) {
    target.set(U64, offset, contextId);
    target.set(U64, offset + 8, headTurnId);
    target.set(U32, offset + 16, headDepth);
    target.set(U64, offset + 20, createdAtUnixMs);
    target.set(U32, offset + FLAGS, about == null ? 0 : HAS_ABOUT);
    target.set(U64, offset + 32, baseTurnId);
    target.set(U64, offset + 40, activeAtUnixMs);
    (about == null ? ZEROS : about).write(target, offset + ABOUT);
    target.set(U64, offset + AT_TURN_ID, atTurnId);
    target.set(U64, offset + STORE_ID, storeId);
    target.asSlice(offset + STORE_ID + 8, 28).fill((byte) 0);
    target.set(U32, offset + CRC, LittleEndian.crc32(target, offset, CRC));
  }

  /// The id of the store whose record the 128 bytes are; 0 if they are none or it names no store.
  public static long storeId(MemorySegment bytes) {
    long named = bytes.get(U64, STORE_ID);
    return read(bytes, 0, named).isPresent() ? named : 0;
  }

  /// The record in these 128 bytes, or empty if the checksum does not hold, all is zero, or it is
  /// of another store.
  public static Optional<HeadRecord> read(MemorySegment bytes, long offset, long storeId) {
    if (bytes.get(U32, offset + CRC) != LittleEndian.crc32(bytes, offset, CRC)
        || bytes.get(U64, offset) <= 0
        || !RecordOrigin.isOf(storeId, bytes, offset + STORE_ID)) {
      return Optional.empty();
    }
    int flags = bytes.get(U32, offset + FLAGS);
    return Optional.of(
        new HeadRecord(
            bytes.get(U64, offset),
            bytes.get(U64, offset + 8),
            bytes.get(U32, offset + 16),
            bytes.get(U64, offset + 20),
            bytes.get(U64, offset + 32),
            bytes.get(U64, offset + 40),
            (flags & HAS_ABOUT) == 0 ? null : BlobHash.read(bytes, offset + ABOUT),
            bytes.get(U64, offset + AT_TURN_ID)));
  }
}
