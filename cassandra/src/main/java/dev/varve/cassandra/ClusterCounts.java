// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.varve.StoreCounts;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The counts of a store: the numbers of all turns are counted, block by block. The count of a
/// block far below the newest is kept, since nothing is written there any more.
final class ClusterCounts {

  private static final int PARTS_AT_ONCE = 64;

  /// Blocks of numbers that are still given lie no further below the newest.
  private static final int OPEN_BLOCKS = 8;

  private static final String COUNT = "SELECT count(*) FROM ks.turn WHERE store = ? AND block = ?";

  private final ClusterSession session;
  private final PartList parts;
  private final Map<Long, Long> closedBlocks = new ConcurrentHashMap<>();

  ClusterCounts(ClusterSession session, PartList parts) {
    this.session = session;
    this.parts = parts;
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

  private long turns() {
    long count = 0;
    long from = Long.MAX_VALUE;
    long open = 0; // the smallest block that may still be written
    while (true) {
      List<Long> blocks = parts.down(PartList.Kind.TURN, from, PARTS_AT_ONCE);
      if (from == Long.MAX_VALUE && !blocks.isEmpty()) {
        open = blocks.getFirst() - OPEN_BLOCKS;
      }
      List<Long> unknown =
          blocks.stream().filter(block -> !closedBlocks.containsKey(block)).toList();
      List<List<Row>> counted =
          session.readAll(unknown.stream().map(block -> CqlStatement.of(COUNT, block)).toList());
      for (int i = 0; i < unknown.size(); i++) {
        long turns = counted.get(i).getFirst().getLong(0);
        if (unknown.get(i) < open) {
          closedBlocks.put(unknown.get(i), turns);
        }
        count += turns;
      }
      for (long block : blocks) {
        count += unknown.contains(block) ? 0 : closedBlocks.getOrDefault(block, 0L);
      }
      if (blocks.size() < PARTS_AT_ONCE) {
        return count;
      }
      from = blocks.getLast() - 1;
    }
  }
}
