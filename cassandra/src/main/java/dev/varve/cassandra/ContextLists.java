// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.CqlStatement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The tables `context_list` and `activity`: the contexts by their numbers, and by the hours in
/// which they were active. Both are written before the head, and the head decides: an entry whose
/// head says otherwise is passed over.
final class ContextLists {

  private static final int PARTS_AT_ONCE = 8;
  private static final int HEADS_AT_ONCE = 64;
  private static final long HOUR_MS = TimeUnit.HOURS.toMillis(1);

  private static final String INSERT =
      "INSERT INTO ks.context_list (store, block, context_id) VALUES (?, ?, ?)";
  private static final String BELOW =
      "SELECT context_id FROM ks.context_list WHERE store = ? AND block = ? AND context_id < ?"
          + " ORDER BY context_id DESC LIMIT ?";
  private static final String COUNT =
      "SELECT count(*) FROM ks.context_list WHERE store = ? AND block = ?";
  private static final String ACTIVE =
      "INSERT INTO ks.activity (store, hour, context_id, active_ms) VALUES (?, ?, ?, ?)";
  private static final String OF_HOUR =
      "SELECT context_id, active_ms FROM ks.activity WHERE store = ? AND hour = ?";

  private static final Comparator<ContextHead> NEWEST_FIRST =
      Comparator.comparing(ContextHead::activeAt).thenComparing(ContextHead::id).reversed();

  private record Activity(long context, long activeMs) {}

  private final ClusterSession session;
  private final PartList parts;
  private final HeadRows heads;

  ContextLists(ClusterSession session, PartList parts, HeadRows heads) {
    this.session = session;
    this.parts = parts;
    this.heads = heads;
  }

  // ---- to write

  /// Lists a context by its number.
  void list(ContextId context) {
    long block = TurnRow.block(context.value());
    parts.require(PartList.Kind.CONTEXT, block);
    session.write(CqlStatement.of(INSERT, block, context.value()));
  }

  private static long hour(long activeMs) {
    return Math.floorDiv(activeMs, HOUR_MS);
  }

  /// The statement that notes an activity, after its hour is listed. Of several activities in one
  /// hour the latest stays, in whatever order they are written.
  CqlStatement activity(ContextId context, long activeMs) {
    parts.require(PartList.Kind.HOUR, hour(activeMs));
    return CqlStatement.of(ACTIVE, hour(activeMs), context.value(), activeMs)
        .at(1 + Math.max(0, activeMs) * 1000);
  }

  // ---- to read

  /// The contexts most recently active first.
  List<ContextHead> byActivity(@Nullable ContextHead after, int limit) {
    List<ContextHead> page = new ArrayList<>();
    Set<ContextId> listed = new HashSet<>();
    long from = after == null ? Long.MAX_VALUE : hour(after.activeAt().toEpochMilli());
    while (page.size() < limit) {
      List<Long> hours = parts.down(PartList.Kind.HOUR, from, PARTS_AT_ONCE);
      for (long hour : hours) {
        if (page.size() < limit) {
          addHour(hour, after, limit, listed, page);
        }
      }
      if (hours.size() < PARTS_AT_ONCE) {
        break;
      }
      from = hours.getLast() - 1;
    }
    page.sort(NEWEST_FIRST);
    return page;
  }

  /// Adds the contexts whose last activity was in an hour. An entry is never earlier than its
  /// head's own time, so that a head is next once no entry is left that is later.
  ///
  /// A context that was active again since a later hour was read is in no entry of that hour, and
  /// is added where its old entry lies.
  private void addHour(
      long hour,
      @Nullable ContextHead after,
      int limit,
      Set<ContextId> listed,
      List<ContextHead> page) {
    List<Activity> falling =
        session.read(CqlStatement.of(OF_HOUR, hour)).stream()
            .map(row -> new Activity(row.getLong(0), row.getLong(1)))
            .sorted(
                Comparator.comparingLong(Activity::activeMs)
                    .thenComparingLong(Activity::context)
                    .reversed())
            .toList();
    PriorityQueue<ContextHead> ready = new PriorityQueue<>(NEWEST_FIRST);
    for (int i = 0; i < falling.size() && page.size() < limit; i += HEADS_AT_ONCE) {
      int end = Math.min(falling.size(), i + HEADS_AT_ONCE);
      List<Long> some = falling.subList(i, end).stream().map(Activity::context).toList();
      for (HeadRow row : heads.findAll(some)) {
        boolean isBehind = after == null || NEWEST_FIRST.compare(row.head(), after) > 0;
        if (hour(row.activeMs()) >= hour && isBehind && listed.add(row.head().id())) {
          ready.add(row.head());
        }
      }
      long next = end < falling.size() ? falling.get(end).activeMs() : Long.MIN_VALUE;
      ContextHead first = ready.peek();
      while (first != null && page.size() < limit && first.activeAt().toEpochMilli() > next) {
        page.add(first);
        ready.remove();
        first = ready.peek();
      }
    }
  }

  /// The contexts with numbers below `before`, the greatest first.
  List<ContextHead> byNumber(long before, int limit) {
    List<ContextHead> page = new ArrayList<>();
    long below = before;
    while (page.size() < limit) {
      List<Long> numbers = numbersBelow(below, limit - page.size());
      if (numbers.isEmpty()) {
        break;
      }
      heads.findAll(numbers).forEach(row -> page.add(row.head()));
      below = numbers.getLast();
    }
    return page;
  }

  private List<Long> numbersBelow(long before, int limit) {
    List<Long> numbers = new ArrayList<>();
    long from = TurnRow.block(before);
    while (numbers.size() < limit) {
      List<Long> blocks = parts.down(PartList.Kind.CONTEXT, from, PARTS_AT_ONCE);
      for (long block : blocks) {
        int left = limit - numbers.size();
        if (left > 0) {
          session
              .read(CqlStatement.of(BELOW, block, before, left))
              .forEach(row -> numbers.add(row.getLong(0)));
        }
      }
      if (blocks.size() < PARTS_AT_ONCE) {
        break;
      }
      from = blocks.getLast() - 1;
    }
    return numbers;
  }

  /// The greatest number of a context; 0 if there are none.
  long newest() {
    List<ContextHead> first = byNumber(Long.MAX_VALUE, 1);
    return first.isEmpty() ? 0 : first.getFirst().id().value();
  }

  long count() {
    long count = 0;
    long from = Long.MAX_VALUE;
    while (true) {
      List<Long> blocks = parts.down(PartList.Kind.CONTEXT, from, PARTS_AT_ONCE);
      for (Row row :
          session.count(blocks.stream().map(block -> CqlStatement.of(COUNT, block)).toList())) {
        count += row.getLong(0);
      }
      if (blocks.size() < PARTS_AT_ONCE) {
        return count;
      }
      from = blocks.getLast() - 1;
    }
  }
}
