// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.StoreOptions;
import dev.varve.blob.BlobPack;
import dev.varve.disk.AppendFile;
import dev.varve.disk.Disk;
import dev.varve.journal.Batch;
import dev.varve.journal.Checkpoint;
import dev.varve.journal.Journal;
import dev.varve.journal.Position;
import dev.varve.turn.HeadRebuild;
import dev.varve.turn.HeadRecord;
import dev.varve.turn.HeadTable;
import dev.varve.turn.OverlayLog;
import dev.varve.turn.OverlayRecord;
import dev.varve.turn.TurnLog;
import dev.varve.turn.TurnMeta;
import dev.varve.turn.TurnRecord;
import dev.varve.turn.TypeTable;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Opens the files of a store, in whatever state the last process left them.
///
/// What is behind the checkpoint is written again from the journal, batch by batch, up to the first that is not whole; what
/// is behind that is cut off. Work is proportional to the journal's content, not to the store's size. If the checkpoint is
/// gone, the ends are found by reading the files.
final class Recovery {

  private static final System.Logger LOGGER = System.getLogger("dev.varve.local");

  /// The files, and where the store stands.
  ///
  /// @param position what is durable; numbers that may have been given are skipped
  /// @param checkpointSeq sequence of the checkpoint found, 0 if none
  /// @param changed whether the files differ from what the checkpoint says, so that a new one is due
  record Opened(StoreFiles files, Position position, long checkpointSeq, boolean changed) {}

  /// More batches than two journal files can hold.
  private static final long BATCHES_SKIPPED = 1L << 20;

  private final Disk disk;
  private final StoreRoot root;
  private final StoreFiles files;
  private final List<HeadRecord> replayedHeads = new ArrayList<>();
  private Position position = Position.START;
  private boolean endsKnown = true;

  private Recovery(Disk disk, StoreRoot root, StoreFiles files) {
    this.disk = disk;
    this.root = root;
    this.files = files;
  }

  static Opened open(Disk disk, StoreRoot root, StoreOptions options, Geometry geometry) {
    StoreFiles files = new StoreFiles(disk, options, geometry.growth());
    try {
      return new Recovery(disk, root, files).open();
    } catch (RuntimeException | Error e) {
      files.close(false);
      throw e;
    }
  }

  private Opened open() {
    Optional<Checkpoint> checkpoint = Checkpoint.read(disk, root.shortId());
    if (checkpoint.isPresent()) {
      position = checkpoint.get().position();
    } else {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "{0}: no valid checkpoint; the files are read to find their ends",
          Checkpoint.FILE);
      position = positionByScan();
      endsKnown = false;
    }
    boolean cleanlyClosed = checkpoint.isPresent() && checkpoint.get().clean();
    extendTo(position);
    if (checkpoint.isPresent() && !isQuiet(cleanlyClosed)) {
      restoreTails(checkpoint.get());
    }
    setEnds(position);
    long batchSeq = checkpoint.isPresent() ? position.batchSeq() : -1;
    long replayed = Journal.replay(disk, root.shortId(), batchSeq, this::replay);
    boolean clean = cleanlyClosed && replayed == 0;
    position = clean ? withLimitsAtNext(position) : withNextAtLimits(position);
    if (!clean) {
      LOGGER.log(
          System.Logger.Level.INFO,
          "not closed in order; {0} commits taken from the journal, next turn is {1}",
          replayed,
          position.turnIdNext());
      files.truncateToEnds();
    }
    long seq = checkpoint.map(Checkpoint::seq).orElse(0L);
    files.openParts(position, root.storeId(), root.shortId(), seq);
    replayedHeads.forEach(files.heads::put);
    if (checkpoint.isEmpty()) {
      position = counted(position);
    }
    return new Opened(files, position, seq, !clean);
  }

  /// Whether the last process closed the store and no other has written since: there is no journal.
  private boolean isQuiet(boolean cleanlyClosed) {
    return cleanlyClosed && !disk.exists(Journal.FILE_A) && !disk.exists(Journal.FILE_B);
  }

  // ---- numbers

  /// After an orderly close no number beyond the next was ever given.
  private static Position withLimitsAtNext(Position p) {
    return withNumbers(
        p, p.batchSeq(), p.turnIdNext(), p.turnIdNext(), p.contextIdNext(), p.contextIdNext());
  }

  /// After a crash any number below the limits may have been given for something that is lost. That goes for batches too:
  /// the journal may still hold some behind the first that is not whole, and they must never follow a later one.
  private static Position withNextAtLimits(Position p) {
    long turnId = Math.max(p.turnIdNext(), p.turnIdLimit());
    long contextId = Math.max(p.contextIdNext(), p.contextIdLimit());
    return withNumbers(p, p.batchSeq() + BATCHES_SKIPPED, turnId, turnId, contextId, contextId);
  }

  private static Position withNumbers(
      Position p,
      long batchSeq,
      long turnNext,
      long turnLimit,
      long contextNext,
      long contextLimit) {
    return new Position(
        batchSeq,
        turnNext,
        turnLimit,
        contextNext,
        contextLimit,
        p.packEnd(),
        p.blobEntries(),
        p.turns(),
        p.headLogRecords(),
        p.headSlots(),
        p.typesEnd(),
        p.overlays(),
        p.contexts(),
        p.blobs(),
        p.rawBytes(),
        p.storedBytes());
  }

  // ---- ends

  /// A file that is shorter than it must be has lost its end; what is lost reads as damaged, and keeps its place.
  private void extendTo(Position position) {
    long[] ends = StoreFiles.ends(position);
    for (int i = 0; i < ends.length; i++) {
      AppendFile file = files.growing(StoreFiles.GROWING.get(i));
      if (file.endBytes() < ends[i]) {
        if (!StoreFiles.DERIVED.contains(file.name())) {
          LOGGER.log(
              System.Logger.Level.ERROR,
              "{0}: {1} bytes are missing behind byte {2}",
              file.name(),
              ends[i] - file.endBytes(),
              file.endBytes());
        }
        file.write(ends[i] - 1, ByteBuffer.wrap(new byte[1]));
      }
    }
  }

  private void restoreTails(Checkpoint checkpoint) {
    long[] ends = StoreFiles.ends(checkpoint.position());
    for (int i = 0; i < ends.length; i++) {
      byte[] tail = checkpoint.tails().get(i);
      if (tail.length > 0 && tail.length <= ends[i]) {
        files
            .growing(StoreFiles.GROWING.get(i))
            .write(ends[i] - tail.length, ByteBuffer.wrap(tail));
      }
    }
  }

  private void setEnds(Position position) {
    long[] ends = StoreFiles.ends(position);
    for (int i = 0; i < ends.length; i++) {
      files.growing(StoreFiles.GROWING.get(i)).end(ends[i]);
    }
  }

  // ---- the journal

  private boolean replay(Batch batch) {
    if (!endsKnown) {
      endsKnown = true; // the journal knows better than a scan
      position = batch.before();
      extendTo(position);
      setEnds(position);
    }
    if (!sameEnds(batch.before(), position)) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "commit {0} of the journal does not follow commit {1}",
          batch.after().batchSeq(),
          position.batchSeq());
      return false;
    }
    Position before = batch.before();
    Position after = batch.after();
    AppendFile pack = files.growing(BlobPack.FILE);
    if (batch.packInPlace()) {
      if (pack.readableBytes() < after.packEnd()) {
        return false;
      }
    } else {
      write(BlobPack.FILE, before.packEnd(), batch.pack());
    }
    Optional<List<BlobPack.Placed>> placed =
        files.blobs.placedBetween(before.packEnd(), after.packEnd());
    if (placed.isEmpty() || placed.get().size() != after.blobEntries() - before.blobEntries()) {
      return false; // large records that were not forced, and are lost
    }
    if (!placed.get().isEmpty()) {
      files.blobs.writeIndex(before.blobEntries(), placed.get());
    }
    write(TurnLog.LOG, before.turns() * TurnRecord.SIZE_BYTES, batch.turns());
    write(TurnLog.META, before.turns() * TurnMeta.SIZE_BYTES, batch.metas());
    write(HeadRebuild.LOG, before.headLogRecords() * HeadRecord.SIZE_BYTES, batch.headLog());
    write(TypeTable.FILE, before.typesEnd(), batch.types());
    write(OverlayLog.FILE, before.overlays() * OverlayRecord.SIZE_BYTES, batch.overlays());
    MemorySegment heads = batch.heads();
    for (long at = 0; at < heads.byteSize(); at += HeadRecord.SIZE_BYTES) {
      HeadRecord.read(heads, at).ifPresent(replayedHeads::add);
    }
    position = after;
    setEnds(after);
    return true;
  }

  private static boolean sameEnds(Position a, Position b) {
    return Arrays.equals(StoreFiles.ends(a), StoreFiles.ends(b));
  }

  private void write(String name, long offset, MemorySegment bytes) {
    if (bytes.byteSize() > 0) {
      files.growing(name).write(offset, bytes.asByteBuffer());
    }
  }

  // ---- without a checkpoint

  private Position positionByScan() {
    long packEnd = BlobPack.endByScan(files.growing(BlobPack.FILE));
    long turns = TurnLog.countByScan(files.growing(TurnLog.LOG));
    long headLog = headLogByScan();
    long overlays = overlaysByScan();
    long typesEnd = TypeTable.endByScan(files.growing(TypeTable.FILE));
    long[] next = {1, 1};
    if (turns > 0) {
      AppendFile log = files.growing(TurnLog.LOG);
      long offset = (turns - 1) * TurnRecord.SIZE_BYTES;
      next[0] =
          TurnRecord.read(log.at(offset, TurnRecord.SIZE_BYTES), TurnLog.LOG, offset).turnId() + 1;
    }
    for (long i = 0; i < headLog; i++) {
      HeadRecord.read(
              files.headLog().at(i * HeadRecord.SIZE_BYTES, HeadRecord.SIZE_BYTES), 0)
          .ifPresent(head -> next[1] = Math.max(next[1], head.contextId() + 1));
    }
    long slots = files.headSlots().endBytes() / HeadRecord.SIZE_BYTES;
    return new Position(
        0, next[0], next[0], next[1], next[1], packEnd, 0, turns, headLog, slots, typesEnd,
        overlays, 0, 0, 0, 0);
  }

  private long headLogByScan() {
    AppendFile log = files.headLog();
    long count = log.endBytes() / HeadRecord.SIZE_BYTES;
    while (count > 0
        && HeadRecord.read(
                log.at((count - 1) * HeadRecord.SIZE_BYTES, HeadRecord.SIZE_BYTES), 0)
            .isEmpty()) {
      count--;
    }
    return count;
  }

  private long overlaysByScan() {
    AppendFile log = files.growing(OverlayLog.FILE);
    long count = log.endBytes() / OverlayRecord.SIZE_BYTES;
    while (count > 0
        && !OverlayRecord.valid(
            log.at((count - 1) * OverlayRecord.SIZE_BYTES, OverlayRecord.SIZE_BYTES))) {
      count--;
    }
    return count;
  }

  /// Counts what a checkpoint would have told.
  private Position counted(Position p) {
    long[] tally = files.blobs.tally();
    long contexts = 0;
    for (long id = 1; id <= files.heads.maxId(); id++) {
      contexts += files.heads.find(id).isPresent() ? 1 : 0;
    }
    return new Position(
        p.batchSeq(),
        p.turnIdNext(),
        p.turnIdLimit(),
        p.contextIdNext(),
        p.contextIdLimit(),
        p.packEnd(),
        files.blobs.entryCount(),
        p.turns(),
        p.headLogRecords(),
        Math.max(p.headSlots(), files.heads.maxId() + 1),
        p.typesEnd(),
        p.overlays(),
        contexts,
        tally[0],
        tally[1],
        tally[2]);
  }
}
