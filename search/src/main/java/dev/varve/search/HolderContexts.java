// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.document.LongField;
import org.apache.lucene.search.IndexSearcher;

/// The contexts that have a turn on their paths: the one through which the turn was appended, and
/// those that were forked behind the turn. For one search: what a context was forked to is asked
/// once.
final class HolderContexts {

  /// More are not looked for.
  static final int CONTEXTS_MAX = 1000;

  private final Store store;
  private final IndexSearcher searcher;
  private final Map<Long, List<long[]>> forks = new HashMap<>();

  HolderContexts(Store store, IndexSearcher searcher) {
    this.store = store;
    this.searcher = searcher;
  }

  /// The contexts of a turn, the one through which the turn was appended first.
  Set<ContextId> of(Turn turn) throws IOException {
    Set<ContextId> holders = new LinkedHashSet<>();
    Deque<Long> waiting = new ArrayDeque<>();
    waiting.add(turn.context().value());
    holders.add(turn.context());
    while (!waiting.isEmpty() && holders.size() < CONTEXTS_MAX) {
      for (long[] fork : forks(waiting.remove())) {
        ContextId context = new ContextId(fork[0]);
        if (!holders.contains(context) && isBehind(turn, new TurnId(fork[1]))) {
          holders.add(context);
          waiting.add(fork[0]);
        }
      }
    }
    return holders;
  }

  private List<long[]> forks(long origin) throws IOException {
    List<long[]> known = forks.get(origin);
    if (known != null) {
      return known;
    }
    List<long[]> found = new ArrayList<>();
    new DocumentNumbers(searcher)
        .each(
            LongField.newExactQuery(IndexFields.ORIGIN, origin),
            List.of(IndexFields.CONTEXT, IndexFields.BASE),
            values -> {
              if (found.size() < CONTEXTS_MAX) {
                found.add(values);
              }
            });
    forks.put(origin, found);
    return found;
  }

  private boolean isBehind(Turn turn, TurnId base) {
    try {
      return base.compareTo(turn.id()) >= 0 && store.ancestor(base, turn.depth()).equals(turn.id());
    } catch (StoreException.Invalid | StoreException.NotFound | StoreException.Corrupt e) {
      return false; // on another path, which is shorter
    }
  }
}
