// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import dev.varve.Payload;
import dev.varve.Store;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// The segments of a file as it is read, runs joined.
///
/// An entry whose parent stands further down gets its turn later; a [Slot] keeps its place.
final class SegmentList {

  /// The place of an entry that has no turn yet.
  static final class Slot {
    private final boolean ended;
    private long turn;

    private Slot(boolean ended) {
      this.ended = ended;
    }

    void set(long value) {
      turn = value;
    }

    boolean isSet() {
      return turn != 0;
    }

    private FileSegment segment() {
      if (turn == 0) {
        throw new AssertionError("an entry without a turn");
      }
      return ended ? new FileSegment.Lines(turn, 1) : new FileSegment.Unended(turn);
    }
  }

  private final Store store;

  /// Holds `FileSegment`s and `Slot`s.
  private final List<Object> list = new ArrayList<>();

  private final byte[] loose;
  private int looseSize;

  private long runFirst;
  private long runCount;

  /// @param keptBytesMax the largest blob, at most [SessionManifest#KEPT_BYTES_MAX]
  SegmentList(Store store, int keptBytesMax) {
    this.store = store;
    this.loose = new byte[keptBytesMax];
  }

  /// An entry that is the turn `turn`; `ended` if a line feed follows.
  void turn(long turn, boolean ended) {
    closeLoose();
    if (ended && runCount > 0 && turn == runFirst + runCount) {
      runCount++;
      return;
    }
    closeRun();
    if (ended) {
      runFirst = turn;
      runCount = 1;
    } else {
      list.add(new FileSegment.Unended(turn));
    }
  }

  /// An entry whose turn becomes known later.
  Slot later(boolean ended) {
    closeLoose();
    closeRun();
    Slot slot = new Slot(ended);
    list.add(slot);
    return slot;
  }

  /// Bytes that are no entry, and the line feed behind them if `ended`.
  void bytes(byte[] bytes, int from, int to, boolean ended) {
    closeRun();
    int at = from;
    while (at < to) {
      int size = Math.min(to - at, loose.length - looseSize);
      System.arraycopy(bytes, at, loose, looseSize, size);
      looseSize += size;
      at += size;
      if (looseSize == loose.length) {
        closeLoose();
      }
    }
    if (ended) {
      loose[looseSize++] = '\n';
      if (looseSize == loose.length) {
        closeLoose();
      }
    }
  }

  private void closeRun() {
    if (runCount > 0) {
      list.add(new FileSegment.Lines(runFirst, runCount));
      runCount = 0;
    }
  }

  private void closeLoose() {
    if (looseSize > 0) {
      Payload bytes = Payload.wrap(Arrays.copyOf(loose, looseSize));
      list.add(
          looseSize <= SessionManifest.INLINE_BYTES_MAX
              ? new FileSegment.Inline(bytes)
              : new FileSegment.Kept(store.put(bytes), looseSize));
      looseSize = 0;
    }
  }

  /// All of them, once the file is read and each slot is set. Ends the building.
  Stream<FileSegment> stream() {
    closeLoose();
    closeRun();
    return list.stream()
        .map(each -> each instanceof Slot slot ? slot.segment() : (FileSegment) each);
  }
}
