// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import static dev.varve.disk.LittleEndian.U64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.util.Arrays;

/// Which turn stands where in `turns.log`, as runs of consecutive numbers: the content of
/// `turns.idx`.
///
/// Numbers rise with ordinals and are dense except where a crash or an import left a gap, so a
/// handful of runs index a log of any length. Page: `docs/format/turns-idx.md`.
///
/// One thread adds; readers hold a [View], which later additions do not change.
final class TurnRuns {

  /// A run as it stands in `turns.idx`: its first turn's number and the offset of that turn's
  /// record in `turns.log`.
  static final StructLayout ENTRY =
      MemoryLayout.structLayout(U64.withName("turn_id"), U64.withName("log_offset"));

  static final int ENTRY_BYTES = 16;

  /// The runs that a reader sees: the first `runCount` runs, covering `count` ordinals.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record View(long[] firstIds, long[] firstOrdinals, int runCount, long count) {

    static final View EMPTY = new View(new long[4], new long[4], 0, 0);

    /// The ordinal of a turn, or -1.
    long ordinal(long turnId) {
      int found = Arrays.binarySearch(firstIds, 0, runCount, turnId);
      int run = found >= 0 ? found : -found - 2;
      if (run < 0) {
        return -1;
      }
      long ordinal = firstOrdinals[run] + (turnId - firstIds[run]);
      long end = run + 1 < runCount ? firstOrdinals[run + 1] : count;
      return ordinal < end ? ordinal : -1;
    }

    /// The number of the turn at an ordinal below `count`.
    long id(long ordinal) {
      int found = Arrays.binarySearch(firstOrdinals, 0, runCount, ordinal);
      int run = found >= 0 ? found : -found - 2;
      return firstIds[run] + (ordinal - firstOrdinals[run]);
    }

    long lastId() {
      return count == 0 ? 0 : id(count - 1);
    }

    /// This view with the turn `turnId` at ordinal `count`.
    View plus(long turnId) {
      if (count > 0 && turnId == lastId() + 1) {
        return new View(firstIds, firstOrdinals, runCount, count + 1);
      }
      if (turnId <= lastId()) {
        throw new AssertionError("turn " + turnId + " after turn " + lastId());
      }
      boolean grow = runCount == firstIds.length;
      long[] ids = grow ? Arrays.copyOf(firstIds, runCount * 2) : firstIds;
      long[] ordinals = grow ? Arrays.copyOf(firstOrdinals, runCount * 2) : firstOrdinals;
      ids[runCount] = turnId; // beyond what any earlier view looks at
      ordinals[runCount] = count;
      return new View(ids, ordinals, runCount + 1, count + 1);
    }

    /// This view with the rest of a run: all turns up to the ordinal `newCount` follow without a
    /// gap.
    View extendedTo(long newCount) {
      return new View(firstIds, firstOrdinals, runCount, newCount);
    }
  }

  private TurnRuns() {}
}
