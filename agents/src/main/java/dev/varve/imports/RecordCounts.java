// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

/// The records of a source, each counted once: as a turn, as bookkeeping, as a duplicate, or as
/// unreadable.
///
/// @param records how many records there are, counted while the source was read
/// @param turnsNew records that became turns in this import
/// @param turnsShared records that were turns before: of this source, or of one it was forked from
/// @param bookkeeping records that the format does not make turns of: headers, empty lines, unknown
///   ones
/// @param duplicates records that stand in the source more than once: the same turn, if perhaps in
///   other bytes
/// @param unreadable stretches of bytes that are no record
public record RecordCounts(
    long records,
    long turnsNew,
    long turnsShared,
    long bookkeeping,
    long duplicates,
    long unreadable) {

  public static final RecordCounts NONE = new RecordCounts(0, 0, 0, 0, 0, 0);

  public RecordCounts {
    if (records != turnsNew + turnsShared + bookkeeping + duplicates + unreadable) {
      throw new AssertionError(
          records
              + " records, but "
              + (turnsNew + turnsShared)
              + " turns, "
              + bookkeeping
              + " of bookkeeping, "
              + duplicates
              + " duplicates, "
              + unreadable
              + " unreadable");
    }
  }

  /// The records of a source that is as it was at the last import. Only its turns are known.
  public static RecordCounts unchanged(long turns) {
    return new RecordCounts(turns, 0, turns, 0, 0, 0);
  }

  /// The same records at a later import: all turns were turns before.
  public RecordCounts asShared() {
    return new RecordCounts(records, 0, turns(), bookkeeping, duplicates, unreadable);
  }

  /// The records of both.
  public RecordCounts plus(RecordCounts other) {
    return new RecordCounts(
        records + other.records,
        turnsNew + other.turnsNew,
        turnsShared + other.turnsShared,
        bookkeeping + other.bookkeeping,
        duplicates + other.duplicates,
        unreadable + other.unreadable);
  }

  /// Records that are turns of the store now.
  public long turns() {
    return turnsNew + turnsShared;
  }
}
