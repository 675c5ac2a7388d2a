// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.local.LocalStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The sizes of contexts against sums over all their turns.
final class ContextSizesTest {

  private static final Duration NO_TIME = Duration.ZERO;

  @TempDir Path folder;
  private Store store;
  private ContextSizes sizes;

  @BeforeEach
  void open() {
    store = LocalStore.open(folder.resolve("s"), StoreOptions.DEFAULTS);
    sizes = new ContextSizes(store);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private Turn say(ContextId context, int bytes) {
    return store.append(
        context,
        NewTurn.of(Payload.utf8("x".repeat(bytes)), new DeclaredType("note", 1), Encoding.RAW));
  }

  private long size(ContextId context) {
    return sizes.of(store.head(context), Deadline.in(Duration.ofMinutes(1))).orElseThrow();
  }

  @Test
  void anEmptyContextHasNoBytes() {
    assertThat(size(store.createContext().id())).isZero();
  }

  @Test
  void sizesAreSumsOverAllTurnsWhateverGrowsAndForks() {
    Random random = new Random(7);
    ContextHead first = store.createContext();
    for (int i = 0; i < 40; i++) {
      ContextId at = new ContextId(1 + random.nextInt((int) store.counts().contexts()));
      for (int turns = random.nextInt(80); turns > 0; turns--) {
        say(at, random.nextInt(30));
      }
      if (!store.head(at).head().isNone()) {
        int depth = random.nextInt(store.head(at).headDepth() + 1);
        store.fork(store.range(at, depth, 1, dev.varve.View.HEADERS).turns().getFirst().id());
      }
      for (ContextHead each : store.contexts(null, 100)) {
        assertThat(size(each.id()))
            .as("%s", each)
            .isEqualTo(store.turns(each.id()).mapToLong(Turn::payloadSizeBytes).sum());
      }
    }
    assertThat(store.head(first.id()).headDepth()).isPositive();
  }

  @Test
  void aWalkWithoutTimeGoesOnWhereItStopped() {
    ContextId context = store.createContext().id();
    for (int i = 0; i < 1_000; i++) {
      say(context, 10);
    }
    int calls = 0;
    while (sizes.of(store.head(context), Deadline.in(NO_TIME)).isEmpty()) {
      assertThat(++calls).isLessThan(100);
    }
    assertThat(calls).as("the time was over sometimes").isGreaterThan(5);
    assertThat(sizes.of(store.head(context), Deadline.in(NO_TIME))).hasValue(10_000);
    say(context, 1);
    assertThat(sizes.of(store.head(context), Deadline.in(NO_TIME))).hasValue(10_001);
  }

  @Test
  void whatWasForgottenIsReadAgain() {
    ContextId context = store.createContext().id();
    Turn turn = say(context, 5);
    say(context, 3);
    assertThat(size(context)).isEqualTo(8);

    store.tombstone(turn.id());
    sizes.forget();

    assertThat(size(context)).isEqualTo(3);
  }
}
