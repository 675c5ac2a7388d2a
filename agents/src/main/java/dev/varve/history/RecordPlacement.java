// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.history.marks.PlacedRecord;
import dev.varve.history.marks.TranscriptMark;
import dev.varve.imports.PlacedTurn;
import dev.varve.imports.ProblemList;
import dev.varve.imports.RecordCounts;
import dev.varve.imports.TurnPlacement;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Gives each record of a transcript its turn below the turn of the record's parent, and counts.
///
/// A parent may stand further down in the file; the record then waits. A record whose parent is
/// nowhere, or whose parents lead back to itself, becomes a root.
final class RecordPlacement implements RecordSink {

  private static final int ID_SHOWN_MAX = 80;

  /// A record whose parent has no turn yet.
  private static final class WaitingRecord {
    private final HistoryTurn record;
    private final long line;
    private boolean placed;

    WaitingRecord(HistoryTurn record, long line) {
      this.record = record;
      this.line = line;
    }
  }

  /// A record that got its turn lately.
  private record RecentRecord(String id, PlacedTurn turn) {}

  private final String agent;
  private final int version;
  private final String slot;
  private final TurnPlacement placement;
  private final ProblemList problems;

  private final Map<String, PlacedTurn> turns = new HashMap<>();
  private final Map<String, DeclaredType> types = new HashMap<>();
  private final Map<String, List<WaitingRecord>> byParent = new HashMap<>();
  private final List<WaitingRecord> waiting = new ArrayList<>();
  private final Deque<RecentRecord> recent = new ArrayDeque<>();

  private boolean own;
  private long line;
  private long records;
  private long bookkeeping;
  private long duplicates;
  private long unreadable;
  private long addedBefore;
  private long sharedBefore;
  private long repeatedBefore;

  /// @param slot of the transcript
  RecordPlacement(
      HistoryProfile profile, String slot, TurnPlacement placement, ProblemList problems) {
    this.agent = profile.agent();
    this.version = profile.version();
    this.slot = slot;
    this.placement = placement;
    this.problems = problems;
  }

  /// Counts from here on: the records before were another transcript's.
  void begin() {
    own = true;
    addedBefore = placement.added();
    sharedBefore = placement.shared();
    repeatedBefore = placement.repeated();
  }

  /// Goes on behind records that have their turns. They are counted already.
  void resume(List<PlacedRecord> recentRecords) {
    begin();
    recentRecords.forEach(record -> define(record.id(), new PlacedTurn(record.turn())));
  }

  /// The last records, with their turns, after [#finish()]; empty if another record could change
  /// the turn of one that was placed.
  Optional<List<PlacedRecord>> recent() {
    return waiting.isEmpty()
        ? Optional.of(
            recent.stream().map(each -> new PlacedRecord(each.id(), each.turn().id())).toList())
        : Optional.empty();
  }

  /// Takes the number of the line whose records come next.
  void at(long number) {
    line = number;
  }

  @Override
  public void turn(HistoryTurn record) {
    count();
    for (String parent : record.parents()) {
      PlacedTurn known = turns.get(parent);
      if (known != null) {
        release(record, place(record, known));
        return;
      }
    }
    if (record.parents().isEmpty()) {
      release(record, place(record, PlacedTurn.NONE));
      return;
    }
    WaitingRecord later = new WaitingRecord(record, line);
    waiting.add(later);
    for (String parent : record.parents()) {
      byParent.computeIfAbsent(parent, _ -> new ArrayList<>(1)).add(later);
    }
  }

  @Override
  public void bookkeeping() {
    count();
    bookkeeping += own ? 1 : 0;
  }

  @Override
  public void unknown() {
    bookkeeping();
  }

  @Override
  public void duplicate() {
    count();
    duplicates += own ? 1 : 0;
  }

  @Override
  public void unreadable(String why) {
    count();
    if (own) {
      unreadable++;
      problems.add(slot.equals(HistoryFile.MAIN) ? "" : slot, line, why);
    }
  }

  /// Reports that the document ends before its end.
  void torn() {
    problems.add(slot.equals(HistoryFile.MAIN) ? "" : slot, line, "the document is torn");
  }

  private void count() {
    records += own ? 1 : 0;
  }

  /// Makes roots of the records that still wait, in the order of the file. After it each turn is in
  /// the store.
  void finish() {
    for (WaitingRecord each : waiting) {
      if (!each.placed) {
        each.placed = true;
        String parent = each.record.parents().getFirst();
        String brief = parent.substring(0, Math.min(parent.length(), ID_SHOWN_MAX));
        problems.add(
            slot.equals(HistoryFile.MAIN) ? "" : slot,
            each.line,
            "its parent " + brief + " is not here; made a root");
        release(each.record, place(each.record, PlacedTurn.NONE));
      }
    }
    placement.appendGathered();
  }

  private void release(HistoryTurn first, PlacedTurn turn) {
    Deque<HistoryTurn> done = new ArrayDeque<>();
    define(first, turn);
    done.add(first);
    while (!done.isEmpty()) {
      HistoryTurn parent = done.remove();
      List<WaitingRecord> released = byParent.remove(parent.id());
      for (WaitingRecord next : released == null ? List.<WaitingRecord>of() : released) {
        if (!next.placed) {
          next.placed = true;
          define(next.record, place(next.record, parentOf(parent)));
          done.add(next.record);
        }
      }
    }
  }

  private PlacedTurn parentOf(HistoryTurn parent) {
    return turns.getOrDefault(parent.id(), PlacedTurn.NONE);
  }

  private void define(HistoryTurn record, PlacedTurn turn) {
    if (!record.id().isEmpty()) {
      define(record.id(), turn);
    }
  }

  private void define(String id, PlacedTurn turn) {
    turns.put(id, turn);
    recent.add(new RecentRecord(id, turn));
    if (recent.size() > TranscriptMark.RECENT_MAX) {
      recent.remove();
    }
  }

  private PlacedTurn place(HistoryTurn record, PlacedTurn parent) {
    return placement.gather(parent, newTurn(record), LeafName.of(slot, record.id()));
  }

  private NewTurn newTurn(HistoryTurn record) {
    DeclaredType type =
        types.computeIfAbsent(record.type(), name -> new DeclaredType(agent + "." + name, version));
    NewTurn turn = NewTurn.of(record.payload(), type, Encoding.JSON);
    Instant at = record.createdAt();
    return at == null || at.isBefore(Instant.EPOCH) ? turn : turn.withCreatedAt(at);
  }

  /// The records since [#begin], once all are placed.
  RecordCounts counts() {
    return new RecordCounts(
        records,
        placement.added() - addedBefore,
        placement.shared() - sharedBefore,
        bookkeeping,
        duplicates + placement.repeated() - repeatedBefore,
        unreadable);
  }
}
