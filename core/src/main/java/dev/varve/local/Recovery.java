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
/// What is behind the checkpoint is written again from the journal, batch by batch, up to the first
/// that is not whole; what is behind that is cut off. Work is proportional to the journal's
/// content, not to the store's size. If the checkpoint is gone, the ends are found by reading the
/// files.
final class Recovery implements Journal.Replay {

  private static final System.Logger LOGGER = System.getLogger("dev.varve.local");

  /// The files, and where the store stands.
  ///
  /// @param position what is durable; numbers that may have been given are skipped
  /// @param checkpointSeq sequence of the checkpoint found, 0 if none
  /// @param changed whether the files differ from what the checkpoint says, so that a new one is
  ///   due
  record Opened(StoreFiles files, Position position, long checkpointSeq, boolean changed) {}

  /// More batches than two journal files can hold.
  private static final long BATCHES_SKIPPED = 1L << 20;

  private final Disk disk;
  private final StoreRoot root;
  private final StoreFiles files;
  private final List<HeadRecord> replayedHeads = new ArrayList<>();
  private Position position = Position.START;
  private boolean endsKnown = true;
  private boolean headsKnown = true;

  /// Limits of batches that are lost although their numbers may have been given.
  private long turnIdLimit;

  private long contextIdLimit;

  private Recovery(Disk disk, StoreRoot root, StoreFiles files) {
    this.disk = disk;
    this.root = root;
    this.files = files;
  }

  static Opened open(Disk disk, StoreRoot root, StoreOptions options, Geometry geometry) {
    StoreFiles files = new StoreFiles(disk, options, geometry);
    try {
      return new Recovery(disk, root, files).open();
    } catch (RuntimeException | Error e) {
      files.close(false);
      throw e;
    }
  }

  private Opened open() {
    Checkpoint checkpoint = trustedCheckpoint().orElse(null);
    boolean clean = checkpoint != null && checkpoint.clean();
    // With a journal somebody has written since, even if nothing of it can be taken.
    boolean quiet = clean && !Journal.isOn(disk);
    if (checkpoint == null) {
      position = new EndScan(files, !Journal.isOn(disk)).position();
      noteGiven(position);
      endsKnown = false;
      headsKnown = false;
    } else {
      position = clean ? withLimitsAtNext(checkpoint.position()) : checkpoint.position();
    }
    boolean whole = extendTo(position);
    if (checkpoint != null) {
      whole &= restoreTails(checkpoint);
    }
    setEnds(position);
    if (!quiet) {
      replayJournal(checkpoint == null ? -1 : position.batchSeq());
    }
    long seq = checkpoint == null ? 0 : checkpoint.seq();
    boolean held =
        files.openParts(position, root.storeId(), root.shortId(), headsKnown ? checkpoint : null);
    replayedHeads.forEach(files.heads::put);
    if (checkpoint == null) {
      position = counted(position);
    }
    held &= position.blobEntries() == files.blobs.entryCount();
    position = withBlobEntries(position, files.blobs.entryCount());
    return new Opened(files, position, seq, !(quiet && whole && held));
  }

  /// The newest checkpoint, unless the files show that there must have been a newer one.
  ///
  /// Whoever writes has a journal, and deletes it only after the checkpoint that closes the store.
  /// So without a journal the newest checkpoint is such a one, and nothing stands behind it.
  private Optional<Checkpoint> trustedCheckpoint() {
    Optional<Checkpoint> newest = Checkpoint.read(disk, root.shortId());
    String wrong = "";
    if (newest.isEmpty()) {
      wrong = "no valid checkpoint";
    } else if (!Journal.isOn(disk)
        && (!newest.get().clean() || isAnythingBehind(newest.get().position()))) {
      wrong = "the newest checkpoint is lost";
      noteGiven(newest.get().position());
    }
    if (wrong.isEmpty()) {
      return newest;
    }
    LOGGER.log(
        System.Logger.Level.WARNING,
        "{0}: {1}; the files are read to find their ends",
        Checkpoint.FILE,
        wrong);
    return Optional.empty();
  }

  private boolean isAnythingBehind(Position position) {
    long[] ends = StoreFiles.ends(position);
    for (int i = 0; i < ends.length; i++) {
      AppendFile file = files.growing(StoreFiles.GROWING.get(i));
      if (!StoreFiles.DERIVED.contains(file.name()) && EndScan.isWritten(file, ends[i])) {
        return true;
      }
    }
    return false;
  }

  private void noteGiven(Position p) {
    turnIdLimit = Math.max(turnIdLimit, Math.max(p.turnIdNext(), p.turnIdLimit()));
    contextIdLimit = Math.max(contextIdLimit, Math.max(p.contextIdNext(), p.contextIdLimit()));
  }

  private void replayJournal(long batchSeq) {
    long replayed = Journal.replay(disk, root.shortId(), batchSeq, this);
    position = withNextAtLimits(position);
    LOGGER.log(
        System.Logger.Level.INFO,
        "not closed in order; {0} commits taken from the journal, next turn is {1}",
        replayed,
        position.turnIdNext());
    files.truncateToEnds();
  }

  // ---- numbers

  /// After an orderly close no number beyond the next was ever given.
  private static Position withLimitsAtNext(Position p) {
    return withNumbers(
        p, p.batchSeq(), p.turnIdNext(), p.turnIdNext(), p.contextIdNext(), p.contextIdNext());
  }

  /// After a crash any number below the limits may have been given for something that is lost. That
  /// goes for batches too: the journal may still hold some behind the first that is not whole, and
  /// they must never follow a later one.
  private Position withNextAtLimits(Position p) {
    noteGiven(p);
    return withNumbers(
        p,
        p.batchSeq() + BATCHES_SKIPPED,
        turnIdLimit,
        turnIdLimit,
        contextIdLimit,
        contextIdLimit);
  }

  private static Position withBlobEntries(Position p, long blobEntries) {
    return new Position(
        p.batchSeq(),
        p.turnIdNext(),
        p.turnIdLimit(),
        p.contextIdNext(),
        p.contextIdLimit(),
        p.packEnd(),
        blobEntries,
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

  /// A file that is shorter than it must be has lost its end; what is lost reads as damaged, and
  /// keeps its place.
  ///
  /// @return whether all files were long enough
  private boolean extendTo(Position position) {
    long[] ends = StoreFiles.ends(position);
    boolean whole = true;
    for (int i = 0; i < ends.length; i++) {
      AppendFile file = files.growing(StoreFiles.GROWING.get(i));
      if (file.readableBytes() < ends[i]) {
        if (!StoreFiles.DERIVED.contains(file.name())) {
          LOGGER.log(
              System.Logger.Level.ERROR,
              "{0}: {1} bytes are missing behind byte {2}",
              file.name(),
              ends[i] - file.readableBytes(),
              file.readableBytes());
        }
        file.write(ends[i] - 1, ByteBuffer.wrap(new byte[1]));
        whole = false;
      }
    }
    return whole;
  }

  /// Mends the last blocks. Later writes may have spoiled them, and so may the cut with which a
  /// file is closed.
  ///
  /// @return whether all were whole
  private boolean restoreTails(Checkpoint checkpoint) {
    long[] ends = StoreFiles.ends(checkpoint.position());
    boolean whole = true;
    for (int i = 0; i < ends.length; i++) {
      AppendFile file = files.growing(StoreFiles.GROWING.get(i));
      MemorySegment tail = MemorySegment.ofArray(checkpoint.tails().get(i));
      int length = (int) Math.min(tail.byteSize(), ends[i]);
      if (file.at(ends[i] - length, length).mismatch(tail) >= 0) {
        file.write(ends[i] - length, tail.asByteBuffer());
        whole = false;
      }
    }
    return whole;
  }

  private void setEnds(Position position) {
    long[] ends = StoreFiles.ends(position);
    for (int i = 0; i < ends.length; i++) {
      files.growing(StoreFiles.GROWING.get(i)).end(ends[i]);
    }
  }

  // ---- the journal

  @Override
  public void passOver(Batch batch) {
    noteGiven(batch.after());
  }

  @Override
  public boolean startAt(Position before) {
    if (!EndScan.isWholeBetween(files, position, before)) {
      LOGGER.log(
          System.Logger.Level.ERROR,
          "commits {0} to {1} are lost",
          position.batchSeq() + 1,
          before.batchSeq());
      return false;
    }
    LOGGER.log(
        System.Logger.Level.WARNING,
        "{0} is of commit {1}, the journal goes on behind commit {2}",
        Checkpoint.FILE,
        position.batchSeq(),
        before.batchSeq());
    position = before;
    setEnds(before);
    headsKnown = false;
    return true;
  }

  @Override
  public boolean take(Batch batch) {
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
    if (!writePack(pack, batch)) {
      return false;
    }
    Optional<List<BlobPack.Placed>> placed =
        files.blobs.placedBetween(before.packEnd(), after.packEnd());
    if (placed.isEmpty() || placed.get().size() != after.blobEntries() - before.blobEntries()) {
      return false; // large records that were not forced, and are lost
    }
    if (batch.packInPlace() && !batch.packForced()) {
      // Written again, because a force that failed may have left bytes that the system has and the
      // disk never gets. What was
      // forced must not be written over: the power may go meanwhile, and there is no second copy.
      rewrite(pack, before.packEnd(), after.packEnd());
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

  /// Writes what the batch has of the pack.
  ///
  /// @return whether the rest is where it should be, as far as the file's size tells
  private boolean writePack(AppendFile pack, Batch batch) {
    long start = batch.before().packEnd();
    long end = batch.after().packEnd();
    if (!batch.packInPlace()) {
      write(BlobPack.FILE, start, batch.pack());
      return true;
    }
    long head = Batch.headBytes(start);
    long tail = Batch.tailBytes(end);
    if (batch.pack().byteSize() != head + tail || pack.readableBytes() < end - tail) {
      return false;
    }
    write(BlobPack.FILE, start, batch.pack().asSlice(0, head));
    write(BlobPack.FILE, end - tail, batch.pack().asSlice(head));
    return true;
  }

  private static void rewrite(AppendFile file, long from, long end) {
    final int step = 1 << 20;
    for (long at = from; at < end; at += step) {
      int length = (int) Math.min(step, end - at);
      byte[] bytes = new byte[length];
      MemorySegment.copy(file.at(at, length), 0, MemorySegment.ofArray(bytes), 0, length);
      file.write(at, ByteBuffer.wrap(bytes));
    }
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
        files.heads.maxId() + 1,
        p.typesEnd(),
        p.overlays(),
        contexts,
        tally[0],
        tally[1],
        tally[2]);
  }
}
