// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.ContextHead;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The sizes of contexts: the bytes of the payloads of all turns from the root to the head,
/// uncompressed. A payload counts for each turn that has it; a deleted one does not count.
///
/// A walk reads headers of turns, from the head back to the first turn whose size is remembered. A
/// context that grew therefore costs its new turns, and a fork its own. A walk that runs out of
/// time is remembered too, and goes on there. For any threads.
final class ContextSizes {

  /// About 8 MiB.
  private static final int REMEMBERED_MAX = 65_536;

  /// Of these depths the size is remembered, for forks that part there or later.
  private static final int DEPTHS_BETWEEN = 256;

  private static final int PAGE_FIRST = 16;
  private static final int PAGE_MAX = 1_024;

  /// The bytes of a turn and of its ancestors.
  ///
  /// @param end the depth of the first ancestor that is not counted, plus one; 0 if all are counted
  private record CountedPath(long bytes, int end) {}

  private final Store store;

  // ---- guarded by this
  private final Map<TurnId, CountedPath> remembered =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<TurnId, CountedPath> eldest) {
          return size() > REMEMBERED_MAX;
        }
      };
  private long generation;

  ContextSizes(Store store) {
    this.store = store;
  }

  /// The size of a context in bytes; empty if the time was over first, or a turn cannot be read.
  OptionalLong of(ContextHead head, Deadline deadline) {
    try {
      return head.head().isNone() ? OptionalLong.of(0) : walked(head, deadline);
    } catch (StoreException.NotFound | StoreException.Corrupt e) {
      return OptionalLong.empty(); // `varve check` names the place
    }
  }

  private OptionalLong walked(ContextHead head, Deadline deadline) {
    long before = generation();
    Map<TurnId, Long> above = new HashMap<>();
    long bytes = 0;
    int limit = PAGE_FIRST;
    for (int end = head.headDepth() + 1; end > 0; limit = Math.min(PAGE_MAX, 4 * limit)) {
      int start = Math.max(0, end - limit);
      List<Turn> page = store.range(head.id(), start, end - start, View.HEADERS).turns();
      end = start;
      for (Turn turn : page.reversed()) {
        if (deadline.isOver()) {
          remember(above, bytes, turn.depth() + 1, before);
          return OptionalLong.empty();
        }
        CountedPath known = known(turn.id());
        if (known != null) {
          above.put(turn.id(), bytes); // an unfinished path reaches further now
          bytes += known.bytes();
          end = known.end();
          break;
        }
        if (turn.depth() % DEPTHS_BETWEEN == 0
            || turn.id().equals(head.head())
            || turn.id().equals(head.base())) {
          above.put(turn.id(), bytes);
        }
        bytes += turn.tombstone() ? 0 : turn.payloadSizeBytes();
      }
    }
    remember(above, bytes, 0, before);
    return OptionalLong.of(bytes);
  }

  private synchronized long generation() {
    return generation;
  }

  private synchronized @Nullable CountedPath known(TurnId turn) {
    return remembered.get(turn);
  }

  /// Remembers the paths of the turns that a walk passed, unless sizes changed since it began.
  private synchronized void remember(Map<TurnId, Long> above, long bytes, int end, long before) {
    if (generation == before) {
      above.forEach((turn, passed) -> remembered.put(turn, new CountedPath(bytes - passed, end)));
    }
  }

  /// Forgets all sizes, and those that are being read: payloads were replaced, hidden or erased.
  synchronized void forget() {
    remembered.clear();
    generation++;
  }
}
