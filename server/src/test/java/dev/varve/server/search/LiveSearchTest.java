// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BulkStore;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.StoreCounts;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.local.LocalStore;
import dev.varve.search.SearchRequest;
import dev.varve.server.events.ServerEvent;
import dev.varve.sim.ForwardingStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LiveSearchTest {

  private static final int FAILURES = 2;
  private static final int MANY = 200;
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

  /// A store that counts the headers of turns that are read.
  private static final class CountingStore extends ForwardingStore {
    private final AtomicInteger headersRead = new AtomicInteger();

    CountingStore(BulkStore store) {
      super(store);
    }

    @Override
    public Turn turn(TurnId id, View view) {
      if (!view.payloads()) {
        headersRead.incrementAndGet();
      }
      return super.turn(id, view);
    }
  }

  @Test
  void aDeletedTurnIsForgottenWithoutALookThroughAllTurns() {
    Path place = folder.resolve("s");
    CountingStore store = new CountingStore(LocalStore.open(place, StoreOptions.DEFAULTS));
    ContextId context = store.createContext().id();
    TurnId deleted = say(store, context, "a deletable word");
    for (int i = 0; i < MANY; i++) {
      say(store, context, "a lasting word " + i);
    }
    SearchRequest words = SearchRequest.of("word", 10, Instant.now(), ZoneOffset.UTC);

    try (store;
        LiveSearch search = new LiveSearch(place, store)) {
      search.start();
      await(() -> search.search(words).coverage().isWhole());
      int before = store.headersRead.get();
      long seq = store.tombstone(deleted);
      search.on(new ServerEvent.TurnOverlaid(deleted, seq, Overlay.Kind.TOMBSTONE));
      TurnId last = say(store, context, "a later one");
      search.on(new ServerEvent.TurnAppended(store.turn(last, View.HEADERS), null));
      SearchRequest later = SearchRequest.of("later", 10, Instant.now(), ZoneOffset.UTC);
      await(() -> !search.search(later).hits().isEmpty());
      SearchRequest gone = SearchRequest.of("deletable", 10, Instant.now(), ZoneOffset.UTC);
      assertThat(search.search(gone).hits()).isEmpty();
      assertThat(store.headersRead.get() - before).isLessThan(MANY);
    }
  }

  private static TurnId say(BulkStore store, ContextId context, String words) {
    DeclaredType note = new DeclaredType("note", 1);
    return store.append(context, NewTurn.of(Payload.utf8(words), note, Encoding.RAW)).id();
  }

  private static void await(BooleanSupplier done) {
    Instant end = Instant.now().plus(Duration.ofMinutes(1));
    while (!done.getAsBoolean()) {
      assertThat(Instant.now()).isBefore(end);
      LockSupport.parkNanos(ROUND_NANOS);
    }
  }
}
