// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.NewTurn;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.CqlStatement;
import dev.varve.hash.Blake3;
import dev.varve.turn.KeyHash;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Turns of another store, under their own numbers. The number is taken first, and marked as taken
/// from elsewhere; a run that ended behind that finds its number free for the same turn.
final class TurnRestore {

  private final TurnRows turns;
  private final TurnDraft draft;
  private final TypeRows types;
  private final KeyRows keys;
  private final NumberBlocks numbers;

  TurnRestore(
      ClusterSession session,
      TurnRows turns,
      TurnDraft draft,
      TypeRows types,
      NumberBlocks numbers) {
    this.turns = turns;
    this.draft = draft;
    this.types = types;
    this.keys = new KeyRows(session);
    this.numbers = numbers;
  }

  Turn restore(TurnId id, ContextId context, NewTurn turn, Instant createdAt) {
    TurnId parentId = turn.parent();
    if (parentId == null) {
      throw new IllegalArgumentException("turn " + id + " to restore names no parent");
    }
    NumberBlocks.checkNumber("turn id", id.value());
    draft.checkPayload(turn);
    BlobHash payload = Blake3.hash(turn.payload());
    draft.refuseErased(payload);
    BlobHash key = turn.key() == null ? null : KeyHash.of(context, turn.key());
    long first = key == null ? 0 : keys.find(key);
    if (first != 0 && first != id.value()) {
      throw new StoreException.Conflict(
          "idempotency key of turn " + id, "a new key", "the key of turn " + first);
    }
    TurnRow parent = draft.parent(parentId);
    draft.checkFsRoot(turn, payload);
    Optional<CqlStatement> type = types.preparation(turn.type());
    takeNumber(id.value());
    TurnRow row = draft.row(id.value(), context, turn, payload, parent, createdAt.toEpochMilli());
    draft.write(
        row,
        turn.payload(),
        type,
        key == null ? List.of() : List.of(KeyRows.keeping(key, id.value())),
        List.of(TurnRows.mark(id.value())));
    turns.rememberMark(id.value());
    return row.turn();
  }

  private void takeNumber(long id) {
    NumberBlocks.Place place = numbers.passBeyond(id);
    if (id < place.next() && (place.restored() != id || turns.find(id) != null)) {
      throw new StoreException.Conflict(
          "turn id", "a number above " + (place.next() - 1), Long.toString(id));
    }
  }
}
