// SPDX-License-Identifier: Apache-2.0
package dev.varve.journal;

/// How far a store has come: where its files end, and which numbers it has given.
///
/// @param batchSeq sequence of the last batch in it, 0 for none
/// @param turnIdNext the number of the next turn
/// @param turnIdLimit numbers below this may have been given to somebody; after a crash the next turn starts here
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

  /// How many numbers a position has.
  static final int FIELDS = 16;

  /// An empty store.
  public static final Position START =
      new Position(0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /// The numbers, in the order of the record's components.
  long[] fields() {
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

  static Position of(long[] f) {
    return new Position(
        f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9], f[10], f[11], f[12], f[13],
        f[14], f[15]);
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
