// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.blob.BlobPack;
import dev.varve.disk.AppendFile;
import dev.varve.journal.Position;
import dev.varve.turn.HeadRecord;
import dev.varve.turn.OverlayLog;
import dev.varve.turn.OverlayRecord;
import dev.varve.turn.TurnLog;
import dev.varve.turn.TurnMeta;
import dev.varve.turn.TurnRecord;
import dev.varve.turn.TypeTable;
import java.lang.foreign.MemorySegment;
import java.util.function.Predicate;

/// Finds where a store stands whose checkpoint is lost, by reading its files.
///
/// A store that was closed in order has been cut to its ends, so what stands in a file belongs to
/// it, damaged or not. After anything else each file ends behind its last whole record; what is
/// behind is cut off, but numbers that it may have had are not given again.
final class EndScan {

  private final StoreFiles files;
  private final boolean closedInOrder;

  EndScan(StoreFiles files, boolean closedInOrder) {
    this.files = files;
    this.closedInOrder = closedInOrder;
  }

  Position position() {
    AppendFile log = files.growing(TurnLog.LOG);
    AppendFile metas = files.growing(TurnLog.META);
    long wholeTurns = TurnLog.countByScan(log, metas);
    long turnRemains =
        Math.max(
            remains(log, wholeTurns, TurnRecord.SIZE_BYTES),
            remains(metas, wholeTurns, TurnMeta.SIZE_BYTES));
    long turns = wholeTurns + (closedInOrder ? turnRemains : 0);
    long turnIdNext = 1 + TurnLog.lastIdByScan(log, metas, wholeTurns) + turnRemains;
    AppendFile headLog = files.headLog();
    long wholeHeads =
        count(headLog, HeadRecord.SIZE_BYTES, bytes -> HeadRecord.read(bytes, 0).isPresent());
    long headRemains = remains(headLog, wholeHeads, HeadRecord.SIZE_BYTES);
    long heads = wholeHeads + (closedInOrder ? headRemains : 0);
    long contextIdNext =
        1 + Math.max(lastContextLogged(heads), lastContextOfTurns(turns)) + headRemains;
    AppendFile overlays = files.growing(OverlayLog.FILE);
    long wholeOverlays = count(overlays, OverlayRecord.SIZE_BYTES, OverlayRecord::valid);
    long overlayRemains = remains(overlays, wholeOverlays, OverlayRecord.SIZE_BYTES);
    AppendFile pack = files.growing(BlobPack.FILE);
    AppendFile types = files.growing(TypeTable.FILE);
    return new Position(
        0,
        turnIdNext,
        turnIdNext,
        contextIdNext,
        contextIdNext,
        end(pack, BlobPack.endByScan(pack)),
        0,
        turns,
        heads,
        0,
        end(types, TypeTable.endByScan(types)),
        wholeOverlays + (closedInOrder ? overlayRemains : 0),
        0,
        0,
        0,
        0);
  }

  private long end(AppendFile file, long wholeEnd) {
    return closedInOrder && isWritten(file, wholeEnd) ? file.endBytes() : wholeEnd;
  }

  /// Whether a file holds anything but zeros from `end` on.
  static boolean isWritten(AppendFile file, long end) {
    final int step = 1 << 16;
    MemorySegment zeros = MemorySegment.ofArray(new byte[step]);
    for (long at = end; at < file.endBytes(); at += step) {
      int length = (int) Math.min(step, file.endBytes() - at);
      if (file.at(at, length).mismatch(zeros.asSlice(0, length)) >= 0) {
        return true;
      }
    }
    return false;
  }

  /// Whether the files hold whole records, and nothing else, from one position to a later one.
  static boolean isWholeBetween(StoreFiles files, Position from, Position to) {
    long[] ends = StoreFiles.ends(to);
    for (int i = 0; i < ends.length; i++) {
      AppendFile file = files.growing(StoreFiles.GROWING.get(i));
      if (!StoreFiles.DERIVED.contains(file.name()) && file.readableBytes() < ends[i]) {
        return false;
      }
    }
    return areWhole(
            files.growing(TurnLog.LOG),
            from.turns(),
            to.turns(),
            TurnRecord.SIZE_BYTES,
            TurnRecord::valid)
        && areWhole(
            files.growing(TurnLog.META),
            from.turns(),
            to.turns(),
            TurnMeta.SIZE_BYTES,
            TurnMeta::valid)
        && areWhole(
            files.headLog(),
            from.headLogRecords(),
            to.headLogRecords(),
            HeadRecord.SIZE_BYTES,
            bytes -> HeadRecord.read(bytes, 0).isPresent())
        && areWhole(
            files.growing(OverlayLog.FILE),
            from.overlays(),
            to.overlays(),
            OverlayRecord.SIZE_BYTES,
            OverlayRecord::valid)
        && TypeTable.isWhole(files.growing(TypeTable.FILE), from.typesEnd(), to.typesEnd())
        && files.blobs.placedBetween(from.packEnd(), to.packEnd()).isPresent();
  }

  private static boolean areWhole(
      AppendFile file, long from, long to, int sizeBytes, Predicate<MemorySegment> valid) {
    for (long i = from; i < to; i++) {
      if (!valid.test(record(file, i, sizeBytes))) {
        return false;
      }
    }
    return true;
  }

  private static MemorySegment record(AppendFile file, long ordinal, int sizeBytes) {
    return file.at(ordinal * sizeBytes, sizeBytes);
  }

  /// How many records a file has, up to the last valid one.
  private static long count(AppendFile file, int sizeBytes, Predicate<MemorySegment> valid) {
    long count = file.endBytes() / sizeBytes;
    while (count > 0 && !valid.test(record(file, count - 1, sizeBytes))) {
      count--;
    }
    return count;
  }

  /// How many records there are behind `count` up to the last that is not zeros.
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
    for (long i = 0; i < headLogRecords; i++) {
      last =
          Math.max(
              last,
              HeadRecord.read(record(files.headLog(), i, HeadRecord.SIZE_BYTES), 0)
                  .map(HeadRecord::contextId)
                  .orElse(0L));
    }
    return last;
  }

  private long lastContextOfTurns(long turns) {
    AppendFile metas = files.growing(TurnLog.META);
    long last = 0;
    for (long i = 0; i < Math.min(turns, metas.endBytes() / TurnMeta.SIZE_BYTES); i++) {
      MemorySegment bytes = record(metas, i, TurnMeta.SIZE_BYTES);
      if (TurnMeta.valid(bytes)) {
        TurnMeta meta = TurnMeta.read(bytes, TurnLog.META, i * TurnMeta.SIZE_BYTES);
        last = Math.max(last, meta.movedHead() ? meta.contextId() : 0);
      }
    }
    return last;
  }
}
