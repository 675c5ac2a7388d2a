// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.CheckReport.Problem;
import dev.varve.StoreOptions;
import dev.varve.blob.BlobPack;
import dev.varve.disk.Disk;
import dev.varve.journal.Checkpoint;
import dev.varve.journal.Journal;
import dev.varve.journal.StorePosition;
import dev.varve.turn.HeadRecord;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Opens the files of a store, in whatever state the last process left them.
///
/// Commits after the checkpoint are written again from the journal, batch by batch. Where the
/// journal is damaged, records of the files are taken in its place; bytes that neither accounts for
/// are cut off. Work is proportional to the journal's content, not to the store's size, unless
/// something is damaged. If the checkpoint is gone, the ends are found by reading the files.
final class Recovery {

  /// The files and the position of an opened store.
  ///
  /// @param position the durable position; it skips numbers that may have been given
  /// @param checkpointSeq the sequence of the checkpoint; 0 if none was found
  /// @param changed whether the files differ from the checkpoint, so that a new checkpoint is due
  /// @param findings damage that a reading of the files would not show
  record Opened(
      StoreFiles files,
      StorePosition position,
      long checkpointSeq,
      boolean changed,
      List<Problem> findings) {}

  private final Disk disk;
  private final StoreRoot root;
  private final StoreFiles files;
  private final StoreGeometry geometry;
  private final FileEnds ends;
  private final RecoveredState state;
  private final JournalReplay replay;
  private final boolean underived;

  private Recovery(
      Disk disk, StoreRoot root, StoreFiles files, StoreGeometry geometry, boolean underived) {
    this.underived = underived;
    this.disk = disk;
    this.root = root;
    this.files = files;
    this.geometry = geometry;
    this.ends = new FileEnds(files);
    this.state = new RecoveredState(ends);
    this.replay = new JournalReplay(files, state);
  }

  /// @param underived whether the derived files were deleted on purpose
  static Opened open(
      Disk disk, StoreRoot root, StoreOptions options, StoreGeometry geometry, boolean underived) {
    StoreFiles files = new StoreFiles(disk, root, options, geometry);
    try {
      return new Recovery(disk, root, files, geometry, underived).open();
    } catch (RuntimeException | Error e) {
      files.close(false);
      throw e;
    }
  }

  private Opened open() {
    ForeignRoot.refuse(disk, root, files);
    Checkpoint checkpoint = trustedCheckpoint().orElse(null);
    boolean clean = checkpoint != null && checkpoint.clean();
    // A journal means that commits were made since, even if no batch can be taken.
    boolean quiet = clean && !Journal.isOn(disk);
    if (checkpoint == null) {
      StorePosition scanned =
          new EndScan(files, !Journal.isOn(disk), StorePosition.START).position();
      state.noteGiven(scanned.numbers());
      state.setPosition(scanned);
      state.endsKnown = false;
      state.derivedKnown = false;
      state.countsKnown = false;
    } else {
      StorePosition kept = checkpoint.position();
      state.setPosition(clean ? kept.withLimitsAtNext() : kept);
    }
    boolean whole = ends.extendTo(state.position());
    if (checkpoint != null) {
      whole &= ends.restoreTails(checkpoint);
    }
    ends.setEnds(state.position());
    if (isBackup(checkpoint)) {
      files.truncateToEnds(); // what stands behind is part of a backup that was not completed
      whole = false;
    }
    if (!quiet) {
      replayJournal(checkpoint == null ? -1 : state.position().batchSeq());
    }
    boolean held = openParts(checkpoint);
    FirstLook.at(files, state.position().ends())
        .forEach(damage -> RecoveredState.LOGGER.log(Level.ERROR, damage.getMessage()));
    return new Opened(
        files,
        behindLastTurn(state.position()),
        checkpoint == null ? 0 : checkpoint.seq(),
        !(quiet && whole && held),
        state.findings());
  }

  /// Opens the derived files, and completes the position from them.
  ///
  /// @return whether the derived files were as the checkpoint says
  private boolean openParts(@Nullable Checkpoint checkpoint) {
    long coveredBlobs = state.countsKnown ? 0 : files.coveredBlobs();
    boolean held =
        files.openParts(
            state.position(),
            state.derivedKnown ? checkpoint : null,
            underived || isBackup(checkpoint) ? Level.INFO : Level.WARNING);
    replay.heads().forEach(this::putIfNewer);
    if (!state.countsKnown) {
      state.setPosition(counted(state.position()));
      reportLostBlobs(coveredBlobs - files.blobs.entryCount());
    }
    held &= state.position().ends().blobEntries() == files.blobs.entryCount();
    state.setPosition(state.position().withBlobEntries(files.blobs.entryCount()));
    return held;
  }

  /// Names blobs of which nothing but their number is left.
  private void reportLostBlobs(long count) {
    if (count > 0) {
      long end = state.position().ends().packEnd();
      state.report(BlobPack.FILE, end, count + " more blobs were in the store", false);
    }
  }

  /// Returns whether the folder is a backup, which has no derived files before it is opened.
  private static boolean isBackup(@Nullable Checkpoint checkpoint) {
    return checkpoint != null && checkpoint.state() == Checkpoint.State.BACKUP;
  }

  /// A position whose next turn has a greater number than every turn in the files. The numbers of a
  /// position can be too small only if a file came from elsewhere.
  private StorePosition behindLastTurn(StorePosition position) {
    StorePosition.Numbers numbers = position.numbers();
    long turnIdNext = Math.max(numbers.turnIdNext(), files.turns.lastId() + 1);
    return turnIdNext == numbers.turnIdNext()
        ? position
        : position.withNumbers(
            position.batchSeq(),
            new StorePosition.Numbers(
                turnIdNext,
                Math.max(numbers.turnIdLimit(), turnIdNext),
                numbers.contextIdNext(),
                numbers.contextIdLimit()));
  }

  /// The newest checkpoint, unless the files show that there must have been a newer one.
  ///
  /// A writer has a journal, and deletes the journal only after the checkpoint that closes the
  /// store. So without a journal the newest checkpoint closes the store, and nothing stands behind
  /// the checkpoint.
  private Optional<Checkpoint> trustedCheckpoint() {
    Optional<Checkpoint> newest =
        Checkpoint.read(disk, root.shortId())
            .filter(checkpoint -> checkpoint.erasures() == root.erasures());
    String wrong = "";
    if (newest.isEmpty()) {
      wrong = "no valid checkpoint";
    } else if (!Journal.isOn(disk)
        && newest.get().state() != Checkpoint.State.BACKUP
        && (!newest.get().clean() || ends.isAnythingBehind(newest.get().position()))) {
      wrong = "the newest checkpoint is lost";
      state.noteGiven(newest.get().position().numbers());
    }
    if (wrong.isEmpty()) {
      return newest;
    }
    RecoveredState.LOGGER.log(
        Level.WARNING, "{0}: {1}; the files are read to find their ends", Checkpoint.FILE, wrong);
    return Optional.empty();
  }

  private void replayJournal(long batchSeq) {
    Journal.Remains remains = Journal.replay(disk, root.shortId(), batchSeq, replay);
    boolean lacks =
        state.endsKnown
            && new LostCommits(files, state, geometry.inPlaceBytes()).takeFromFiles(remains);
    if (remains.isVoid()) {
      RecoveredState.LOGGER.log(Level.WARNING, "the journal has not one whole batch of this store");
    }
    String foreign = remains.foreign();
    if (foreign != null) {
      state.report(foreign, 0, "commits of another store; the store's own may be lost", false);
    }
    state.noteGiven(state.position().numbers());
    if (lacks || remains.isVoid()) {
      state.noteGivenByLostBatches(remains, geometry.journal());
    }
    state.skipGivenNumbers();
    RecoveredState.LOGGER.log(
        Level.INFO,
        "not closed in order; {0} commits taken from the journal, next turn is {1}",
        remains.taken(),
        state.position().numbers().turnIdNext());
    files.truncateToEnds();
    files.forceGrowing(); // before a table gives up a turn or an overlay for a later one
  }

  /// Puts a head from the journal, unless the derived head of the context is newer.
  private void putIfNewer(HeadRecord head) {
    boolean newer =
        state.derivedKnown
            || files
                .heads
                .find(head.contextId())
                .filter(derived -> derived.atTurnId() >= head.atTurnId())
                .isEmpty();
    if (newer) {
      files.heads.put(head);
    }
  }

  /// A position with the counts that a checkpoint would have had.
  private StorePosition counted(StorePosition p) {
    long[] tally = files.blobs.tally();
    long contexts = 0;
    for (long id = 1; id <= files.heads.maxId(); id++) {
      contexts += files.heads.find(id).isPresent() ? 1 : 0;
    }
    return new StorePosition(
        p.batchSeq(),
        p.numbers(),
        new StorePosition.Ends(
            p.ends().packEnd(),
            files.blobs.entryCount(),
            p.ends().turns(),
            p.ends().headLogRecords(),
            files.heads.maxId() + 1,
            p.ends().typesEnd(),
            p.ends().overlays()),
        new StorePosition.Counts(contexts, tally[0], tally[1], tally[2]));
  }
}
