// SPDX-License-Identifier: Apache-2.0
package dev.varve.journal;

import static dev.varve.disk.LittleEndian.U64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/// How far a store has come: where its files end, and which numbers it has given.
///
/// @param batchSeq sequence of the last batch in it, 0 for none
/// @param turnIdNext the number of the next turn
/// @param turnIdLimit numbers below this may have been given to somebody; after a crash the next
///   turn starts here
/// @param contextIdNext the number of the next context
/// @param contextIdLimit as `turnIdLimit`, for contexts
/// @param packEnd where `blobs.pack` ends, in bytes
/// @param blobEntries how many records `blobs.pack` has, superseded ones included
/// @param turns how many records `turns.log` has
/// @param headLogRecords how many records `heads.log` has
/// @param headSlots how many slots `heads.tbl` has, its header included
/// @param typesEnd where `types.tbl` ends, in bytes
/// @param overlays how many records `overlays.log` has
/// @param contexts how many contexts there are
/// @param blobs how many different blobs there are
/// @param rawBytes their size uncompressed
/// @param storedBytes size of their records
public record Position(
    long batchSeq,
    long turnIdNext,
    long turnIdLimit,
    long contextIdNext,
    long contextIdLimit,
    long packEnd,
    long blobEntries,
    long turns,
    long headLogRecords,
    long headSlots,
    long typesEnd,
    long overlays,
    long contexts,
    long blobs,
    long rawBytes,
    long storedBytes) {

  /// A position as it stands in a batch of the journal and in `checkpoint.tbl`.
  static final StructLayout LAYOUT =
      MemoryLayout.structLayout(
          U64.withName("batch_seq"),
          U64.withName("turn_id_next"),
          U64.withName("turn_id_limit"),
          U64.withName("context_id_next"),
          U64.withName("context_id_limit"),
          U64.withName("pack_end"),
          U64.withName("blob_entries"),
          U64.withName("turns"),
          U64.withName("head_log_records"),
          U64.withName("head_slots"),
          U64.withName("types_end"),
          U64.withName("overlays"),
          U64.withName("contexts"),
          U64.withName("blobs"),
          U64.withName("raw_bytes"),
          U64.withName("stored_bytes"));

  /// How many numbers a position has.
  static final int FIELDS = 16;

  static final int SIZE_BYTES = 8 * FIELDS;

  /// An empty store.
  public static final Position START = new Position(0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /// The numbers, in the order of the record's components.
  private long[] fields() {
    return new long[] {
      batchSeq,
      turnIdNext,
      turnIdLimit,
      contextIdNext,
      contextIdLimit,
      packEnd,
      blobEntries,
      turns,
      headLogRecords,
      headSlots,
      typesEnd,
      overlays,
      contexts,
      blobs,
      rawBytes,
      storedBytes
    };
  }

  /// The position that [#write] wrote at `offset`.
  static Position read(MemorySegment bytes, long offset) {
    long[] f = new long[FIELDS];
    for (int i = 0; i < FIELDS; i++) {
      f[i] = bytes.get(U64, offset + 8L * i);
    }
    return new Position(
        f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9], f[10], f[11], f[12], f[13],
        f[14], f[15]);
  }

  void write(MemorySegment target, long offset) {
    long[] f = fields();
    for (int i = 0; i < FIELDS; i++) {
      target.set(U64, offset + 8L * i, f[i]);
    }
  }

  /// Whether no number is negative.
  boolean plausible() {
    for (long field : fields()) {
      if (field < 0) {
        return false;
      }
    }
    return true;
  }
}
