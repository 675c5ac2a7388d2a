// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Durability;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreOptions;
import dev.varve.TurnId;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Lists of more contexts than one zone of the head table has, beside a list that looks at each.
class ContextListsTest {

  private static final long SEED = 20261128;
  private static final int CONTEXTS = 1_500;

  @TempDir Path folder;
  private final SplittableRandom random = new SplittableRandom(SEED);

  private LocalStore open() {
    return LocalStore.open(folder, StoreOptions.DEFAULTS.withDurability(Durability.LET_THE_SYSTEM));
  }

  @Test
  void listsAreThoseOfAStoreThatLooksAtEachContext() {
    List<ContextId> made = new ArrayList<>();
    try (LocalStore store = open()) {
      for (int i = 0; i < CONTEXTS; i++) {
        int gap = random.nextInt(20) == 0 ? 300 : 1;
        long id = made.isEmpty() ? 1 : made.getLast().value() + gap;
        Instant at = Instant.ofEpochMilli(random.nextInt(1_000));
        made.add(
            store.restoreContext(new ContextId(id), TurnId.NONE, TurnId.NONE, at, at, null).id());
        if (i == CONTEXTS / 2) {
          store.contexts(null, 1); // from now on activity is followed
        }
      }
      assertLists(store, made);
      for (int i = 0; i < 200; i++) {
        ContextId active = made.get(random.nextInt(made.size()));
        store.append(
            active, NewTurn.of(Payload.utf8("turn " + i), new DeclaredType("t", 1), Encoding.RAW));
      }
      assertLists(store, made);
    }
    try (LocalStore store = open()) {
      assertLists(store, made);
    }
  }

  private void assertLists(LocalStore store, List<ContextId> made) {
    List<ContextHead> byNumber = made.reversed().stream().map(store::head).toList();
    List<ContextHead> byActivity =
        byNumber.stream()
            .sorted(
                Comparator.comparing(ContextHead::activeAt)
                    .thenComparing(ContextHead::id)
                    .reversed())
            .toList();
    for (int i = 0; i < 40; i++) {
      int start = random.nextInt(CONTEXTS);
      int limit = random.nextInt(1, 400);
      int end = Math.min(CONTEXTS, start + 1 + limit);
      assertThat(store.contexts(byActivity.get(start).id(), limit))
          .as("seed %d, behind %d, limit %d", SEED, start, limit)
          .isEqualTo(byActivity.subList(start + 1, end));
      assertThat(store.contextsBelow(byNumber.get(start).id(), limit))
          .as("seed %d, below %d, limit %d", SEED, start, limit)
          .isEqualTo(byNumber.subList(start + 1, end));
      assertThat(store.contexts(null, limit)).isEqualTo(byActivity.subList(0, limit));
      assertThat(store.contextsBelow(null, limit)).isEqualTo(byNumber.subList(0, limit));
    }
  }
}
