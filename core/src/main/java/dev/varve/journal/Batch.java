// SPDX-License-Identifier: Apache-2.0
package dev.varve.journal;

import static dev.varve.disk.LittleEndian.U16;
import static dev.varve.disk.LittleEndian.U32;
import static dev.varve.disk.LittleEndian.U64;

import dev.varve.disk.LittleEndian;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.util.Optional;

/// One commit as the journal holds it: where the store stands before and after it, and the bytes it
/// adds.
///
/// In the journal: this header, the position after, the position before, then the sections in the
/// order of the components. Page: `docs/format/journal.md`.
///
/// @param before where the bytes go: each section belongs at the end that `before` names
/// @param packForced whether what `pack` leaves out was forced where it belongs, before the batch
///   was written
/// @param forced whether the batch is forced before anything of it is written where it belongs, and
///   all batches of its journal are. Then a whole batch proves that those before it were durable
/// @param pack the bytes that the commit adds to `blobs.pack`: all of them, or, if they are too
///   many for the journal, those in blocks that they share with others ([#headBytes] and
///   [#tailBytes])
/// @param turns records of `turns.log`
/// @param metas records of `turns.meta`
/// @param headLog records of `heads.log`
/// @param heads records for `heads.tbl`
/// @param types entries of `types.tbl`
/// @param overlays records of `overlays.log`
public record Batch(
    StorePosition before,
    StorePosition after,
    boolean packForced,
    boolean forced,
    MemorySegment pack,
    MemorySegment turns,
    MemorySegment metas,
    MemorySegment headLog,
    MemorySegment heads,
    MemorySegment types,
    MemorySegment overlays) {

  public static final StructLayout HEADER =
      MemoryLayout.structLayout(
          U32.withName("magic"),
          U16.withName("version"),
          U16.withName("flags"),
          U64.withName("store_id"),
          U64.withName("batch_seq"),
          U32.withName("body_len"),
          U32.withName("pack_len"),
          U32.withName("turns_len"),
          U32.withName("metas_len"),
          U32.withName("head_log_len"),
          U32.withName("heads_len"),
          U32.withName("types_len"),
          U32.withName("overlays_len"),
          U32.withName("body_crc32"),
          U32.withName("crc32"));

  /// On the disk: `VJRN`.
  static final int MAGIC = 0x4E524A56;

  static final int VERSION = 1;
  static final int HEADER_BYTES = 64;

  /// Bits of `flags`.
  static final int PACK_FORCED = 1;

  static final int FORCED = 2;

  private static final int SECTIONS = 7;
  private static final long LENGTHS = 28;
  private static final long BODY_CRC = 56;
  private static final long CRC = 60;
  private static final long AFTER = HEADER_BYTES;
  private static final long BEFORE = AFTER + StorePosition.SIZE_BYTES;
  private static final long FIRST_SECTION = BEFORE + StorePosition.SIZE_BYTES;

  /// Returns whether some of the commit's bytes stand in `blobs.pack` only.
  public boolean packInPlace() {
    return pack.byteSize() < after.ends().packEnd() - before.ends().packEnd();
  }

  /// The number of bytes from `packEnd` on that share a block with earlier bytes.
  ///
  /// When a block is written and the power goes, all of it may be spoiled, what was forced before
  /// included. So what shares a block with bytes that a later commit, or a recovery, may write must
  /// be in the journal.
  public static long headBytes(long packEnd) {
    return Math.floorMod(-packEnd, (long) Checkpoint.BLOCK_BYTES);
  }

  /// The number of bytes up to `packEnd` in a block into which later bytes will be written.
  public static long tailBytes(long packEnd) {
    return packEnd % Checkpoint.BLOCK_BYTES;
  }

  private MemorySegment[] sections() {
    return new MemorySegment[] {pack, turns, metas, headLog, heads, types, overlays};
  }

  /// Size in the journal.
  public long sizeBytes() {
    long size = FIRST_SECTION;
    for (MemorySegment section : sections()) {
      size += section.byteSize();
    }
    return size;
  }

  /// Writes the batch at the start of `target`.
  public void write(long storeId, MemorySegment target) {
    target.asSlice(0, HEADER_BYTES).fill((byte) 0);
    target.set(U32, 0, MAGIC);
    target.set(U16, 4, (short) VERSION);
    target.set(U16, 6, (short) ((packForced ? PACK_FORCED : 0) | (forced ? FORCED : 0)));
    target.set(U64, 8, storeId);
    target.set(U64, 16, after.batchSeq());
    after.write(target, AFTER);
    before.write(target, BEFORE);
    long at = FIRST_SECTION;
    MemorySegment[] sections = sections();
    for (int i = 0; i < SECTIONS; i++) {
      target.set(U32, LENGTHS + 4L * i, (int) sections[i].byteSize());
      MemorySegment.copy(sections[i], 0, target, at, sections[i].byteSize());
      at += sections[i].byteSize();
    }
    target.set(U32, 24, (int) (at - HEADER_BYTES));
    target.set(U32, BODY_CRC, LittleEndian.crc32(target, HEADER_BYTES, at - HEADER_BYTES));
    target.set(U32, CRC, LittleEndian.crc32(target, 0, CRC));
  }

  /// The size of the body that follows this header; empty if the 64 bytes are not a header of this
  /// store's journal.
  static Optional<Integer> bodyBytes(MemorySegment header, long storeId) {
    boolean ours =
        header.get(U32, 0) == MAGIC
            && header.get(U16, 4) == VERSION
            && header.get(U64, 8) == storeId
            && header.get(U32, CRC) == LittleEndian.crc32(header, 0, CRC)
            && header.get(U32, 24) >= FIRST_SECTION - HEADER_BYTES;
    return ours ? Optional.of(header.get(U32, 24)) : Optional.empty();
  }

  /// Returns whether these 64 bytes are the header of a batch of another store.
  static boolean isForeign(MemorySegment header, long storeId) {
    return header.get(U64, 8) != storeId && bodyBytes(header, header.get(U64, 8)).isPresent();
  }

  /// The batch in these bytes, or empty if they are not whole.
  static Optional<Batch> read(MemorySegment bytes) {
    long bodyBytes = bytes.byteSize() - HEADER_BYTES;
    if (bytes.get(U32, BODY_CRC) != LittleEndian.crc32(bytes, HEADER_BYTES, bodyBytes)) {
      return Optional.empty();
    }
    StorePosition after = StorePosition.read(bytes, AFTER);
    StorePosition before = StorePosition.read(bytes, BEFORE);
    MemorySegment[] sections = new MemorySegment[SECTIONS];
    long at = FIRST_SECTION;
    for (int i = 0; i < SECTIONS; i++) {
      long length = Integer.toUnsignedLong(bytes.get(U32, LENGTHS + 4L * i));
      if (length > bytes.byteSize() - at) {
        return Optional.empty();
      }
      sections[i] = bytes.asSlice(at, length);
      at += length;
    }
    boolean whole =
        at == bytes.byteSize()
            && after.plausible()
            && before.plausible()
            && after.batchSeq() == bytes.get(U64, 16)
            && before.batchSeq() + 1 == after.batchSeq();
    return whole
        ? Optional.of(
            new Batch(
                before,
                after,
                (bytes.get(U16, 6) & PACK_FORCED) != 0,
                (bytes.get(U16, 6) & FORCED) != 0,
                sections[0],
                sections[1],
                sections[2],
                sections[3],
                sections[4],
                sections[5],
                sections[6]))
        : Optional.empty();
  }
}
