// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.blob.BlobPack;
import dev.varve.disk.AppendFile;
import dev.varve.journal.Batch;
import dev.varve.journal.StorePosition;
import dev.varve.turn.HeadRebuild;
import dev.varve.turn.HeadRecord;
import dev.varve.turn.OverlayLog;
import dev.varve.turn.OverlayRecord;
import dev.varve.turn.TurnLog;
import dev.varve.turn.TurnMeta;
import dev.varve.turn.TurnRecord;
import dev.varve.turn.TypeTable;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// Writes the records of a journal's batch into the files where they belong.
final class BatchWriter {

  private final StoreFiles files;

  BatchWriter(StoreFiles files) {
    this.files = files;
  }

  /// Writes the batch's bytes of the pack.
  ///
  /// @return whether the other bytes of the commit are in the pack, as far as the file's size shows
  boolean writePack(Batch batch) {
    AppendFile pack = files.growing(BlobPack.FILE);
    long start = batch.before().ends().packEnd();
    long end = batch.after().ends().packEnd();
    if (!batch.packInPlace()) {
      write(BlobPack.FILE, start, batch.pack());
      return true;
    }
    long head = Batch.headBytes(start);
    long tail = Batch.tailBytes(end);
    boolean isThere = pack.readableBytes() >= end - tail;
    if (batch.pack().byteSize() != head + tail || !isThere && !batch.packForced()) {
      return false;
    }
    write(BlobPack.FILE, start, batch.pack().asSlice(0, head));
    if (!isThere) {
      pack.write(end - 1, ByteBuffer.allocate(1)); // what is missing reads as damaged
    }
    write(BlobPack.FILE, end - tail, batch.pack().asSlice(head));
    return isThere;
  }

  /// Writes bytes of the pack again although the pack has them.
  void rewritePack(long from, long end) {
    AppendFile pack = files.growing(BlobPack.FILE);
    final int step = 1 << 20;
    for (long at = from; at < end; at += step) {
      int length = (int) Math.min(step, end - at);
      byte[] bytes = new byte[length];
      MemorySegment.copy(pack.at(at, length), 0, MemorySegment.ofArray(bytes), 0, length);
      pack.write(at, ByteBuffer.wrap(bytes));
    }
  }

  /// Writes the batch's records of everything but blobs.
  void writeRecords(Batch batch) {
    StorePosition.Ends before = batch.before().ends();
    write(TurnLog.LOG, before.turns() * TurnRecord.SIZE_BYTES, batch.turns());
    write(TurnLog.META, before.turns() * TurnMeta.SIZE_BYTES, batch.metas());
    write(HeadRebuild.LOG, before.headLogRecords() * HeadRecord.SIZE_BYTES, batch.headLog());
    write(TypeTable.FILE, before.typesEnd(), batch.types());
    write(OverlayLog.FILE, before.overlays() * OverlayRecord.SIZE_BYTES, batch.overlays());
  }

  private void write(String name, long offset, MemorySegment bytes) {
    if (bytes.byteSize() > 0) {
      files.growing(name).write(offset, bytes.asByteBuffer());
    }
  }
}
