// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.Overlay;
import dev.varve.StoreException;
import dev.varve.blob.BlobPack;
import dev.varve.blob.PackSurvey;
import dev.varve.chunk.ChunkSizes;
import dev.varve.erasure.SurveyedBlobs;
import dev.varve.erasure.SurveyedTurns;
import dev.varve.journal.StorePosition;
import dev.varve.turn.HeadRecord;
import dev.varve.turn.OverlayRecord;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// A moment of a store on a disk, as the planner of an erasure reads it. Nothing is held in memory.
final class FileSurvey implements SurveyedBlobs, SurveyedTurns {

  private final StoreFiles files;
  private final StorePosition position;
  private final ChunkSizes sizes;
  private final BlobPack blobs;
  private final PackSurvey pack;

  /// @param position the end of what is looked at
  /// @param blobs the pack that has the blobs up to the position
  FileSurvey(StoreFiles files, StorePosition position, BlobPack blobs, ChunkSizes sizes) {
    if (position.ends().turns() > Integer.MAX_VALUE) {
      throw new StoreException.TooLarge(
          "turns to survey", position.ends().turns(), Integer.MAX_VALUE);
    }
    this.files = files;
    this.position = position;
    this.sizes = sizes;
    this.blobs = blobs;
    this.pack = new PackSurvey(blobs, position.ends().blobEntries(), position.ends().packEnd());
  }

  StorePosition position() {
    return position;
  }

  /// Returns whether these are blobs of a pack.
  boolean isOf(BlobPack other) {
    return blobs == other;
  }

  // ---- blobs

  @Override
  public int blobCount() {
    return pack.count();
  }

  @Override
  public long endBytes() {
    return position.ends().packEnd();
  }

  @Override
  public ChunkSizes chunkSizes() {
    return sizes;
  }

  @Override
  public Blob blob(int ordinal) {
    PackSurvey.Entry entry = pack.entry(ordinal);
    return new Blob(
        entry.hash(), entry.offset(), entry.rawBytes(), entry.recordBytes(), entry.chunked());
  }

  @Override
  public boolean isLive(int ordinal) {
    return pack.isLive(pack.entry(ordinal));
  }

  @Override
  public int ordinal(BlobHash hash) {
    return pack.ordinal(hash);
  }

  @Override
  public byte[] content(int ordinal) {
    return pack.content(pack.entry(ordinal));
  }

  @Override
  public void requireWhole(LongConsumer reached) {
    pack.requireWhole(reached);
  }

  @Override
  public StoreException.Corrupt corrupt(int ordinal, String expected, String found) {
    return new StoreException.Corrupt(BlobPack.FILE, pack.entry(ordinal).offset(), expected, found);
  }

  // ---- turns

  @Override
  public int turnCount() {
    return (int) position.ends().turns();
  }

  @Override
  public long turnId(int turn) {
    return files.turns.id(turn);
  }

  @Override
  public int turnOf(long id) {
    return (int) files.turns.ordinal(id);
  }

  @Override
  public long parentId(int turn) {
    return files.turns.record(turn).parentTurnId();
  }

  @Override
  public ContextId contextOf(int turn) {
    return new ContextId(files.turns.meta(turn).contextId());
  }

  @Override
  public int payload(int turn) {
    return pack.ordinal(files.turns.record(turn).payloadHash());
  }

  @Override
  public int fsRoot(int turn) {
    return ordinalOrNone(files.turns.meta(turn).fsRoot());
  }

  private int ordinalOrNone(@Nullable BlobHash hash) {
    return hash == null ? -1 : pack.ordinal(hash);
  }

  @Override
  public void eachOverlay(Consumer<SurveyedOverlay> visitor) {
    for (long seq = 1; seq <= position.ends().overlays(); seq++) {
      OverlayRecord overlay = files.overlays.record(seq);
      visitor.accept(
          new SurveyedOverlay(
              seq,
              turnOf(overlay.targetTurnId()),
              overlay.targetTurnId(),
              overlay.kind(),
              overlay.kind() == Overlay.Kind.TOMBSTONE
                  ? -1
                  : pack.ordinal(overlay.newPayloadHash())));
    }
  }

  // ---- contexts

  @Override
  public boolean hasContext(ContextId context) {
    return files.heads.find(context.value()).isPresent();
  }

  @Override
  public void eachPlace(Consumer<ContextPlace> visitor) {
    eachHead(
        head ->
            visitor.accept(
                new ContextPlace(
                    new ContextId(head.contextId()), head.headTurnId(), head.baseTurnId())));
  }

  private void eachHead(Consumer<HeadRecord> visitor) {
    for (long id = 1; id <= files.heads.maxId(); id++) {
      files.heads.find(id).ifPresent(visitor);
    }
  }

  @Override
  public void eachAbout(Consumer<ContextAbout> visitor) {
    Consumer<HeadRecord> about =
        head -> {
          if (head.about() != null) {
            visitor.accept(
                new ContextAbout(new ContextId(head.contextId()), ordinalOrNone(head.about())));
          }
        };
    for (long i = 0; i < position.ends().headLogRecords(); i++) {
      about.accept(logged(files, i));
    }
    eachHead(about);
  }

  /// A record of the log of contexts.
  ///
  /// @throws StoreException.Corrupt if the record is damaged
  static HeadRecord logged(StoreFiles files, long record) {
    long offset = record * HeadRecord.SIZE_BYTES;
    return HeadRecord.read(files.headLog().at(offset, HeadRecord.SIZE_BYTES), 0, files.shortId())
        .orElseThrow(
            () ->
                new StoreException.Corrupt(
                    files.headLog().name(), offset, "a record of a context", "damage"));
  }
}
