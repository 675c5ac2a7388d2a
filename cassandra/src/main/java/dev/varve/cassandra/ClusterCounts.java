// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.varve.StoreCounts;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.CqlStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/// The counts of a store: the numbers of all turns are counted, block by block.
///
/// Numbers of a block below the newest are no longer given, but an append that has its number may
/// last as long as the patience with a cluster. So the count of such a block is kept, and taken
/// once more when no append of that time can be under way; this count is kept for good.
final class ClusterCounts {

  private static final int PARTS_AT_ONCE = 64;

  /// Longer than any append: several questions, each with its patience.
  private static final long APPEND_NANOS = Duration.ofMinutes(10).toNanos();

  private static final String COUNT =
      "SELECT count(*), count(shown) FROM ks.turn WHERE store = ? AND block = ?";

  /// A count of a block that was below the newest.
  ///
  /// @param firstNanos when the block was first counted as such a block
  private record Kept(long turns, long firstNanos, boolean isFinal) {}

  private final ClusterSession session;
  private final PartList parts;
  private final ShownTurns shown;
  private final LongSupplier nanoTime;
  private final Map<Long, Kept> kept = new ConcurrentHashMap<>();

  /// @param nanoTime as [System#nanoTime]
  ClusterCounts(ClusterSession session, PartList parts, ShownTurns shown, LongSupplier nanoTime) {
    this.session = session;
    this.parts = parts;
    this.shown = shown;
    this.nanoTime = nanoTime;
  }

  StoreCounts counts(BlobList.Sum blobs, long contexts, long overlays, long types) {
    return new StoreCounts(
        contexts,
        turns(),
        blobs.blobs(),
        overlays,
        types,
        blobs.ownBytes(),
        blobs.storedBytes(),
        -1);
  }

  long turns() {
    long count = 0;
    long newest = Long.MIN_VALUE;
    long from = Long.MAX_VALUE;
    while (true) {
      List<Long> blocks = parts.down(PartList.Kind.TURN, from, PARTS_AT_ONCE);
      if (from == Long.MAX_VALUE && !blocks.isEmpty()) {
        newest = blocks.getFirst();
      }
      count += turns(blocks, newest);
      if (blocks.size() < PARTS_AT_ONCE) {
        return count;
      }
      from = blocks.getLast() - 1;
    }
  }

  private long turns(List<Long> blocks, long newest) {
    long now = nanoTime.getAsLong();
    long count = 0;
    List<Long> unknown = new ArrayList<>();
    for (long block : blocks) {
      Kept known = kept.get(block);
      if (known == null || !known.isFinal() && now - known.firstNanos() > APPEND_NANOS) {
        unknown.add(block);
      } else {
        count += known.turns();
      }
    }
    List<Row> rows =
        session.count(unknown.stream().map(block -> CqlStatement.of(COUNT, block)).toList());
    for (int i = 0; i < rows.size(); i++) {
      long block = unknown.get(i);
      long turns = shownOf(block, rows.get(i));
      count += turns;
      if (block < newest) {
        keep(block, turns, now);
      }
    }
    return count;
  }

  private long shownOf(long block, Row row) {
    return row.getLong(0) == row.getLong(1) ? row.getLong(1) : shown.count(block);
  }

  private void keep(long block, long turns, long now) {
    Kept before = kept.get(block);
    kept.put(
        block,
        before == null ? new Kept(turns, now, false) : new Kept(turns, before.firstNanos(), true));
  }
}
