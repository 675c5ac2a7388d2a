// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import dev.varve.BlobHash;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.TurnId;
import dev.varve.imports.ProblemList;
import dev.varve.imports.TurnPlacement;
import dev.varve.pi.session.EntryId;
import dev.varve.pi.session.SessionRecord;
import dev.varve.pi.session.SessionTitle;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/// Gives each entry of a session its turn, below the turn of the entry's parent.
final class EntryTurns {

  private final Store store;
  private final TurnPlacement placement;
  private final EntryIds ids;
  private final EntryTypes types;
  private final ProblemList problems;
  private final WaitingEntries waiting = new WaitingEntries();

  EntryTurns(Store store, TurnPlacement placement, FirstPass firstPass, ProblemList problems) {
    this.store = store;
    this.placement = placement;
    this.ids = firstPass.ids();
    this.types = new EntryTypes(firstPass.version());
    this.problems = problems;
  }

  /// Places the turn of `entry` below `parent`, and behind it those of the entries that waited for
  /// `entry`.
  ///
  /// @param hash of the line
  /// @param number of the line
  TurnId place(
      SessionRecord.Entry entry,
      TurnId parent,
      BlobHash hash,
      Supplier<Payload> line,
      long number) {
    TurnId turn = append(entry, parent, hash, line, number);
    release(entry);
    return turn;
  }

  /// Keeps an entry until the entry with the id `parent`, which stands further down, has its turn.
  void placeLater(
      SessionRecord.Entry entry, EntryId parent, Payload line, long number, SegmentList.Slot slot) {
    waiting.add(new WaitingEntries.WaitingEntry(entry, parent, store.put(line), number, slot));
  }

  /// Breaks the circles: the first entry of each becomes a root, and the others follow it.
  void finish() {
    for (WaitingEntries.WaitingEntry each : waiting.inOrder()) {
      if (!each.slot().isSet()) {
        problems.add(each.number(), "its parents lead back to itself; made a root");
        append(each, TurnId.NONE);
        release(each.entry());
      }
    }
  }

  /// Places the entries that waited for `entry`, the entries that waited for these, and so on.
  private void release(SessionRecord.Entry entry) {
    Deque<WaitingEntries.WaitingEntry> released = new ArrayDeque<>(waiting.release(entry));
    while (!released.isEmpty()) {
      WaitingEntries.WaitingEntry next = released.remove();
      if (!next.slot().isSet()) {
        append(next, new TurnId(ids.turn(next.parent())));
        released.addAll(waiting.release(next.entry()));
      }
    }
  }

  private void append(WaitingEntries.WaitingEntry entry, TurnId parent) {
    TurnId turn =
        append(entry.entry(), parent, entry.line(), () -> store.get(entry.line()), entry.number());
    entry.slot().set(turn.value());
  }

  private TurnId append(
      SessionRecord.Entry entry,
      TurnId parent,
      BlobHash hash,
      Supplier<Payload> line,
      long number) {
    TurnId turn = placement.place(parent, hash, leaf(entry), () -> turn(entry, line.get()));
    if (entry.id() != null) {
      EntryId id = EntryId.of(entry.id());
      long before = ids.turn(id);
      if (before > 0 && before != turn.value()) {
        problems.add(number, "the id " + leaf(entry) + " stands for another entry further up");
      }
      ids.define(id, turn.value());
    }
    return turn;
  }

  private NewTurn turn(SessionRecord.Entry entry, Payload line) {
    Encoding encoding = entry.utf8() ? Encoding.JSON : Encoding.RAW;
    NewTurn turn = NewTurn.of(line, types.of(entry.type()), encoding);
    return entry.createdAt().map(turn::withCreatedAt).orElse(turn);
  }

  private static String leaf(SessionRecord.Entry entry) {
    return entry.id() == null ? "" : SessionTitle.brief(entry.id());
  }
}
