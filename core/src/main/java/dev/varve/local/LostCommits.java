// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.blob.BlobPack;
import dev.varve.blob.PackTail;
import dev.varve.disk.AppendFile;
import dev.varve.journal.Journal;
import dev.varve.journal.StorePosition;
import java.util.List;

/// The search for commits that the journal has lost and the files still have.
///
/// The bytes of a commit are written where they belong after the journal was forced. So records
/// behind the last batch prove that later batches were lost.
final class LostCommits {

  private final StoreFiles files;
  private final RecoveredState state;
  private final int inPlaceBytes;

  LostCommits(StoreFiles files, RecoveredState state, int inPlaceBytes) {
    this.files = files;
    this.state = state;
    this.inPlaceBytes = inPlaceBytes;
  }

  /// Takes the records that the files have behind the last batch, if the records prove that the
  /// journal has lost commits.
  ///
  /// @return whether the journal has lost commits
  boolean takeFromFiles(Journal.Remains remains) {
    StorePosition from = state.position();
    List<AppendFile> primary =
        files.primary().stream().peek(file -> file.end(file.readableBytes())).toList();
    List<String> written =
        primary.stream()
            .filter(file -> EndScan.isWritten(file, from))
            .map(AppendFile::name)
            .toList();
    StorePosition found = written.isEmpty() ? from : new EndScan(files, false, from).position();
    // Bytes that are not a record prove nothing: a power cut may have spoiled the last block.
    StorePosition.Ends journalEnds = from.ends();
    StorePosition.Ends fileEnds = found.ends();
    boolean proves =
        remains.allForced()
            && (fileEnds.turns() > journalEnds.turns()
                || fileEnds.headLogRecords() > journalEnds.headLogRecords()
                || fileEnds.overlays() > journalEnds.overlays()
                || fileEnds.typesEnd() > journalEnds.typesEnd()
                || fileEnds.packEnd() > journalEnds.packEnd() && blobsProveLoss(fileEnds, remains));
    if (proves) {
      state.derivedKnown = false;
      state.countsKnown = false;
      String what =
          "the journal has lost commits behind commit "
              + from.batchSeq()
              + "; taken from the files: "
              + (fileEnds.turns() - journalEnds.turns())
              + " turns, "
              + (fileEnds.headLogRecords() - journalEnds.headLogRecords())
              + " records of contexts, "
              + (fileEnds.overlays() - journalEnds.overlays())
              + " overlays, "
              + (fileEnds.packEnd() - journalEnds.packEnd())
              + " bytes of blobs";
      state.report(Journal.FILE_A, 0, what, false);
    } else if (!written.isEmpty()) {
      RecoveredState.LOGGER.log(
          System.Logger.Level.INFO,
          "{0}: cut behind commit {1}, what follows belongs to none that was answered",
          String.join(", ", written),
          from.batchSeq());
    }
    state.moveTo(proves ? found : from);
    return proves;
  }

  /// Returns whether blob records behind the last batch, and nothing else, show lost batches. A
  /// commit whose records are too large for the journal writes them first, and may break off.
  private boolean blobsProveLoss(StorePosition.Ends found, Journal.Remains remains) {
    long from = state.position().ends().packEnd();
    long end = found.packEnd();
    boolean whole =
        !EndScan.isWritten(files.growing(BlobPack.FILE), end)
            && PackTail.placedBetween(files.growing(BlobPack.FILE), from, end).isPresent();
    return whole && end - from <= inPlaceBytes && (remains.endsBadly() || remains.isVoid());
  }
}
