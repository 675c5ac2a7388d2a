// SPDX-License-Identifier: Apache-2.0
package dev.varve.contract;

import static dev.varve.contract.Samples.replayed;
import static dev.varve.contract.Samples.said;
import static dev.varve.contract.Samples.say;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.IdempotencyKey;
import dev.varve.NewTurn;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreCounts;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A store that is still there when it is opened again.
public abstract class DurableStoreContract extends StoreContract {

  /// Opens again what `closed` was, with the same limits and the same clock.
  protected abstract Store reopen(Store closed) throws Exception;

  private void closeAndReopen() throws Exception {
    Store closed = store();
    closed.close();
    replaceStore(reopen(closed));
  }

  @Test
  void everythingIsThereAfterReopening() throws Exception {
    ContextId trunk = store().createContext().id();
    List<TurnId> turns = say(store(), trunk, "trunk", 6);
    BlobHash about = store().put(Payload.utf8("about"));
    ContextId fork = store().createContext(turns.get(3), about).id();
    BlobHash tree = store().put(Payload.utf8("tree"));
    store().append(fork, said("fork").withFsRoot(tree).withDeclaredCompression(1));
    store().patch(turns.get(1), Payload.utf8("patched"));
    store().tombstone(turns.get(2));
    store().attachFsRoot(turns.get(4), tree);

    List<ContextHead> contexts = store().contexts(null, 10);
    List<Turn> trunkPath = replayed(store(), turns.getLast(), View.LATEST);
    List<Turn> forkPath = store().last(fork, 10, View.AS_WRITTEN).turns();
    List<Overlay> overlays = store().overlays(turns.get(1));
    StoreCounts counts = store().counts();
    for (int i = 0; i < 3; i++) {
      closeAndReopen();

      assertThat(store().contexts(null, 10)).isEqualTo(contexts);
      assertThat(replayed(store(), turns.getLast(), View.LATEST)).isEqualTo(trunkPath);
      assertThat(store().last(fork, 10, View.AS_WRITTEN).turns()).isEqualTo(forkPath);
      assertThat(store().overlays(turns.get(1))).isEqualTo(overlays);
      assertThat(store().get(about)).isEqualTo(Payload.utf8("about"));
      assertThat(store().findChild(turns.get(3), Samples.hash("fork")))
          .contains(store().head(fork).head());
      StoreCounts now = store().counts();
      assertThat(List.of(now.contexts(), now.turns(), now.blobs(), now.overlays(), now.types()))
          .containsExactly(
              counts.contexts(), counts.turns(), counts.blobs(), counts.overlays(), counts.types());
      assertThat(now.rawBytes()).isEqualTo(counts.rawBytes());
    }
  }

  /// cxdb emptied its files at every start (field fault S01).
  @Test
  void eachStepSurvivesReopening() throws Exception {
    ContextId context = store().createContext().id();
    List<Turn> expected = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      closeAndReopen();
      Turn turn = store().append(context, said("turn " + i));
      expected.add(turn);
      closeAndReopen();
      assertThat(store().last(context, 100, View.HEADERS).turns()).isEqualTo(expected);
    }
  }

  @Test
  void anEmptyStoreReopensEmpty() throws Exception {
    store();
    closeAndReopen();

    assertThat(store().contexts(null, 10)).isEmpty();
    assertThat(store().counts().turns()).isZero();
    assertThat(store().append(store().createContext().id(), said("a")).depth()).isZero();
  }

  @Test
  void numbersAreNotGivenAgainAfterReopening() throws Exception {
    ContextId context = store().createContext().id();
    TurnId last = say(store(), context, "a", 3).getLast();
    store().patch(last, Payload.utf8("one"));
    closeAndReopen();

    assertThat(store().append(context, said("b")).id()).isGreaterThan(last);
    assertThat(store().createContext().id()).isNotEqualTo(context);
    assertThat(store().tombstone(last)).isEqualTo(2);
  }

  /// A retry may come after the server was started again (field fault N04).
  @Test
  void aRetryAnswersTheFirstTurnAfterReopening() throws Exception {
    ContextId context = store().createContext().id();
    NewTurn request = said("once").withKey(IdempotencyKey.of("key"));
    Turn first = store().append(context, request);
    store().append(context, said("later"));
    closeAndReopen();

    assertThat(store().append(context, request)).isEqualTo(first);
    NewTurn other = said("other").withKey(IdempotencyKey.of("key"));
    assertThatThrownBy(() -> store().append(context, other))
        .isInstanceOf(StoreException.Conflict.class);
    assertThat(store().counts().turns()).isEqualTo(2);
  }

  @Test
  void blobsAreStillKeptOnceAfterReopening() throws Exception {
    store().put(Payload.utf8("blob"));
    closeAndReopen();
    store().put(Payload.utf8("blob"));

    assertThat(store().counts().blobs()).isEqualTo(1);
  }
}
