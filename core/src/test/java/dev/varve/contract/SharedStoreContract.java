// SPDX-License-Identifier: Apache-2.0
package dev.varve.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.IdempotencyKey;
import dev.varve.NewTurn;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.access.DatabaseStore;
import dev.varve.access.StoreMark;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// What services see and do that have the same store in a database open.
public interface SharedStoreContract {

  /// A new store: each call of the answer opens this same store, as one more service.
  Supplier<DatabaseStore> freshStore();

  private static NewTurn said(String text) {
    return NewTurn.of(Payload.utf8(text), new DeclaredType("t", 1), Encoding.JSON);
  }

  @Test
  default void theMarkAndTheOverlaysOfAnotherService() {
    Supplier<DatabaseStore> shared = freshStore();
    try (DatabaseStore writer = shared.get();
        DatabaseStore reader = shared.get()) {
      assertThat(reader.storeId()).isEqualTo(writer.storeId());
      assertThat(reader.mark()).isEqualTo(new StoreMark(TurnId.NONE, new ContextId(0), 0, 0));

      ContextId context = writer.createContext().id();
      TurnId first = writer.append(context, said("a")).id();
      TurnId second = writer.append(context, said("b")).id();
      long patch = writer.patch(first, Payload.utf8("c"));
      long tombstone = writer.tombstone(second);

      assertThat(reader.mark()).isEqualTo(new StoreMark(second, context, tombstone, 0));
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

  @Test
  default void twoServicesAppendToOneContextAndNothingIsLostOrDoneTwice() throws Exception {
    Supplier<DatabaseStore> shared = freshStore();
    try (DatabaseStore one = shared.get();
        DatabaseStore two = shared.get();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      ContextId context = one.createContext().id();
      List<Future<List<TurnId>>> writers = new ArrayList<>();
      for (DatabaseStore store : List.of(one, two)) {
        writers.add(
            threads.submit(
                () -> {
                  List<TurnId> own = new ArrayList<>();
                  for (int n = 0; n < 20; n++) {
                    own.add(store.append(context, said((store == one) + "/" + n)).id());
                  }
                  return own;
                }));
      }
      List<TurnId> acknowledged = new ArrayList<>();
      for (Future<List<TurnId>> writer : writers) {
        acknowledged.addAll(writer.get());
      }

      List<Turn> path = two.last(context, 100, View.LATEST).turns();
      assertThat(path).extracting(Turn::id).containsExactlyInAnyOrderElementsOf(acknowledged);
      assertThat(path).extracting(Turn::id).isSorted();
      assertThat(path).extracting(Turn::payload).doesNotHaveDuplicates();
      assertThat(one.counts().turns()).as("turns that lost a race are gone").isEqualTo(40);
      assertThat(one.check().problems()).isEmpty();
    }
  }

  @Test
  default void aRetryThroughAnotherServiceAnswersTheFirstTurn() {
    Supplier<DatabaseStore> shared = freshStore();
    NewTurn once = said("once").withKey(IdempotencyKey.of("key"));
    try (DatabaseStore one = shared.get();
        DatabaseStore two = shared.get()) {
      ContextId context = one.createContext().id();
      TurnId root = one.append(context, said("root")).id();
      Turn first = one.append(context, once);
      two.append(context, said("rewound").withParent(root));

      assertThat(two.append(context, once)).isEqualTo(first);
      assertThat(two.counts().turns()).isEqualTo(3);
    }
  }
}
