// SPDX-License-Identifier: Apache-2.0
package dev.varve.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.server.events.ServerEvent;
import dev.varve.sim.SharedModel;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// Writes of this service and of others to one store.
final class SharedStoreWatchTest {

  private final SharedModel store = new SharedModel(new UUID(1, 1));
  private final List<ServerEvent> heard = new ArrayList<>();

  private static NewTurn said(String text) {
    return NewTurn.of(Payload.utf8(text), new DeclaredType("t", 1), Encoding.JSON);
  }

  private SharedStoreWatch watch() {
    return new SharedStoreWatch(store, heard::add);
  }

  @Test
  void writesOfOthersAreAnnouncedOnceAndInOrder() {
    SharedStoreWatch watch = watch();
    ContextHead context = store.createContext();
    Turn first = store.append(context.id(), said("a"));
    Turn second = store.append(context.id(), said("b"));
    long seq = store.tombstone(first.id());

    for (int i = 0; i < 4; i++) {
      watch.look();
    }

    assertThat(heard)
        .extracting(SharedStoreWatchTest::summary)
        .containsExactly(
            "context " + context.id(),
            "turn " + first.id(),
            "turn " + second.id(),
            "overlay " + seq + " of " + first.id());
  }

  private static String summary(ServerEvent event) {
    return switch (event) {
      case ServerEvent.ContextCreated made -> "context " + made.context().id();
      case ServerEvent.TurnAppended added -> "turn " + added.turn().id();
      case ServerEvent.TurnOverlaid(TurnId turn, long seq, Overlay.Kind _) ->
          "overlay " + seq + " of " + turn;
      default -> event.toString();
    };
  }

  @Test
  void whatWasThereBeforeIsNoNews() {
    ContextId context = store.createContext().id();
    store.tombstone(store.append(context, said("a")).id());
    SharedStoreWatch watch = watch();

    watch.look();
    watch.look();
    watch.look();

    assertThat(heard).isEmpty();
  }

  @Test
  void writesOfThisServicePassThroughAndAreNotRepeated() {
    SharedStoreWatch watch = watch();
    ContextHead context = store.createContext();
    Turn turn = store.append(context.id(), said("a"));
    watch.look(); // sees the writes before their events come
    watch.on(new ServerEvent.ContextCreated(context, null));
    watch.on(new ServerEvent.TurnAppended(turn, null));
    long seq = store.tombstone(turn.id());
    watch.on(new ServerEvent.TurnOverlaid(turn.id(), seq, Overlay.Kind.TOMBSTONE));

    watch.look();
    watch.look();

    assertThat(heard).hasSize(3);
  }

  @Test
  void erasuresOfOthersAreAnnouncedOnceAndThoseOfThisServicePassThrough() {
    store.erased(); // before the service began
    SharedStoreWatch watch = watch();
    store.erased();
    watch.look();
    watch.on(new ServerEvent.BlobsErased(2));
    watch.look();
    assertThat(heard).containsExactly(new ServerEvent.BlobsErased(2));

    store.erased();
    store.erased();
    for (int i = 0; i < 4; i++) {
      watch.look();
    }

    assertThat(heard)
        .containsExactly(new ServerEvent.BlobsErased(2), new ServerEvent.BlobsErased(4));
  }

  @Test
  void whatCouldNotBeReadIsAnnouncedLater() {
    SharedStoreWatch watch = watch();
    ContextHead context = store.createContext();
    Turn turn = store.append(context.id(), said("a"));
    long seq = store.tombstone(turn.id());
    watch.look();
    store.lose(true);
    assertThatThrownBy(watch::look).isInstanceOf(StoreException.Io.class);
    assertThat(heard).isEmpty();
    store.lose(false);

    for (int i = 0; i < 4; i++) {
      watch.look();
    }

    assertThat(heard)
        .extracting(SharedStoreWatchTest::summary)
        .containsExactlyInAnyOrder(
            "context " + context.id(), "turn " + turn.id(), "overlay " + seq + " of " + turn.id());
  }

  @Test
  void aTurnThatBecomesVisibleLateIsAnnouncedToo() {
    Instant then = Instant.ofEpochMilli(1_500_000_000_000L);
    SharedStoreWatch watch = watch();
    ContextId elsewhere = new ContextId(1);
    store.restoreTurn(new TurnId(6), elsewhere, said("late").withParent(TurnId.NONE), then);
    store.hide(new TurnId(6));
    store.restoreTurn(new TurnId(7), elsewhere, said("early").withParent(TurnId.NONE), then);
    watch.look();
    watch.look();
    store.hide(null);
    watch.look();
    watch.look();

    assertThat(heard).extracting(SharedStoreWatchTest::summary).containsExactly("turn 7", "turn 6");
  }
}
