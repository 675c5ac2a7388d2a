// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.blob.BlobPack;
import dev.varve.blob.PackTail;
import dev.varve.blob.PlacedBlob;
import dev.varve.journal.Batch;
import dev.varve.journal.Journal;
import dev.varve.journal.StorePosition;
import dev.varve.turn.HeadRecord;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Writes the batches of the journal again where they belong, and moves the position of a store
/// along with them.
final class JournalReplay implements Journal.Replay {

  private final StoreFiles files;
  private final BatchWriter writer;
  private final RecoveredState state;
  private final List<HeadRecord> heads = new ArrayList<>();

  JournalReplay(StoreFiles files, RecoveredState state) {
    this.files = files;
    this.writer = new BatchWriter(files);
    this.state = state;
  }

  /// The heads of all batches that were taken, in the order of the batches.
  List<HeadRecord> heads() {
    return heads;
  }

  @Override
  public void passOver(Batch batch) {
    state.noteGiven(batch.after().numbers());
  }

  @Override
  public boolean goOnWith(Batch batch, String file, long offset) {
    StorePosition before = batch.before();
    StorePosition position = state.position();
    boolean whole =
        FileEnds.reaches(position, before) && EndScan.isWholeBetween(files, position, before);
    String commits = "commits " + (position.batchSeq() + 1) + " to " + before.batchSeq();
    if (!whole && !(FileEnds.reaches(position, before) && batch.forced())) {
      RecoveredState.LOGGER.log(
          System.Logger.Level.ERROR, "{0} at byte {1}: {2} are lost", file, offset, commits);
      return false;
    }
    String what =
        commits
            + " are missing in the journal"
            + (whole ? "; they stand whole in the files" : ", and damaged in the files");
    if (batch.forced()) {
      state.report(file, offset, what, whole);
    } else {
      RecoveredState.LOGGER.log(
          System.Logger.Level.INFO, "{0} at byte {1}: {2}", file, offset, what);
    }
    state.moveTo(before);
    state.derivedKnown = false;
    return true;
  }

  @Override
  public boolean take(Batch batch) {
    if (!state.endsKnown) {
      state.endsKnown = true; // the journal knows better than a scan
      state.moveTo(batch.before());
    }
    if (!FileEnds.areSame(batch.before(), state.position())
        && !goOnWith(batch, Journal.FILE_A, 0)) {
      return false;
    }
    StorePosition.Ends before = batch.before().ends();
    StorePosition.Ends after = batch.after().ends();
    boolean isThere = writer.writePack(batch);
    if (!isThere && !batch.packForced()) {
      return false;
    }
    Optional<List<PlacedBlob>> placed =
        PackTail.placedBetween(files.growing(BlobPack.FILE), before.packEnd(), after.packEnd())
            .filter(found -> found.size() == after.blobEntries() - before.blobEntries());
    if (placed.isEmpty() && !batch.packForced()) {
      return false; // large records that were not forced, and are lost
    }
    if (batch.packInPlace() && !batch.packForced()) {
      // Written again, because a force that failed may have left bytes that the system has and the
      // disk never gets. Bytes that were forced must not be written over: the power may go
      // meanwhile, and there is no second copy.
      writer.rewritePack(before.packEnd(), after.packEnd());
    }
    placed
        .filter(found -> !found.isEmpty())
        .ifPresent(found -> files.packWriter.writeIndex(before.blobEntries(), found));
    writer.writeRecords(batch);
    MemorySegment records = batch.heads();
    for (long at = 0; at < records.byteSize(); at += HeadRecord.SIZE_BYTES) {
      HeadRecord.read(records, at, files.shortId()).ifPresent(heads::add);
    }
    if (placed.isPresent()) {
      state.advanceTo(batch.after());
    } else {
      // The records were durable, so they are damaged: they stay where they are, and `check` names
      // them. Their entries of blobs.idx are made again later.
      RecoveredState.LOGGER.log(
          System.Logger.Level.ERROR,
          "{0}: damaged between bytes {1} and {2}",
          BlobPack.FILE,
          before.packEnd(),
          after.packEnd());
      state.derivedKnown = false;
      state.moveTo(batch.after());
    }
    return true;
  }
}
