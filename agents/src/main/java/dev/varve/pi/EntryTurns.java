// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.TurnId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Supplier;

/// Gives each entry of a session its turn.
///
/// A turn is looked for before it is appended, below its parent and by its payload's hash. So an
/// entry that a fork copied is the same turn in both sessions, whichever came first, and an entry
/// that is known costs nothing.
final class EntryTurns {

  private final Store store;
  private final ContextId manifestContext;
  private final EntryIds ids;
  private final EntryTypes types;
  private final Branches branches;
  private final Problems problems;
  private final Waiting waiting = new Waiting();

  private long added;
  private long shared;
  private long repeated;

  /// @param manifestContext takes the new turns of branches that have no context yet
  EntryTurns(
      Store store, ContextId manifestContext, Survey survey, Branches branches, Problems problems) {
    this.store = store;
    this.manifestContext = manifestContext;
    this.ids = survey.ids();
    this.types = new EntryTypes(survey.version());
    this.branches = branches;
    this.problems = problems;
  }

  /// The turn below `parent` that is this entry; those that waited for the entry follow it.
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

  /// Keeps an entry until the one with the id `parent`, which stands further down, has its turn.
  void placeLater(
      SessionRecord.Entry entry, EntryId parent, Payload line, long number, Segments.Slot slot) {
    waiting.add(new Waiting.One(entry, parent, store.put(line), number, slot));
  }

  /// Breaks the circles: the first entry of each becomes a root, and the others follow it.
  void finish() {
    for (Waiting.One one : waiting.inOrder()) {
      if (!one.slot().isSet()) {
        problems.add(one.number(), "its parents lead back to itself; made a root");
        append(one, TurnId.NONE);
        release(one.entry());
      }
    }
  }

  /// Places those that waited for `entry`, those that waited for these, and so on.
  private void release(SessionRecord.Entry entry) {
    Deque<Waiting.One> released = new ArrayDeque<>(waiting.release(entry));
    while (!released.isEmpty()) {
      Waiting.One one = released.remove();
      if (!one.slot().isSet()) {
        append(one, new TurnId(ids.turn(one.parent())));
        released.addAll(waiting.release(one.entry()));
      }
    }
  }

  private void append(Waiting.One one, TurnId parent) {
    TurnId turn =
        append(one.entry(), parent, one.line(), () -> store.get(one.line()), one.number());
    one.slot().set(turn.value());
  }

  private TurnId append(
      SessionRecord.Entry entry,
      TurnId parent,
      BlobHash hash,
      Supplier<Payload> line,
      long number) {
    Optional<TurnId> found = store.findChild(parent, hash);
    TurnId turn = found.isPresent() ? found.get() : write(entry, parent, line.get());
    if (!branches.add(parent, turn, leaf(entry))) {
      repeated++;
    } else if (found.isPresent()) {
      shared++;
    } else {
      added++;
    }
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

  private TurnId write(SessionRecord.Entry entry, TurnId parent, Payload line) {
    ContextId context = branches.contextAt(parent).orElse(manifestContext);
    NewTurn turn =
        NewTurn.of(line, types.of(entry.type()), entry.utf8() ? Encoding.JSON : Encoding.RAW)
            .withParent(parent);
    return store.append(context, entry.createdAt().map(turn::withCreatedAt).orElse(turn)).id();
  }

  private static String leaf(SessionRecord.Entry entry) {
    String id = entry.id() == null ? "" : entry.id();
    return Title.brief(id);
  }

  long added() {
    return added;
  }

  long shared() {
    return shared;
  }

  long repeated() {
    return repeated;
  }
}
