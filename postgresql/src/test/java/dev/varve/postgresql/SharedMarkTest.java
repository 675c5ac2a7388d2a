// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.StoreOptions;
import dev.varve.TurnId;
import dev.varve.access.DatabaseStore;
import dev.varve.access.StoreMark;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What one service sees of the writes of another.
@Tag("database")
final class SharedMarkTest {

  private static NewTurn said(String text) {
    return NewTurn.of(Payload.utf8(text), new DeclaredType("t", 1), Encoding.JSON);
  }

  @Test
  void theMarkAndTheOverlaysOfAnotherService() {
    PostgresAddress address = PostgresServer.shared().freshSchema();
    try (DatabaseStore writer = PostgresStore.open(address, StoreOptions.DEFAULTS);
        DatabaseStore reader = PostgresStore.open(address, StoreOptions.DEFAULTS)) {
      assertThat(reader.storeId()).isEqualTo(writer.storeId());
      assertThat(reader.mark()).isEqualTo(new StoreMark(TurnId.NONE, new ContextId(0), 0));

      ContextId context = writer.createContext().id();
      TurnId first = writer.append(context, said("a")).id();
      TurnId second = writer.append(context, said("b")).id();
      long patch = writer.patch(first, Payload.utf8("c"));
      long tombstone = writer.tombstone(second);

      assertThat(reader.mark()).isEqualTo(new StoreMark(second, context, tombstone));
      assertThat(reader.overlaysAfter(0, 10))
          .extracting(Overlay::seq, Overlay::target, Overlay::kind)
          .containsExactly(
              tuple(patch, first, Overlay.Kind.PATCH),
              tuple(tombstone, second, Overlay.Kind.TOMBSTONE));
      assertThat(reader.overlaysAfter(patch, 10))
          .extracting(Overlay::seq)
          .containsExactly(tombstone);
      assertThat(reader.overlaysAfter(0, 1)).hasSize(1);
      assertThat(reader.overlaysAfter(tombstone, 10)).isEmpty();
    }
  }
}
