// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.server.query.CqlQuery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One search for the contexts that a query matches, those with the greatest numbers first.
///
/// Rows of contexts are judged block by block; a row that is not there yet, or not right any more,
/// is read first. Contexts that have no row, and those to which a client writes now, are looked at
/// one by one. For one thread.
final class MatchFinder {

  private static final int BLOCK = 4096;

  /// From this number of unread rows in a block on, the block is read as a page of contexts.
  private static final int PAGE_FROM = 64;

  /// In stores whose numbers of contexts are that much sparser than their contexts, rows are no
  /// gain.
  private static final long SPARSE_FACTOR = 16;

  private final Store store;
  private final ContextIndex index;
  private final LiveSessions sessions;
  private final CqlQuery query;
  private final Deadline deadline;
  private final int limit;

  private final List<ContextHead> shown = new ArrayList<>();
  private long count;
  private @Nullable ContextId last;
  private boolean stopped;

  /// Contexts that match.
  ///
  /// @param shown the first of them
  /// @param count the number of all
  /// @param stoppedAt the last context that there was time for; null if there was time for all
  record Matches(List<ContextHead> shown, long count, @Nullable ContextId stoppedAt) {

    /// The place behind which a search goes on: where this one stopped, otherwise the last context
    /// that was shown if there are more; null if there are none.
    @Nullable ContextId next() {
      boolean hasMore = count > shown.size() && !shown.isEmpty();
      return stoppedAt == null && hasMore ? shown.getLast().id() : stoppedAt;
    }
  }

  /// @param limit the most contexts that are shown
  MatchFinder(
      Store store,
      ContextIndex index,
      LiveSessions sessions,
      CqlQuery query,
      Deadline deadline,
      int limit) {
    this.store = store;
    this.index = index;
    this.sessions = sessions;
    this.query = query;
    this.deadline = deadline;
    this.limit = limit;
  }

  /// Searches.
  ///
  /// @param before only contexts with smaller numbers; null for all
  Matches find(@Nullable ContextId before) {
    List<ContextHead> greatest = store.contextsBelow(before, 1);
    index.awaitRows(deadline.left());
    ContextRows rows = index.rows();
    if (rows == null || greatest.isEmpty() || isSparse(greatest.getFirst())) {
      index.walk().byNumber(before, this::look);
    } else {
      new RowLook(rows).from((int) greatest.getFirst().id().value());
      index.rowsRead();
    }
    return new Matches(shown, count, stopped ? Objects.requireNonNull(last) : null);
  }

  private boolean isSparse(ContextHead greatest) {
    long number = greatest.id().value();
    return !ContextRows.hasRow(number)
        || number > BLOCK && number / SPARSE_FACTOR > store.counts().contexts();
  }

  /// Looks at a context itself.
  ///
  /// @return whether there is time for more
  private boolean look(ContextHead head) {
    if (deadline.isOver()) {
      stopped = true;
      return false;
    }
    last = head.id();
    IndexedContext facts = new IndexedContext(head, index, sessions);
    if (query.matches(facts) && !facts.entry().isBookkeeping()) {
      found(head);
    }
    return true;
  }

  private void found(ContextHead head) {
    count++;
    if (shown.size() < limit) {
      shown.add(head);
    }
  }

  /// The search by rows.
  private final class RowLook {

    private final ContextRows rows;
    private final RowQuery rowQuery;
    private final Set<ContextId> live = sessions.liveContexts();
    private final ContextRows.Judgement[] marks = new ContextRows.Judgement[BLOCK];

    /// Heads of this block that were read from the store.
    private final Map<Integer, ContextHead> heads = new HashMap<>();

    RowLook(ContextRows rows) {
      this.rows = rows;
      this.rowQuery = new RowQuery(query, rows);
    }

    void from(int greatest) {
      for (int high = greatest; high > 0 && !stopped; high -= BLOCK) {
        int low = read(Math.max(1, high - BLOCK + 1), high);
        rows.mark(low, high, rowQuery, marks);
        for (int row = high; row >= low; row--) {
          judge(row, marks[row - low]);
        }
        last = low <= high ? new ContextId(low) : last;
      }
    }

    private void judge(int row, ContextRows.Judgement judgement) {
      boolean isLive = !live.isEmpty() && live.contains(new ContextId(row));
      switch (isLive ? ContextRows.Judgement.UNKNOWN : judgement) {
        case NO -> {}
        case YES -> {
          if (shown.size() < limit) {
            shown.add(head(row));
          }
          count++;
        }
        case UNKNOWN -> {
          ContextHead read = heads.get(row);
          ContextHead head = read == null ? findHead(new ContextId(row)) : read;
          IndexedContext facts = head == null ? null : new IndexedContext(head, index, sessions);
          if (head != null
              && facts != null
              && query.matches(facts)
              && !facts.entry().isBookkeeping()) {
            found(head);
          }
        }
      }
    }

    private ContextHead head(int row) {
      ContextHead read = heads.get(row);
      return read == null ? store.head(new ContextId(row)) : read;
    }

    private @Nullable ContextHead findHead(ContextId id) {
      try {
        return store.head(id);
      } catch (StoreException.NotFound e) {
        return null;
      }
    }

    /// Reads the rows of a block that are not right, the greatest number first.
    ///
    /// @return the least number of the block that there was time for
    private int read(int low, int high) {
      heads.clear();
      int[] unread = rows.unread(low, high);
      if (unread.length >= PAGE_FROM) {
        for (ContextHead head : store.contextsBelow(new ContextId(high + 1L), high - low + 1)) {
          if (head.id().value() >= low) {
            heads.put((int) head.id().value(), head);
          }
        }
      }
      for (int row : unread) {
        if (deadline.isOver()) {
          stopped = true;
          heads.keySet().removeIf(each -> each <= row);
          return row + 1;
        }
        ContextHead head =
            unread.length >= PAGE_FROM ? heads.get(row) : findHead(new ContextId(row));
        if (head == null) {
          rows.missing(row);
        } else {
          heads.put(row, head);
          index.readRow(rows, head);
        }
      }
      return low;
    }
  }
}
