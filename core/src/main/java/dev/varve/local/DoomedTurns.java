// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.ContextId;
import dev.varve.StoreException;
import dev.varve.turn.HeadRecord;
import dev.varve.turn.TurnMeta;
import java.util.BitSet;
import java.util.Set;

/// The turns that an erasure of contexts is about: those on the paths of the contexts, and those
/// that were appended through them, as far as no other context has them on its path from its root
/// to its head or to its base. One bit of memory a turn.
final class DoomedTurns {

  private final StoreFiles files;
  private final BitSet kept;
  private final BitSet doomed;

  /// @throws StoreException.NotFound if one of the contexts was never created
  DoomedTurns(StoreFiles files, long turns, Set<ContextId> contexts) {
    if (turns > Integer.MAX_VALUE) {
      throw new StoreException.TooLarge("turns to survey", turns, Integer.MAX_VALUE);
    }
    this.files = files;
    this.kept = new BitSet((int) turns);
    this.doomed = new BitSet((int) turns);
    for (ContextId context : contexts) {
      if (files.heads.find(context.value()).isEmpty()) {
        throw new StoreException.NotFound("context", context.toString());
      }
    }
    if (contexts.isEmpty()) {
      return;
    }
    for (long id = 1; id <= files.heads.maxId(); id++) {
      if (!contexts.contains(new ContextId(id))) {
        files.heads.find(id).ifPresent(head -> markPaths(head, kept));
      }
    }
    for (ContextId context : contexts) {
      files.heads.find(context.value()).ifPresent(head -> markPath(head.headTurnId(), doomed));
    }
    markAppended(turns, contexts);
    doomed.andNot(kept);
  }

  /// All turns of contexts, also those that other contexts have: those on the paths from their
  /// roots to their heads and bases, and those that were appended through them.
  static BitSet all(StoreFiles files, long turns, Set<ContextId> contexts) {
    DoomedTurns none = new DoomedTurns(files, turns, Set.of());
    for (ContextId context : contexts) {
      files.heads.find(context.value()).ifPresent(head -> none.markPaths(head, none.doomed));
    }
    none.markAppended(turns, contexts);
    return none.doomed;
  }

  private void markAppended(long turns, Set<ContextId> contexts) {
    for (int ordinal = 0; ordinal < turns; ordinal++) {
      TurnMeta meta = files.turns.meta(ordinal);
      if (contexts.contains(new ContextId(meta.contextId()))) {
        doomed.set(ordinal);
      }
    }
  }

  boolean contains(int ordinal) {
    return doomed.get(ordinal);
  }

  private void markPaths(HeadRecord head, BitSet marks) {
    markPath(head.headTurnId(), marks);
    markPath(head.baseTurnId(), marks);
  }

  /// Marks the turns from one to its root, up to the first that is marked.
  private void markPath(long turnId, BitSet marks) {
    for (long at = turnId; at != 0; ) {
      long ordinal = files.turns.ordinal(at);
      if (ordinal < 0) {
        throw new StoreException.Corrupt("turns.log", 0, "turn " + at, "no record");
      }
      if (marks.get((int) ordinal)) {
        return;
      }
      marks.set((int) ordinal);
      at = files.turns.record(ordinal).parentTurnId();
    }
  }
}
