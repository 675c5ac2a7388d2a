// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.ClusterSession.Condition;
import dev.varve.cassandra.cql.CqlStatement;
import dev.varve.cassandra.cql.QuietPause;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The making and moving of contexts, but for appends. The lists are written first, the head last.
final class ContextWriter {

  private final HeadRows heads;
  private final ContextLists lists;
  private final TurnRows turns;
  private final ShownTurns shown;
  private final BlobCells cells;
  private final NumberBlocks numbers;
  private final ClusterSession session;

  ContextWriter(
      ClusterSession session,
      HeadRows heads,
      ContextLists lists,
      TurnRows turns,
      ShownTurns shown,
      BlobCells cells,
      NumberBlocks numbers) {
    this.session = session;
    this.heads = heads;
    this.lists = lists;
    this.turns = turns;
    this.shown = shown;
    this.cells = cells;
    this.numbers = numbers;
  }

  ContextHead create(TurnId base, @Nullable BlobHash about, long nowUnixMs) {
    requireBlob(about);
    Instant now = Instant.ofEpochMilli(nowUnixMs);
    QuietPause pause = session.pauses();
    while (true) {
      ContextId id = new ContextId(numbers.take(0));
      HeadRow row = row(new ContextHead(id, base, 0, base, now, now, about), "base turn");
      if (insert(row)) {
        return row.head();
      }
      pause.take(); // a context from elsewhere has the number: the next one will do
    }
  }

  private boolean insert(HeadRow row) {
    lists.list(row.head().id());
    session.write(lists.activity(row.head().id(), row.activeMs()));
    return heads.insert(row);
  }

  ContextHead describe(ContextId context, BlobHash about, long nowUnixMs) {
    HeadRow from = heads.require(context);
    requireBlob(about);
    QuietPause pause = session.pauses();
    while (true) {
      ContextHead head = from.head();
      HeadRow to =
          new HeadRow(
              new ContextHead(
                  head.id(),
                  head.head(),
                  head.headDepth(),
                  head.base(),
                  head.createdAt(),
                  Instant.ofEpochMilli(Math.max(from.activeMs(), nowUnixMs)),
                  about),
              from.lane());
      List<CqlStatement> first = new ArrayList<>(FormerAbouts.remembering(head, about));
      first.add(lists.activity(context, to.activeMs()));
      session.write(first);
      if (heads.moveAbout(from, to) == Condition.HELD) {
        return to.head();
      }
      pause.take();
      from = heads.require(context); // once more, even if that is done twice
    }
  }

  /// Makes a context under a number that was given elsewhere.
  ContextHead restore(ContextHead restored) {
    long id = restored.id().value();
    NumberBlocks.checkNumber("context id", id);
    HeadRow row = row(restored, "turn");
    if (!restored.base().isNone()) {
      shown.require(restored.base(), "base turn");
    }
    requireBlob(restored.about());
    if (heads.find(id) != null) {
      throw taken(restored);
    }
    numbers.passBeyond(id);
    if (!insert(row)) {
      throw taken(restored);
    }
    return row.head();
  }

  private static StoreException.Conflict taken(ContextHead restored) {
    return new StoreException.Conflict("context " + restored.id(), "a free number", "a context");
  }

  /// Gives a context a later state that the context had elsewhere.
  ContextHead move(
      ContextId id, TurnId expectedHead, TurnId head, Instant activeAt, @Nullable BlobHash about) {
    HeadRow from = heads.require(id);
    QuietPause pause = session.pauses();
    boolean wasUnknown = false;
    while (true) {
      ContextHead present = from.head();
      long activeMs = Math.max(from.activeMs(), activeAt.toEpochMilli());
      HeadRow to =
          row(
              new ContextHead(
                  id,
                  head,
                  0,
                  present.base(),
                  present.createdAt(),
                  Instant.ofEpochMilli(activeMs),
                  about),
              "turn");
      requireBlob(about);
      if (wasUnknown && from.equals(to)) {
        return to.head();
      }
      if (!present.head().equals(expectedHead)) {
        throw new StoreException.Conflict(
            "head of context " + id, "turn " + expectedHead, "turn " + present.head());
      }
      List<CqlStatement> first = new ArrayList<>(turns.marking(from.turnId()));
      first.addAll(FormerAbouts.remembering(present, about));
      first.add(lists.activity(id, activeMs));
      session.write(first);
      Condition done = heads.moveAbout(from, to);
      if (done == Condition.HELD) {
        return to.head();
      }
      wasUnknown |= done == Condition.UNKNOWN;
      pause.take();
      from = heads.require(id);
    }
  }

  /// The row of a context, with the depth and the lane of its head.
  private HeadRow row(ContextHead head, String kind) {
    if (head.head().isNone()) {
      return new HeadRow(head, 0);
    }
    TurnRow turn = shown.require(head.head(), kind);
    return new HeadRow(head, 0).moved(turn, head.activeAt().toEpochMilli());
  }

  private void requireBlob(@Nullable BlobHash hash) {
    if (hash != null) {
      cells.require(hash, "blob");
    }
  }
}
