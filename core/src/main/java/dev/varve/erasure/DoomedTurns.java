// SPDX-License-Identifier: Apache-2.0
package dev.varve.erasure;

import dev.varve.ContextId;
import dev.varve.StoreException;
import java.util.BitSet;
import java.util.Set;

/// The turns that an erasure of contexts is about: those on the paths of the contexts, and those
/// that were appended through them, as far as no other context has them on its path from its root
/// to its head or to its base. One bit of memory a turn.
final class DoomedTurns {

  private final SurveyedTurns turns;
  private final BitSet kept;
  private final BitSet doomed;

  /// @throws StoreException.NotFound if one of the contexts was never created
  DoomedTurns(SurveyedTurns turns, Set<ContextId> contexts) {
    this.turns = turns;
    this.kept = new BitSet(turns.turnCount());
    this.doomed = new BitSet(turns.turnCount());
    for (ContextId context : contexts) {
      if (!turns.hasContext(context)) {
        throw new StoreException.NotFound("context", context.toString());
      }
    }
    if (contexts.isEmpty()) {
      return;
    }
    turns.eachPlace(
        place -> {
          if (contexts.contains(place.context())) {
            markPath(place.head(), doomed);
          } else {
            markPaths(place, kept);
          }
        });
    markAppended(contexts);
    doomed.andNot(kept);
  }

  /// All turns of contexts, also those that other contexts have: those on the paths from their
  /// roots to their heads and bases, and those that were appended through them.
  static BitSet all(SurveyedTurns turns, Set<ContextId> contexts) {
    DoomedTurns none = new DoomedTurns(turns, Set.of());
    turns.eachPlace(
        place -> {
          if (contexts.contains(place.context())) {
            none.markPaths(place, none.doomed);
          }
        });
    none.markAppended(contexts);
    return none.doomed;
  }

  private void markAppended(Set<ContextId> contexts) {
    for (int turn = 0; turn < turns.turnCount(); turn++) {
      if (contexts.contains(turns.contextOf(turn))) {
        doomed.set(turn);
      }
    }
  }

  boolean contains(int turn) {
    return doomed.get(turn);
  }

  private void markPaths(SurveyedTurns.ContextPlace place, BitSet marks) {
    markPath(place.head(), marks);
    markPath(place.base(), marks);
  }

  /// Marks the turns from one to its root, up to the first that is marked.
  private void markPath(long turnId, BitSet marks) {
    for (long at = turnId; at != 0; ) {
      int turn = turns.requireTurn(at);
      if (marks.get(turn)) {
        return;
      }
      marks.set(turn);
      at = turns.parentId(turn);
    }
  }
}
