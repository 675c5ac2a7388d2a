// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.Turn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/// The contexts whose conversations were active last, by the conversations' own times: an imported
/// conversation counts with the time of its newest turn, not with the time of its import.
///
/// A store lists contexts by the time at which they were last written. No turn is newer than its
/// writing, so a search ends as soon as all contexts behind were written before the last one found.
///
/// @param found the newest first
/// @param hasMore whether more contexts match
/// @param incomplete whether older contexts were not looked at because there are too many
record RecentContexts(List<Found> found, boolean hasMore, boolean incomplete) {

  /// The most contexts that a search with a limit looks at.
  static final int LOOKED_AT_MAX = 20_000;

  private static final Comparator<Found> OLDEST_FIRST =
      Comparator.comparing(Found::activeAt).thenComparing(Found::context);

  /// A context and the time of its conversation's newest turn.
  record Found(ContextId context, Instant activeAt) {}

  /// Finds contexts of conversations.
  ///
  /// @param limit how many to find at most
  static RecentContexts find(Store store, int limit, ContextFilter filter) {
    return limit == 0
        ? new RecentContexts(List.of(), true, false)
        : new Search(store, limit, filter, false).run();
  }

  /// Finds all contexts, also those that only hold the notes of an import. Takes memory for each.
  static RecentContexts all(Store store, ContextFilter filter) {
    return new Search(store, Integer.MAX_VALUE, filter, true).run();
  }

  private record Search(Store store, int limit, ContextFilter filter, boolean all) {

    RecentContexts run() {
      PriorityQueue<Found> newest = new PriorityQueue<>(OLDEST_FIRST);
      boolean hasMore = false;
      int lookedAt = 0;
      for (ContextHead context : new AllContexts(store, all ? limit : limit + 1)) {
        if (context.activeAt().isBefore(filter.earliest())
            || (hasMore && context.activeAt().isBefore(newest.element().activeAt()))) {
          break;
        }
        if (!all && lookedAt++ == LOOKED_AT_MAX) {
          return new RecentContexts(sorted(newest), hasMore, true);
        }
        Optional<Instant> activeAt = activeAt(context);
        if (activeAt.isEmpty() || !filter.matchesTime(activeAt.get())) {
          continue;
        }
        Found found = new Found(context.id(), activeAt.get());
        boolean fits = newest.size() < limit || OLDEST_FIRST.compare(found, newest.element()) > 0;
        if (!fits && hasMore || !isWanted(context)) {
          continue;
        }
        newest.add(found);
        if (newest.size() > limit) {
          newest.remove();
          hasMore = true;
        }
      }
      return new RecentContexts(sorted(newest), hasMore, false);
    }

    private static List<Found> sorted(PriorityQueue<Found> newest) {
      List<Found> sorted = new ArrayList<>(newest);
      sorted.sort(OLDEST_FIRST.reversed());
      return sorted;
    }

    /// Empty for an import's notes, which need not be read further.
    private Optional<Instant> activeAt(ContextHead context) {
      Optional<Turn> newest = ConversationActivity.newestTurn(context, store);
      boolean isNotes = newest.filter(turn -> turn.type().id().endsWith(".manifest")).isPresent();
      return isNotes && !all
          ? Optional.empty()
          : Optional.of(ConversationActivity.at(context, newest));
    }

    private boolean isWanted(ContextHead context) {
      if (all && !filter.isGiven()) {
        return true;
      }
      ContextDescription about = ContextDescription.of(context, store);
      return (all || !about.isBookkeeping()) && filter.matches(about);
    }
  }
}
