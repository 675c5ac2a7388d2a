// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.blob.BlobPack;
import dev.varve.blob.PackTail;
import dev.varve.disk.AppendFile;
import dev.varve.journal.StorePosition;
import dev.varve.turn.HeadRecord;
import dev.varve.turn.HeadTable;
import dev.varve.turn.OverlayLog;
import dev.varve.turn.OverlayRecord;
import dev.varve.turn.TurnLog;
import dev.varve.turn.TurnMeta;
import dev.varve.turn.TurnRecord;
import dev.varve.turn.TypeTable;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Predicate;

/// Finds the position of a store whose checkpoint or journal is lost, by reading the files from a
/// position on that they have surely reached.
///
/// A store that was closed in order has been cut to its ends, so every byte of a file belongs to
/// the store, damaged or not. In every other case each file ends behind its last whole record; the
/// bytes behind are cut off, but numbers that they may have had are not given again.
///
/// A derived file says how many records its source had when the source was last forced. A source
/// that has fewer has lost the others, and is taken to be that long, so that the loss is named.
final class EndScan {

  private final StoreFiles files;
  private final boolean closedInOrder;
  private final StorePosition from;

  EndScan(StoreFiles files, boolean closedInOrder, StorePosition from) {
    this.files = files;
    this.closedInOrder = closedInOrder;
    this.from = from;
  }

  StorePosition position() {
    AppendFile log = files.growing(TurnLog.LOG);
    AppendFile metas = files.growing(TurnLog.META);
    long wholeTurns =
        Math.max(from.ends().turns(), TurnLog.countByScan(log, metas, files.shortId()));
    long turnRemains =
        Math.max(
            remains(log, wholeTurns, TurnRecord.SIZE_BYTES),
            remains(metas, wholeTurns, TurnMeta.SIZE_BYTES));
    HeadTable.Sources sources = HeadTable.sources(files.headSlots(), files.shortId());
    long turns = Math.max(wholeTurns + (closedInOrder ? turnRemains : 0), sources.turns());
    long lastTurn =
        Math.max(
            Math.max(from.numbers().turnIdNext() - 1, lastTurnOfHeads()),
            TurnLog.lastIdByScan(log, metas, wholeTurns, files.shortId()));
    long turnIdNext = 1 + lastTurn + Math.max(turnRemains, turns - wholeTurns);
    AppendFile headLog = files.headLog();
    long wholeHeads =
        Math.max(
            from.ends().headLogRecords(),
            count(
                headLog,
                HeadRecord.SIZE_BYTES,
                bytes -> HeadRecord.read(bytes, 0, files.shortId()).isPresent()));
    long headRemains = remains(headLog, wholeHeads, HeadRecord.SIZE_BYTES);
    long heads = Math.max(wholeHeads + (closedInOrder ? headRemains : 0), sources.headLogRecords());
    long lastContext =
        Math.max(
            lastContextOfSlots(), Math.max(lastContextLogged(heads), lastContextOfTurns(turns)));
    long contextIdNext =
        1
            + Math.max(from.numbers().contextIdNext() - 1, lastContext)
            + Math.max(headRemains, heads - wholeHeads);
    AppendFile overlays = files.growing(OverlayLog.FILE);
    long wholeOverlays =
        Math.max(
            from.ends().overlays(),
            count(
                overlays,
                OverlayRecord.SIZE_BYTES,
                bytes -> OverlayRecord.valid(bytes, files.shortId())));
    long overlayRemains = remains(overlays, wholeOverlays, OverlayRecord.SIZE_BYTES);
    AppendFile pack = files.growing(BlobPack.FILE);
    AppendFile types = files.growing(TypeTable.FILE);
    return new StorePosition(
        from.batchSeq(),
        new StorePosition.Numbers(
            turnIdNext,
            Math.max(from.numbers().turnIdLimit(), turnIdNext),
            contextIdNext,
            Math.max(from.numbers().contextIdLimit(), contextIdNext)),
        new StorePosition.Ends(
            end(pack, PackTail.endByScan(pack, from.ends().packEnd())),
            0,
            turns,
            heads,
            0,
            end(types, Math.max(from.ends().typesEnd(), TypeTable.endByScan(types))),
            Math.max(
                wholeOverlays + (closedInOrder ? overlayRemains : 0), files.coveredOverlays())),
        StorePosition.Counts.NONE);
  }

  private long end(AppendFile file, long wholeEnd) {
    return closedInOrder && isWritten(file, wholeEnd) ? file.endBytes() : wholeEnd;
  }

  /// Returns whether a primary file has anything but zeros behind its end at `position`.
  static boolean isWritten(AppendFile file, StorePosition position) {
    return isWritten(file, StoreFiles.ends(position)[StoreFiles.GROWING.indexOf(file.name())]);
  }

  /// Returns whether a file holds anything but zeros from `end` on.
  static boolean isWritten(AppendFile file, long end) {
    return !file.isZeroFrom(end);
  }

  /// Returns whether the files hold whole records, and nothing else, from one position to a later
  /// one.
  static boolean isWholeBetween(StoreFiles files, StorePosition from, StorePosition to) {
    long[] starts = StoreFiles.ends(from);
    long[] ends = StoreFiles.ends(to);
    for (AppendFile file : files.primary()) {
      int i = StoreFiles.GROWING.indexOf(file.name());
      if (WholeRecords.upTo(file, files.shortId(), starts[i], ends[i]) < ends[i]) {
        return false;
      }
    }
    return true;
  }

  private static MemorySegment record(AppendFile file, long ordinal, int sizeBytes) {
    return file.at(ordinal * sizeBytes, sizeBytes);
  }

  /// The number of records in a file, up to the last valid record.
  private static long count(AppendFile file, int sizeBytes, Predicate<MemorySegment> valid) {
    long count = file.endBytes() / sizeBytes;
    while (count > 0 && !valid.test(record(file, count - 1, sizeBytes))) {
      count--;
    }
    return count;
  }

  /// The number of records behind `count`, up to the last that is not zeros.
  private static long remains(AppendFile file, long count, int sizeBytes) {
    MemorySegment zeros = MemorySegment.ofArray(new byte[sizeBytes]);
    long remains = 0;
    for (long i = count; i < file.endBytes() / sizeBytes; i++) {
      remains = record(file, i, sizeBytes).mismatch(zeros) < 0 ? remains : i + 1 - count;
    }
    return remains;
  }

  private long lastContextLogged(long headLogRecords) {
    long last = 0;
    long there = Math.min(headLogRecords, files.headLog().endBytes() / HeadRecord.SIZE_BYTES);
    for (long i = from.ends().headLogRecords(); i < there; i++) {
      last =
          Math.max(
              last,
              HeadRecord.read(record(files.headLog(), i, HeadRecord.SIZE_BYTES), 0, files.shortId())
                  .map(HeadRecord::contextId)
                  .orElse(0L));
    }
    return last;
  }

  /// The greatest turn number that a record of a context names; the number is left even if turns
  /// are lost.
  private long lastTurnOfHeads() {
    long last = 0;
    for (AppendFile file : List.of(files.headLog(), files.headSlots())) {
      for (long i = 0; i < file.endBytes() / HeadRecord.SIZE_BYTES; i++) {
        last =
            Math.max(
                last,
                HeadRecord.read(record(file, i, HeadRecord.SIZE_BYTES), 0, files.shortId())
                    .map(head -> Math.max(head.headTurnId(), head.atTurnId() - 1))
                    .orElse(0L));
      }
    }
    return last;
  }

  /// The table of heads is derived, but of a context without turns whose record is damaged there
  /// may be no other trace.
  private long lastContextOfSlots() {
    AppendFile slots = files.headSlots();
    return Math.max(
        0,
        count(
                slots,
                HeadRecord.SIZE_BYTES,
                bytes -> HeadRecord.read(bytes, 0, files.shortId()).isPresent())
            - 1);
  }

  private long lastContextOfTurns(long turns) {
    AppendFile metas = files.growing(TurnLog.META);
    long last = 0;
    for (long i = from.ends().turns();
        i < Math.min(turns, metas.endBytes() / TurnMeta.SIZE_BYTES);
        i++) {
      MemorySegment bytes = record(metas, i, TurnMeta.SIZE_BYTES);
      if (TurnMeta.valid(bytes, files.shortId())) {
        TurnMeta meta =
            TurnMeta.read(bytes, TurnLog.META, i * TurnMeta.SIZE_BYTES, files.shortId());
        last = Math.max(last, meta.movedHead() ? meta.contextId() : 0);
      }
    }
    return last;
  }
}
