// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.StoreException;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Walks over all contexts of a store, page by page, while contexts come and move.
final class ContextWalk {

  private static final int PAGE_FIRST = 256;
  private static final int PAGE_MAX = 65_536;
  private static final int PAGE_BY_NUMBER = 4_096;

  private final Store store;

  ContextWalk(Store store) {
    this.store = store;
  }

  /// Visits the contexts, the most recently active first, until `visitor` returns false. A context
  /// that becomes active meanwhile may come late, but each context that existed at the beginning
  /// comes exactly once.
  void byActivity(Predicate<ContextHead> visitor) {
    BitSet seen = new BitSet();
    Pass pass = pass(null, PAGE_FIRST, seen, visitor);
    int known = 0;
    // A context that became active between two pages moved past the place of the walk.
    while (pass == Pass.IN_PAGES && seen.cardinality() > known) {
      known = seen.cardinality();
      pass = pass(null, PAGE_MAX, seen, visitor);
    }
  }

  /// Visits the contexts after `after` in the order of activity, for lists that are read page by
  /// page.
  ///
  /// @throws StoreException.NotFound if `after` was never created
  void byActivityAfter(ContextId after, Predicate<ContextHead> visitor) {
    pass(after, PAGE_FIRST, new BitSet(), visitor);
  }

  /// Visits the contexts by their numbers, the greatest first, until `visitor` returns false: an
  /// order that does not change while a client pages through it. Each context that existed at the
  /// beginning comes exactly once.
  ///
  /// @param before only contexts with smaller numbers; null for all
  void byNumber(@Nullable ContextId before, Predicate<ContextHead> visitor) {
    ContextId last = before;
    int limit = PAGE_FIRST;
    while (true) {
      List<ContextHead> page = store.contextsBelow(last, limit);
      for (ContextHead head : page) {
        if (!visitor.test(head)) {
          return;
        }
      }
      if (page.size() < limit) {
        return;
      }
      last = page.getLast().id();
      limit = PAGE_BY_NUMBER;
    }
  }

  /// The way in which a pass over the pages ended.
  private enum Pass {
    /// One page held everything: no context can have been missed.
    AT_ONCE,
    IN_PAGES,
    /// The visitor wants no more.
    ENOUGH
  }

  private Pass pass(
      @Nullable ContextId start, int firstLimit, BitSet seen, Predicate<ContextHead> visitor) {
    ContextId after = start;
    int limit = firstLimit;
    while (true) {
      List<ContextHead> page = store.contexts(after, limit);
      for (ContextHead head : page) {
        if (isNew(seen, head) && !visitor.test(head)) {
          return Pass.ENOUGH;
        }
      }
      if (page.size() < limit) {
        return Objects.equals(after, start) ? Pass.AT_ONCE : Pass.IN_PAGES;
      }
      after = page.getLast().id();
      limit = Math.min(PAGE_MAX, limit * 16);
    }
  }

  /// Returns whether a context was not visited before. Numbers of contexts are small; a context
  /// with a large one counts as new and may come twice.
  private static boolean isNew(BitSet seen, ContextHead head) {
    long id = head.id().value();
    if (id < 0 || id > Integer.MAX_VALUE - 1) {
      return true;
    }
    boolean wasSeen = seen.get((int) id);
    seen.set((int) id);
    return !wasSeen;
  }
}
