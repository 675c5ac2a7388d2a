// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.CheckReport.Problem;
import dev.varve.journal.Journal;
import dev.varve.journal.StorePosition;
import java.util.ArrayList;
import java.util.List;

/// The state of a store as far as its opening knows the state: the position, the numbers that may
/// have been given, and the damage that was found on the way.
///
/// [JournalReplay] and [LostCommits] change the state; [Recovery] decides who is asked.
final class RecoveredState {

  static final System.Logger LOGGER = System.getLogger("dev.varve.local");

  /// More batches than two journal files can hold.
  private static final long BATCHES_SKIPPED = 1L << 20;

  /// The smallest share of a batch that a new turn or context takes.
  private static final long RECORDS_BYTES_MIN = 256;

  /// More contexts are not expected to be made between two checkpoints: each number that is skipped
  /// costs a slot.
  private static final long CONTEXTS_LOST_MAX = 1L << 16;

  private final FileEnds ends;
  private final List<Problem> findings = new ArrayList<>();
  private StorePosition position = StorePosition.START;
  private long turnIdLimit;
  private long contextIdLimit;

  /// True if the ends of the files come from a checkpoint or the journal, and not from a scan.
  boolean endsKnown = true;

  /// True if the derived files can be trusted to hold all that the checkpoint covers.
  boolean derivedKnown = true;

  /// True if the counts in the position are right.
  boolean countsKnown = true;

  RecoveredState(FileEnds ends) {
    this.ends = ends;
  }

  StorePosition position() {
    return position;
  }

  void setPosition(StorePosition value) {
    position = value;
  }

  /// Goes on to the end of a batch that was written where it belongs.
  void advanceTo(StorePosition written) {
    position = written;
    ends.setEnds(written);
  }

  /// Goes on from a position that the journal or the files prove. What a file lacks up to its end
  /// reads as damaged.
  void moveTo(StorePosition proved) {
    position = proved;
    ends.extendTo(proved);
    ends.setEnds(proved);
  }

  List<Problem> findings() {
    return List.copyOf(findings);
  }

  /// Logs damage and keeps it for [dev.varve.Store#check].
  void report(String file, long offset, String what, boolean derived) {
    LOGGER.log(
        derived ? System.Logger.Level.WARNING : System.Logger.Level.ERROR, "{0}: {1}", file, what);
    findings.add(new Problem(file, offset, file + " at byte " + offset + ": " + what, derived));
  }

  /// Notes that all numbers below the next ones and the limits may have been given to callers.
  void noteGiven(StorePosition.Numbers given) {
    turnIdLimit = Math.max(turnIdLimit, Math.max(given.turnIdNext(), given.turnIdLimit()));
    contextIdLimit =
        Math.max(contextIdLimit, Math.max(given.contextIdNext(), given.contextIdLimit()));
  }

  /// Notes the numbers that lost batches may have given: a batch needs room for each of its
  /// records.
  void noteGivenByLostBatches(Journal.Remains remains, Journal.Sizes sizes) {
    boolean cut = remains.shortestBytes() < sizes.firstBytes();
    long numbers = (cut ? 2 * sizes.maxBytes() : remains.sizeBytes()) / RECORDS_BYTES_MIN;
    turnIdLimit += numbers;
    contextIdLimit += Math.min(numbers, CONTEXTS_LOST_MAX);
  }

  /// Lets the numbers go on from the limits. After a crash any number below the limits may have
  /// been given for something that is lost. Numbers of batches are skipped too: the journal may
  /// still hold batches behind the first that is not whole, and they must never follow a later one.
  void skipGivenNumbers() {
    noteGiven(position.numbers());
    position =
        position.withNumbers(
            position.batchSeq() + BATCHES_SKIPPED,
            StorePosition.Numbers.atLimits(turnIdLimit, contextIdLimit));
  }
}
