// SPDX-License-Identifier: Apache-2.0
package dev.varve.copy;

import dev.varve.BlobHash;
import dev.varve.BulkStore;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import java.util.Optional;

/// The turns of a copy, compared with those of the source.
final class CopiedTurns {

  private static final View WITHOUT_PAYLOADS = View.AS_WRITTEN.withoutPayloads();

  private final BulkStore source;
  private final BulkStore target;

  CopiedTurns(BulkStore source, BulkStore target) {
    this.source = source;
    this.target = target;
  }

  /// Returns whether a turn of this number is in the copy.
  boolean isThere(TurnId turn) {
    return find(target, turn).isPresent();
  }

  /// Compares a turn of the copy.
  ///
  /// @throws StoreException.Conflict if the source has no turn of the number, or another
  void requireSame(TurnId turn) {
    Optional<Turn> original = find(source, turn);
    Optional<Turn> copy = find(target, turn);
    if (original.isEmpty() || copy.isEmpty() || !isSame(original.get(), copy.get())) {
      throw new StoreException.Conflict(
          "the copy", "turn " + turn + " of the source", "another turn of this number");
    }
  }

  private static boolean isSame(Turn turn, Turn copy) {
    return copy.parent().equals(turn.parent())
        && copy.context().equals(turn.context())
        && copy.createdAt().equals(turn.createdAt())
        && (turn.tombstone() || copy.payloadHash().equals(turn.payloadHash()));
  }

  /// Returns whether the payload of a turn was erased from the source: the turn is deleted as it
  /// was written.
  boolean isErased(Turn turn) {
    return turn.tombstone() && source.turn(turn.id(), WITHOUT_PAYLOADS).tombstone();
  }

  /// Returns whether a blob was erased from the source.
  boolean isErased(BlobHash blob) {
    try {
      return source.sizeBytes(blob) < 0;
    } catch (StoreException.NotFound e) {
      return e.isErased();
    }
  }

  private static Optional<Turn> find(BulkStore store, TurnId id) {
    try {
      return Optional.of(store.turn(id, WITHOUT_PAYLOADS));
    } catch (StoreException.NotFound e) {
      return Optional.empty();
    }
  }
}
