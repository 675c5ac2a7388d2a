// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BulkStore;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreCounts;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.local.LocalStore;
import dev.varve.search.SearchRequest;
import dev.varve.sim.ForwardingStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LiveSearchTest {

  private static final int FAILURES = 2;
  private static final long ROUND_NANOS = Duration.ofMillis(20).toNanos();

  @TempDir Path folder;

  /// A store that cannot be read for a while, as on a disk that is full for a moment.
  private static final class FailingStore extends ForwardingStore {
    private final AtomicInteger failuresLeft = new AtomicInteger(FAILURES);

    FailingStore(BulkStore store) {
      super(store);
    }

    @Override
    public StoreCounts counts() {
      if (failuresLeft.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        throw new StoreException.Io("search", "no room on the disk", null);
      }
      return super.counts();
    }
  }

  @Test
  void theSearchFollowsTheStoreAgainAfterAFailure() {
    Path place = folder.resolve("s");
    FailingStore store = new FailingStore(LocalStore.open(place, StoreOptions.DEFAULTS));
    ContextId context = store.createContext().id();
    store.append(
        context,
        NewTurn.of(Payload.utf8("a findable word"), new DeclaredType("note", 1), Encoding.RAW));
    SearchRequest findable = SearchRequest.of("findable", 10, Instant.now(), ZoneOffset.UTC);

    try (store;
        LiveSearch search = new LiveSearch(place, store)) {
      search.start();
      Instant end = Instant.now().plus(Duration.ofMinutes(1));
      while (store.failuresLeft.get() > 0 || search.search(findable).hits().isEmpty()) {
        assertThat(Instant.now()).isBefore(end);
        LockSupport.parkNanos(ROUND_NANOS);
      }
    }
  }
}
