// SPDX-License-Identifier: Apache-2.0
package dev.varve.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.ErasePlan;
import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.ErasedBlob;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.ReadProgress;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.View;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Erasures of a store that stays open.
public interface EraseContract extends StoreFixture {

  private static Turn say(Store store, ContextId context, String text) {
    return store.append(
        context, NewTurn.of(Payload.utf8(text), new DeclaredType("note", 1), Encoding.JSON));
  }

  private static EraseRequest secret(String text) {
    return new EraseRequest(Set.of(), Set.of(), List.of(Payload.utf8(text)));
  }

  private static ErasePlan plan(Store store, EraseRequest request) {
    return store.erasures().plan(request, ReadProgress.NONE);
  }

  @Test
  default void anErasureTakesWhatItsPlanSaidAndTheStoreGoesOn() throws Exception {
    ContextId context = store().createContext().id();
    Turn before = say(store(), context, "before");
    Turn spoken = say(store(), context, "the key is AKIA-EXAMPLE-1");
    Turn after = say(store(), context, "after");

    ErasePlan plan = plan(store(), secret("AKIA-EXAMPLE-1"));
    assertThat(plan.counts().blobs()).isEqualTo(1);
    assertThat(plan.turns()).containsExactly(spoken.id());
    assertThat(plan.going().getFirst().cause()).isEqualTo(ErasedBlob.Cause.SECRET);
    assertThat(store().get(spoken.payloadHash())).isNotNull();
    EraseReceipt receipt = AgreedErasure.in(store(), secret("AKIA-EXAMPLE-1"));

    assertThat(receipt.hashes()).containsExactly(spoken.payloadHash());
    assertThat(receipt.plan().digest()).isEqualTo(plan.digest());
    assertThatThrownBy(() -> store().get(spoken.payloadHash()))
        .isInstanceOf(StoreException.NotFound.class);
    Payload again = Payload.utf8("the key is AKIA-EXAMPLE-1");
    assertThatThrownBy(() -> store().put(again)).isInstanceOf(StoreException.Erased.class);
    assertThatThrownBy(() -> store().put(new ByteArrayInputStream(again.unsafeArray()), null))
        .isInstanceOf(StoreException.Erased.class);
    assertThat(store().last(context, 10, View.AS_WRITTEN).turns())
        .extracting(Turn::id)
        .containsExactly(before.id(), spoken.id(), after.id());
    assertThat(store().turn(spoken.id(), View.AS_WRITTEN).tombstone()).isTrue();
    assertThat(store().get(before.payloadHash())).isEqualTo(Payload.utf8("before"));
    Turn later = say(store(), context, "later");
    assertThat(later.depth()).isEqualTo(3);
    assertThat(store().get(later.payloadHash())).isEqualTo(Payload.utf8("later"));
    assertThat(store().check().problems()).isEmpty();
  }

  @Test
  default void aContextGoesAsFarAsNothingElseNeedsIt() {
    ContextId context = store().createContext().id();
    Turn shared = say(store(), context, "shared by two");
    ContextId fork = store().fork(shared.id()).id();
    Turn own = say(store(), context, "only the first has this");
    Turn other = say(store(), fork, "only the fork has this");
    EraseRequest request = new EraseRequest(Set.of(context), Set.of(), List.of());

    EraseReceipt receipt = AgreedErasure.in(store(), request);

    assertThat(receipt.hashes()).containsExactly(own.payloadHash());
    assertThat(store().has(shared.payloadHash())).isTrue();
    assertThat(store().has(other.payloadHash())).isTrue();
    assertThat(store().head(context).head()).isEqualTo(own.id());
    assertThat(store().createContext().id().value()).isGreaterThan(fork.value());
  }

  @Test
  default void descriptionsThatAContextHadBeforeGoWithItUnlessAnotherHadThem() {
    ContextId context = store().createContext().id();
    ContextId other = store().createContext().id();
    BlobHash shared = store().put(Payload.utf8("a title of both"));
    BlobHash former = store().put(Payload.utf8("a title that was replaced"));
    BlobHash present = store().put(Payload.utf8("the present title"));
    for (BlobHash about : List.of(shared, former, shared, present)) {
      store().describe(context, about);
    }
    store().describe(other, shared);
    store().describe(other, store().put(Payload.utf8("another title")));

    EraseReceipt receipt =
        AgreedErasure.in(store(), new EraseRequest(Set.of(context), Set.of(), List.of()));

    assertThat(receipt.hashes()).containsExactlyInAnyOrder(former, present);
    assertThat(store().has(shared)).as("the other context had it").isTrue();
    assertThat(store().check().problems()).isEmpty();
  }

  @Test
  default void aHoldKeepsFormerDescriptionsToo() {
    ContextId context = store().createContext().id();
    BlobHash former = store().put(Payload.utf8("a held title, AKIA-EXAMPLE-4"));
    store().describe(context, former);
    store().describe(context, store().put(Payload.utf8("the present title")));
    store().holds().hold(context, null, "audit");

    assertThatThrownBy(() -> plan(store(), secret("AKIA-EXAMPLE-4")))
        .isInstanceOf(StoreException.Conflict.class)
        .hasMessageContaining("audit");
    assertThat(store().has(former)).isTrue();
  }

  @Test
  default void severalBlobsAndContextsGoAtOnce() {
    BlobHash one = store().put(Payload.utf8("one to go"));
    BlobHash two = store().put(Payload.utf8("two to go"));
    ContextId first = store().createContext().id();
    ContextId second = store().createContext().id();
    BlobHash three = say(store(), first, "three to go").payloadHash();
    BlobHash four = say(store(), second, "four to go").payloadHash();

    EraseReceipt receipt =
        AgreedErasure.in(
            store(), new EraseRequest(Set.of(first, second), Set.of(one, two), List.of()));

    assertThat(receipt.hashes()).containsExactlyInAnyOrder(one, two, three, four);
  }

  @Test
  default void aPlanThatIsNoLongerTrueIsRefusedAndNothingGoes() {
    ContextId context = store().createContext().id();
    Turn first = say(store(), context, "one AKIA-EXAMPLE-2");
    BlobHash digest = plan(store(), secret("AKIA-EXAMPLE-2")).digest();
    Turn second = say(store(), context, "two AKIA-EXAMPLE-2");

    assertThatThrownBy(
            () -> store().erasures().erase(secret("AKIA-EXAMPLE-2"), digest, ReadProgress.NONE))
        .isInstanceOf(StoreException.Conflict.class);

    assertThat(store().has(first.payloadHash())).isTrue();
    assertThat(store().has(second.payloadHash())).isTrue();
    say(store(), context, "the store goes on");
  }

  @Test
  default void aHoldIsInTheWayAndWhatIsNotThereIsNotFound() {
    ContextId context = store().createContext().id();
    Turn held = say(store(), context, "held AKIA-EXAMPLE-3");
    store().holds().hold(context, null, "audit");

    assertThatThrownBy(() -> plan(store(), secret("AKIA-EXAMPLE-3")))
        .isInstanceOf(StoreException.Conflict.class)
        .hasMessageContaining("audit");
    ErasePlan left = plan(store(), secret("AKIA-EXAMPLE-3").leavingHeld());
    assertThat(left.counts().blobs()).isZero();
    assertThat(left.staying()).hasSize(1);
    assertThat(store().has(held.payloadHash())).isTrue();
    EraseRequest absent = new EraseRequest(Set.of(), Set.of(new BlobHash(1, 2, 3, 4)), List.of());
    assertThatThrownBy(() -> plan(store(), absent)).isInstanceOf(StoreException.NotFound.class);
  }

  @Test
  default void garbageGoesAndMayComeBack() {
    ContextId context = store().createContext().id();
    Turn turn = say(store(), context, "as written");
    store().patch(turn.id(), Payload.utf8("as patched"));

    EraseReceipt receipt = AgreedErasure.in(store(), EraseRequest.GARBAGE);

    assertThat(receipt.hashes()).containsExactly(turn.payloadHash());
    assertThat(store().turn(turn.id(), View.LATEST).payload())
        .isEqualTo(Payload.utf8("as patched"));
    assertThat(store().put(Payload.utf8("as written"))).isEqualTo(turn.payloadHash());
    assertThat(store().get(turn.payloadHash())).isEqualTo(Payload.utf8("as written"));
    assertThat(plan(store(), EraseRequest.GARBAGE).counts().blobs()).isLessThanOrEqualTo(1);
  }
}
