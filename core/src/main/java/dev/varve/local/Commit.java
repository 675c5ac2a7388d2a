// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.DeclaredType;
import dev.varve.blob.BlobRecord;
import dev.varve.blob.PlacedBlob;
import dev.varve.journal.Batch;
import dev.varve.journal.StorePosition;
import dev.varve.turn.HeadRecord;
import dev.varve.turn.OverlayRecord;
import dev.varve.turn.TurnMeta;
import dev.varve.turn.TurnRecord;
import dev.varve.turn.TypeTable;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// A draft as bytes: the bytes for each file, and all of them as one batch of the journal.
final class Commit {

  final CommitDraft draft;
  final StorePosition after;
  final Batch batch;
  private final byte[] packBytes;
  private final byte[] turnBytes;
  private final byte[] metaBytes;
  private final byte[] headLogBytes;
  private final byte[] typeBytes;
  private final byte[] overlayBytes;

  /// @param storeId the store's id in 64 bits, which records carry
  /// @param inPlaceBytes with more record bytes than this number the batch leaves most record bytes
  ///   out
  /// @param forces whether the left out bytes are forced before the batch is written, and the batch
  ///   before anything else is written
  Commit(CommitDraft draft, long storeId, int inPlaceBytes, boolean forces) {
    this.draft = draft;
    packBytes = new byte[Math.toIntExact(draft.packBytes())];
    MemorySegment pack = MemorySegment.ofArray(packBytes);
    List<PlacedBlob> blobs = draft.blobs.placed();
    List<byte[]> stored = draft.blobs.storedBytes();
    long at = 0;
    for (int i = 0; i < blobs.size(); i++) {
      BlobRecord record = blobs.get(i).record();
      record.writeAll(stored.get(i), pack, at);
      at += record.sizeBytes();
    }
    turnBytes = new byte[draft.turns.size() * TurnRecord.SIZE_BYTES];
    metaBytes = new byte[draft.metas.size() * TurnMeta.SIZE_BYTES];
    MemorySegment turns = MemorySegment.ofArray(turnBytes);
    MemorySegment metas = MemorySegment.ofArray(metaBytes);
    for (int i = 0; i < draft.turns.size(); i++) {
      draft.turns.get(i).write(turns, (long) i * TurnRecord.SIZE_BYTES);
      MemorySegment turn = turns.asSlice((long) i * TurnRecord.SIZE_BYTES, TurnRecord.SIZE_BYTES);
      draft
          .metas
          .get(i)
          .write(metas, (long) i * TurnMeta.SIZE_BYTES, storeId, TurnRecord.crc(turn));
    }
    headLogBytes = headBytes(draft.headLog, storeId);
    ByteArrayOutputStream types = new ByteArrayOutputStream();
    for (Map.Entry<DeclaredType, Long> type : draft.types.tags().entrySet()) {
      TypeTable.encode(type.getValue(), type.getKey(), types);
    }
    typeBytes = types.toByteArray();
    overlayBytes = new byte[draft.overlays.size() * OverlayRecord.SIZE_BYTES];
    MemorySegment overlays = MemorySegment.ofArray(overlayBytes);
    for (int i = 0; i < draft.overlays.size(); i++) {
      draft.overlays.get(i).write(overlays, (long) i * OverlayRecord.SIZE_BYTES, storeId);
    }
    after = draft.after(typeBytes.length);
    byte[] shared = packBytes.length > inPlaceBytes ? sharedBytes() : packBytes;
    boolean inPlace = shared.length < packBytes.length;
    batch =
        new Batch(
            draft.before(),
            after,
            inPlace && forces,
            forces,
            MemorySegment.ofArray(shared),
            turns,
            metas,
            MemorySegment.ofArray(headLogBytes),
            MemorySegment.ofArray(headBytes(List.copyOf(draft.heads.values()), storeId)),
            MemorySegment.ofArray(typeBytes),
            overlays);
  }

  /// The bytes of the commit's records that must be in the journal although all bytes are forced in
  /// place.
  private byte[] sharedBytes() {
    long head = Batch.headBytes(draft.before().ends().packEnd());
    long tail = Batch.tailBytes(after.ends().packEnd());
    if (head + tail >= packBytes.length) {
      return packBytes;
    }
    byte[] shared = Arrays.copyOf(packBytes, (int) (head + tail));
    System.arraycopy(packBytes, (int) (packBytes.length - tail), shared, (int) head, (int) tail);
    return shared;
  }

  private static byte[] headBytes(List<HeadRecord> heads, long storeId) {
    byte[] bytes = new byte[heads.size() * HeadRecord.SIZE_BYTES];
    MemorySegment target = MemorySegment.ofArray(bytes);
    for (int i = 0; i < heads.size(); i++) {
      heads.get(i).write(target, (long) i * HeadRecord.SIZE_BYTES, storeId);
    }
    return bytes;
  }

  /// Writes records that are too large for the journal into the pack. No reader sees the records
  /// yet, and a failure changes nothing for readers.
  void writeLarge(StoreFiles files) {
    if (batch.packInPlace()) {
      writePack(files);
    }
  }

  private void writePack(StoreFiles files) {
    StorePosition.Ends before = draft.before().ends();
    files.packWriter.write(
        before.packEnd(), ByteBuffer.wrap(packBytes), before.blobEntries(), draft.blobs.placed());
  }

  /// Writes all other bytes into the files where they belong. No reader sees the bytes yet.
  void write(StoreFiles files) {
    StorePosition.Ends before = draft.before().ends();
    if (packBytes.length > 0 && !batch.packInPlace()) {
      writePack(files);
    }
    if (turnBytes.length > 0) {
      files.turns.write(before.turns(), ByteBuffer.wrap(turnBytes), ByteBuffer.wrap(metaBytes));
    }
    if (headLogBytes.length > 0) {
      files
          .headLog()
          .write(before.headLogRecords() * HeadRecord.SIZE_BYTES, ByteBuffer.wrap(headLogBytes));
    }
    if (typeBytes.length > 0) {
      files.types.write(before.typesEnd(), ByteBuffer.wrap(typeBytes));
    }
    if (overlayBytes.length > 0) {
      files.overlays.write(before.overlays() + 1, ByteBuffer.wrap(overlayBytes));
    }
  }

  /// Shows readers the commit: blobs, then turns, then heads, so that no reader sees a head before
  /// the turns to which the head leads.
  ///
  /// @param forced whether the commit survives a power cut
  void publish(StoreFiles files, boolean forced) {
    StorePosition.Ends ends = after.ends();
    List<PlacedBlob> blobs = draft.blobs.placed();
    if (!blobs.isEmpty()) {
      files.packWriter.publish(ends.packEnd(), ends.blobEntries(), blobs);
    }
    if (typeBytes.length > 0) {
      files.types.publish(ends.typesEnd());
    }
    if (!draft.turns.isEmpty()) {
      files.turns.publish(draft.turns.stream().mapToLong(TurnRecord::turnId).toArray());
      for (int i = 0; i < draft.turns.size(); i++) {
        files.finder().index(draft.turns.get(i), draft.metas.get(i));
      }
    }
    if (!draft.overlays.isEmpty()) {
      files.overlays.publish(ends.overlays());
      draft.overlays.forEach(overlay -> files.overlays.index(overlay, forced));
    }
    files.headLog().end(ends.headLogRecords() * HeadRecord.SIZE_BYTES);
    draft.heads.values().forEach(files.heads::put);
  }
}
