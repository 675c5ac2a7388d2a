// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.TurnId;
import dev.varve.turn.HeadTable;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Numbers given elsewhere leave room for those that the store gives.
class NumberLimitsTest {

  private static final Instant THEN = Instant.ofEpochMilli(1);
  private static final NewTurn ROOT =
      NewTurn.of(Payload.utf8("root"), DeclaredType.UNDECLARED, Encoding.RAW)
          .withParent(TurnId.NONE);

  @TempDir Path folder;

  @Test
  void behindTheGreatestTurnNumberThereIsRoom() {
    TurnId greatest = new TurnId((1L << 62) - 1);
    ContextId context;
    try (LocalStore store = LocalStore.open(folder, StoreOptions.DEFAULTS)) {
      context = store.createContext().id();
      assertThatThrownBy(
              () -> store.restoreTurn(new TurnId(greatest.value() + 1), context, ROOT, THEN))
          .isInstanceOf(StoreException.Invalid.class);
      assertThatThrownBy(() -> store.restoreTurn(new TurnId(Long.MAX_VALUE), context, ROOT, THEN))
          .isInstanceOf(StoreException.Invalid.class);
      store.restoreTurn(greatest, context, ROOT, THEN);
    }
    try (LocalStore store = LocalStore.open(folder, StoreOptions.DEFAULTS)) {
      assertThat(store.append(context, ROOT).id().value()).isGreaterThan(greatest.value());
      assertThat(store.check().problems()).isEmpty();
    }
  }

  @Test
  void aContextNumberThatWouldNeedAHugeTableIsRefused() {
    try (LocalStore store = LocalStore.open(folder, StoreOptions.DEFAULTS)) {
      for (long id : new long[] {HeadTable.CONTEXT_ID_MAX, 1L << 40, Long.MAX_VALUE, 0, -1}) {
        assertThatThrownBy(
                () ->
                    store.restoreContext(
                        new ContextId(id), TurnId.NONE, TurnId.NONE, THEN, THEN, null))
            .isInstanceOf(StoreException.Invalid.class);
      }
      assertThat(store.createContext().id()).isEqualTo(new ContextId(1));
    }
  }
}
