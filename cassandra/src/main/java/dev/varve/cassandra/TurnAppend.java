// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.NewTurn;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.cassandra.ClusterSession.Condition;
import dev.varve.cassandra.KeyRows.Claim;
import dev.varve.database.FirstAppend;
import dev.varve.hash.Blake3;
import dev.varve.turn.KeyHash;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Appends. The number is taken first; the payload, the place in the lane and the entry among the
/// children are written together, then the turn, then the key is claimed, and last the head moves
/// by a condition. So a head never leads to a turn that is not on a quorum.
///
/// Each turn has the head that the turn replaced in its record. If the answer to the condition is
/// lost, a SERIAL read of the head and the heads that it replaced show whether the turn was
/// appended; until they do, the same condition is sent again. One append to a context is under way
/// at a time in a process; between processes the condition decides.
final class TurnAppend {

  private static final int HEADS_MAX = 20_000;

  private final ClusterSession session;
  private final HeadRows heads;
  private final ContextLists lists;
  private final TurnRows turns;
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
      TurnDraft draft,
      TypeRows types,
      NumberBlocks numbers) {
    this.session = session;
    this.heads = heads;
    this.lists = lists;
    this.turns = turns;
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
    HeadRow head = left.find(context);
    QuietPause pause = new QuietPause();
    while (true) {
      boolean isSure = head == null;
      HeadRow from = head == null ? heads.require(context) : head;
      head = null; // another try begins with the head as it is then
      left.remove(context);
      BlobHash key = turn.key() == null ? null : KeyHash.of(context, turn.key());
      Claim claim = key == null ? null : keys.claim(key);
      if (key != null && claim != null) {
        TurnRow first = first(key, claim, from);
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
        continue;
      }
      HeadRow to = moved(from, row, createdAtUnixMs);
      if (to != null) {
        left.put(context, to);
        if (key != null) {
          session.write(KeyRows.keeping(key, row.id()));
        }
        return row.turn();
      }
      turns.delete(row);
      pause.take();
    }
  }

  /// The turn that a key stands for, if the key stands for one.
  private @Nullable TurnRow first(BlobHash key, Claim claim, HeadRow head) {
    if (claim.turn() == 0) {
      long restored = keys.find(key);
      return restored == 0 ? null : turns.require(new TurnId(restored), "turn");
    }
    long first = keys.find(key);
    for (long claimed : claim.all()) {
      if (first == 0 && isBehind(head, claimed)) {
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
    TurnRow row = draft.row(id, context, turn, payload, parent, from.turnId(), createdAtUnixMs);
    CqlStatement activity = lists.activity(context, Math.max(from.activeMs(), createdAtUnixMs));
    draft.write(row, turn.payload(), type, List.of(activity));
    return row;
  }

  /// Moves the head to a turn.
  ///
  /// @return the head then; null if another turn was faster, and this one will never be the head
  private @Nullable HeadRow moved(HeadRow before, TurnRow row, long createdAtUnixMs) {
    HeadRow from = before;
    QuietPause pause = new QuietPause();
    long start = System.nanoTime();
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
        return isBehind(now, row.id()) ? now : null;
      }
      session.checkPatience(start);
      from = now;
      pause.take();
    }
  }

  /// Returns whether a turn is the head, or was the head before the head was replaced. Numbers fall
  /// along the heads that were replaced.
  private boolean isBehind(HeadRow head, long id) {
    long at = head.turnId();
    while (at > id) {
      at = turns.require(new TurnId(at), "turn").replaced();
    }
    return at == id;
  }
}
