// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.blob.BlobPack;
import dev.varve.blob.PackTail;
import dev.varve.disk.AppendFile;
import dev.varve.turn.HeadRebuild;
import dev.varve.turn.HeadRecord;
import dev.varve.turn.OverlayLog;
import dev.varve.turn.OverlayRecord;
import dev.varve.turn.TurnLog;
import dev.varve.turn.TurnMeta;
import dev.varve.turn.TurnRecord;
import dev.varve.turn.TypeTable;
import java.lang.foreign.MemorySegment;
import java.util.function.Predicate;

/// Reads the records of one primary file, without any other file, and verifies their checksums.
final class WholeRecords {

  private WholeRecords() {}

  /// The offset of the first record that is damaged or of another store; `end` if there is no such
  /// record.
  ///
  /// @param file a primary file, by whose name the kind of its records is known
  /// @param storeId the store's id in 64 bits
  /// @param from where a record begins
  /// @param end where a record ends
  static long upTo(AppendFile file, long storeId, long from, long end) {
    long there = Math.min(end, file.readableBytes());
    return switch (file.name()) {
      case BlobPack.FILE -> PackTail.wholeUpTo(file, from, there);
      case TypeTable.FILE -> TypeTable.wholeUpTo(file, from, there);
      case TurnLog.LOG -> upTo(file, from, there, TurnRecord.SIZE_BYTES, TurnRecord::valid);
      case TurnLog.META ->
          upTo(file, from, there, TurnMeta.SIZE_BYTES, bytes -> TurnMeta.valid(bytes, storeId));
      case HeadRebuild.LOG ->
          upTo(
              file,
              from,
              there,
              HeadRecord.SIZE_BYTES,
              bytes -> HeadRecord.read(bytes, 0, storeId).isPresent());
      case OverlayLog.FILE ->
          upTo(
              file,
              from,
              there,
              OverlayRecord.SIZE_BYTES,
              bytes -> OverlayRecord.valid(bytes, storeId));
      default -> throw new AssertionError("not a primary file: " + file.name());
    };
  }

  private static long upTo(
      AppendFile file, long from, long end, int sizeBytes, Predicate<MemorySegment> valid) {
    long at = from;
    while (at + sizeBytes <= end && valid.test(file.at(at, sizeBytes))) {
      at += sizeBytes;
    }
    return at;
  }
}
