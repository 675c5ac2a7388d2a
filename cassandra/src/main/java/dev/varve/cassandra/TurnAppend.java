// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.NewTurn;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.cassandra.KeyRows.Claim;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.ClusterSession.Condition;
import dev.varve.cassandra.cql.CqlStatement;
import dev.varve.cassandra.cql.QuietPause;
import dev.varve.database.FirstAppend;
import dev.varve.hash.Blake3;
import dev.varve.turn.KeyHash;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Appends. The number is taken first; the payload, the place in the lane and the entry among the
/// children are written together, then the turn, then the key is claimed, and last the head moves
/// by a condition. So a head never leads to a turn that is not on a quorum.
///
/// Until then the turn is a draft that no reader sees. Whoever moves a head marks the turn that was
/// the head before, so that if the answer to the condition is lost, a SERIAL read of the head and
/// the turn's mark show whether the turn was appended ([ShownTurns]); until they do, the same
/// condition is sent again. One append to a context is under way at a time in a process; between
/// processes the condition decides.
final class TurnAppend {

  private static final int HEADS_MAX = 20_000;

  private final ClusterSession session;
  private final HeadRows heads;
  private final ContextLists lists;
  private final TurnRows turns;
  private final ShownTurns shown;
  private final TurnDraft draft;
  private final TypeRows types;
  private final KeyRows keys;
  private final NumberBlocks numbers;
  private final StripedLocks locks = new StripedLocks();

  /// Heads as this process left them. Another service may have moved them since; then the condition
  /// fails, and the head is read.
  private final RecentMap<ContextId, HeadRow> left = new RecentMap<>(HEADS_MAX);

  TurnAppend(
      ClusterSession session,
      HeadRows heads,
      ContextLists lists,
      TurnRows turns,
      ShownTurns shown,
      TurnDraft draft,
      TypeRows types,
      NumberBlocks numbers) {
    this.session = session;
    this.heads = heads;
    this.lists = lists;
    this.turns = turns;
    this.shown = shown;
    this.draft = draft;
    this.types = types;
    this.keys = new KeyRows(session);
    this.numbers = numbers;
  }

  Turn append(ContextId context, NewTurn turn, long nowUnixMs) {
    draft.checkPayload(turn);
    BlobHash payload = Blake3.hash(turn.payload());
    long createdAtUnixMs = turn.createdAt() == null ? nowUnixMs : turn.createdAt().toEpochMilli();
    return locks.with(List.of(context), () -> appendAlone(context, turn, payload, createdAtUnixMs));
  }

  private Turn appendAlone(
      ContextId context, NewTurn turn, BlobHash payload, long createdAtUnixMs) {
    draft.refuseErased(payload); // also where a key would answer an earlier turn
    HeadRow head = left.find(context);
    QuietPause pause = session.pauses();
    while (true) {
      boolean isSure = head == null;
      HeadRow from = head == null ? heads.require(context) : head;
      head = null; // another try begins with the head as it is then
      left.remove(context);
      BlobHash key = turn.key() == null ? null : KeyHash.of(context, turn.key());
      Claim claim = key == null ? null : keys.claim(key);
      if (key != null && claim != null) {
        TurnRow first = first(key, claim);
        if (first != null) {
          left.put(context, from);
          return FirstAppend.require(first.turn(), turn, payload);
        }
      }
      if (turn.expectedHead() != null && !turn.expectedHead().equals(from.head().head())) {
        if (!isSure) {
          continue;
        }
        throw new StoreException.Conflict(
            "head of context " + context,
            "turn " + turn.expectedHead(),
            "turn " + from.head().head());
      }
      TurnRow row = written(from, turn, payload, createdAtUnixMs);
      if (key != null && claim != null && !keys.take(key, claim, row.id())) {
        turns.delete(row);
        pause.take();
        continue;
      }
      HeadRow to = moved(from, row, createdAtUnixMs);
      if (to != null) {
        List<CqlStatement> known = new ArrayList<>(List.of(TurnRows.mark(row.id())));
        if (key != null) {
          known.add(KeyRows.keeping(key, row.id()));
        }
        session.write(known);
        turns.rememberMark(row.id());
        left.put(context, to);
        return row.turn();
      }
      turns.delete(row);
      pause.take();
    }
  }

  /// The turn that a key stands for, if the key stands for one.
  private @Nullable TurnRow first(BlobHash key, Claim claim) {
    long first = keys.find(key);
    for (long claimed : claim.all()) {
      TurnRow row = first == 0 ? turns.find(claimed) : null;
      if (row != null && shown.isShown(row)) {
        first = claimed;
        session.write(KeyRows.keeping(key, claimed)); // its writer ended before
      }
    }
    return first == 0 ? null : turns.require(new TurnId(first), "turn");
  }

  private TurnRow written(HeadRow from, NewTurn turn, BlobHash payload, long createdAtUnixMs) {
    ContextId context = from.head().id();
    TurnId parentId = turn.parent() == null ? from.head().head() : turn.parent();
    TurnRow parent = draft.parent(parentId);
    draft.checkFsRoot(turn, payload);
    Optional<CqlStatement> type = types.preparation(turn.type());
    long id = numbers.take(Math.max(parentId.value(), from.turnId()));
    TurnRow row = draft.row(id, context, turn, payload, parent, createdAtUnixMs);
    List<CqlStatement> beside = new ArrayList<>(turns.marking(from.turnId()));
    beside.add(lists.activity(context, Math.max(from.activeMs(), createdAtUnixMs)));
    draft.write(row, turn.payload(), type, beside, List.of());
    return row;
  }

  /// Moves the head to a turn.
  ///
  /// @return the head then; null if another turn was faster, and this one will never be the head
  private @Nullable HeadRow moved(HeadRow before, TurnRow row, long createdAtUnixMs) {
    HeadRow from = before;
    QuietPause pause = session.pauses();
    while (true) {
      HeadRow to = from.moved(row, Math.max(from.activeMs(), createdAtUnixMs));
      if (heads.move(from, to) == Condition.HELD) {
        return to;
      }
      HeadRow now = heads.require(from.head().id());
      if (now.turnId() == row.id()) {
        return now;
      }
      if (now.turnId() != from.turnId()) {
        return shown.isShown(row) ? now : null;
      }
      from = now;
      pause.take();
    }
  }
}
