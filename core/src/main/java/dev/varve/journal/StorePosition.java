// SPDX-License-Identifier: Apache-2.0
package dev.varve.journal;

import static dev.varve.disk.LittleEndian.U64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/// The state of a store at one moment: the numbers that it gives next, the ends of its files, and
/// the counts of its objects.
///
/// @param batchSeq sequence of the last batch in the position, 0 for none
public record StorePosition(long batchSeq, Numbers numbers, Ends ends, Counts counts) {

  /// The numbers of the next turn and the next context. Numbers below a limit may have been given
  /// to a caller; after a crash the next turn or context starts at the limit.
  public record Numbers(
      long turnIdNext, long turnIdLimit, long contextIdNext, long contextIdLimit) {

    /// Numbers that go on where the limits are.
    public static Numbers atLimits(long turnIdLimit, long contextIdLimit) {
      return new Numbers(turnIdLimit, turnIdLimit, contextIdLimit, contextIdLimit);
    }
  }

  /// The ends of the files.
  ///
  /// @param packEnd the end of `blobs.pack`, in bytes
  /// @param blobEntries the number of records in `blobs.pack`, superseded records included
  /// @param turns the number of records in `turns.log`
  /// @param headLogRecords the number of records in `heads.log`
  /// @param headSlots the number of slots in `heads.tbl`, its header included
  /// @param typesEnd the end of `types.tbl`, in bytes
  /// @param overlays the number of records in `overlays.log`
  public record Ends(
      long packEnd,
      long blobEntries,
      long turns,
      long headLogRecords,
      long headSlots,
      long typesEnd,
      long overlays) {}

  /// The counts of contexts and of different blobs.
  ///
  /// @param rawBytes the size of the blobs, uncompressed
  /// @param storedBytes the size of the records of the blobs
  public record Counts(long contexts, long blobs, long rawBytes, long storedBytes) {

    public static final Counts NONE = new Counts(0, 0, 0, 0);
  }

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

  /// The number of fields in the layout.
  static final int FIELDS = 16;

  static final int SIZE_BYTES = 8 * FIELDS;

  /// The position of an empty store.
  public static final StorePosition START =
      new StorePosition(0, Numbers.atLimits(1, 1), new Ends(0, 0, 0, 0, 0, 0, 0), Counts.NONE);

  /// The fields in the order of the layout.
  private long[] fields() {
    return new long[] {
      batchSeq,
      numbers.turnIdNext,
      numbers.turnIdLimit,
      numbers.contextIdNext,
      numbers.contextIdLimit,
      ends.packEnd,
      ends.blobEntries,
      ends.turns,
      ends.headLogRecords,
      ends.headSlots,
      ends.typesEnd,
      ends.overlays,
      counts.contexts,
      counts.blobs,
      counts.rawBytes,
      counts.storedBytes
    };
  }

  /// The position that [#write] wrote at `offset`.
  static StorePosition read(MemorySegment bytes, long offset) {
    long[] f = new long[FIELDS];
    for (int i = 0; i < FIELDS; i++) {
      f[i] = bytes.get(U64, offset + 8L * i);
    }
    return of(f);
  }

  private static StorePosition of(long[] f) {
    return new StorePosition(
        f[0],
        new Numbers(f[1], f[2], f[3], f[4]),
        new Ends(f[5], f[6], f[7], f[8], f[9], f[10], f[11]),
        new Counts(f[12], f[13], f[14], f[15]));
  }

  void write(MemorySegment target, long offset) {
    long[] f = fields();
    for (int i = 0; i < FIELDS; i++) {
      target.set(U64, offset + 8L * i, f[i]);
    }
  }

  /// This position after an orderly close: no number beyond the next was ever given.
  public StorePosition withLimitsAtNext() {
    return withNumbers(batchSeq, Numbers.atLimits(numbers.turnIdNext, numbers.contextIdNext));
  }

  /// This position with another count of records in `blobs.pack`.
  public StorePosition withBlobEntries(long value) {
    long[] f = fields();
    f[6] = value;
    return of(f);
  }

  /// This position with another pack, of which each record is a blob.
  public StorePosition withPack(long endBytes, long entries, long raw) {
    Ends pack =
        new Ends(
            endBytes,
            entries,
            ends.turns,
            ends.headLogRecords,
            ends.headSlots,
            ends.typesEnd,
            ends.overlays);
    return new StorePosition(
        batchSeq, numbers, pack, new Counts(counts.contexts, entries, raw, endBytes));
  }

  /// This position with another last batch and other numbers.
  public StorePosition withNumbers(long batch, Numbers other) {
    return new StorePosition(batch, other, ends, counts);
  }

  /// Returns whether no field is negative.
  boolean plausible() {
    for (long field : fields()) {
      if (field < 0) {
        return false;
      }
    }
    return true;
  }
}
