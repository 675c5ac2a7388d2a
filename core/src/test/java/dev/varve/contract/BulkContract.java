// SPDX-License-Identifier: Apache-2.0
package dev.varve.contract;

import static dev.varve.contract.Samples.ABSENT_BLOB;
import static dev.varve.contract.Samples.ABSENT_TURN;
import static dev.varve.contract.Samples.hash;
import static dev.varve.contract.Samples.said;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.varve.BlobHash;
import dev.varve.BulkStore;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.IdempotencyKey;
import dev.varve.NewTurn;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.StoreCounts;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// A [BulkStore] brings in the history of another store with its numbers and times.
public interface BulkContract extends StoreFixture {

  Instant LONG_AGO = Instant.ofEpochMilli(1_500_000_000_123L);

  private BulkStore bulk() {
    return (BulkStore) store();
  }

  @Test
  default void aRestoredTurnKeepsItsNumberAndItsTime() {
    ContextId elsewhere = new ContextId(70);

    Turn root =
        bulk()
            .restoreTurn(
                new TurnId(100), elsewhere, said("root").withParent(TurnId.NONE), LONG_AGO);
    Turn next =
        bulk()
            .restoreTurn(new TurnId(205), elsewhere, said("next").withParent(root.id()), LONG_AGO);

    assertThat(root.id()).isEqualTo(new TurnId(100));
    assertThat(root.context()).isEqualTo(elsewhere);
    assertThat(root.createdAt()).isEqualTo(LONG_AGO);
    assertThat(next.depth()).isEqualTo(1);
    assertThat(store().turn(next.id(), View.HEADERS)).isEqualTo(next);
    assertThat(store().turn(next.id(), View.LATEST).payload()).isEqualTo(Payload.utf8("next"));
    assertThat(store().findChild(root.id(), hash("next"))).contains(next.id());
    assertThat(store().ancestor(next.id(), 0)).isEqualTo(root.id());
  }

  @Test
  default void aContextIsGivenALaterStateOfItsOwn() {
    ContextId id = new ContextId(70);
    TurnId root =
        bulk().restoreTurn(new TurnId(10), id, said("a").withParent(TurnId.NONE), LONG_AGO).id();
    bulk().restoreContext(id, root, TurnId.NONE, LONG_AGO, LONG_AGO, null);
    TurnId next = bulk().restoreTurn(new TurnId(11), id, said("b").withParent(root), LONG_AGO).id();
    BlobHash about = store().put(Payload.utf8("about"));
    Instant active = LONG_AGO.plusMillis(9);

    ContextHead moved = bulk().moveContext(id, root, next, active, about);

    assertThat(moved).isEqualTo(new ContextHead(id, next, 1, TurnId.NONE, LONG_AGO, active, about));
    assertThat(store().head(id)).isEqualTo(moved);
    assertThat(store().last(id, 5, View.HEADERS).turns())
        .extracting(Turn::id)
        .containsExactly(root, next);
    assertThat(bulk().moveContext(id, next, next, LONG_AGO, null))
        .isEqualTo(new ContextHead(id, next, 1, TurnId.NONE, LONG_AGO, active, null));
    assertThat(store().append(id, said("c")).parent()).isEqualTo(next);
  }

  @Test
  default void aContextThatWentOnIsNotMoved() {
    ContextId context = store().createContext().id();
    TurnId first = store().append(context, said("a")).id();
    ContextHead second = store().head(store().append(context, said("b")).context());

    assertThatThrownBy(() -> bulk().moveContext(context, first, first, LONG_AGO, null))
        .isInstanceOf(StoreException.Conflict.class);
    assertThatThrownBy(
            () -> bulk().moveContext(context, second.head(), ABSENT_TURN, LONG_AGO, null))
        .isInstanceOf(StoreException.NotFound.class);
    assertThatThrownBy(
            () -> bulk().moveContext(context, second.head(), first, LONG_AGO, ABSENT_BLOB))
        .isInstanceOf(StoreException.NotFound.class);
    assertThatThrownBy(() -> bulk().moveContext(new ContextId(999), first, first, LONG_AGO, null))
        .isInstanceOf(StoreException.NotFound.class);
    assertThat(store().head(context)).isEqualTo(second);
  }

  @Test
  default void theOverlaysOfTheStoreAreListedAsTheyWereWritten() {
    ContextId context = store().createContext().id();
    List<TurnId> turns = Samples.say(store(), context, "t", 3);
    BlobHash root = store().put(Payload.utf8("root"));
    store().patch(turns.get(2), Payload.utf8("later"));
    store().tombstone(turns.getFirst());
    store().attachFsRoot(turns.get(2), root);

    List<Overlay> listed = new ArrayList<>();
    List<Overlay> page = bulk().overlaysAfter(0, 2);
    while (!page.isEmpty()) {
      assertThat(page).hasSizeLessThanOrEqualTo(2);
      listed.addAll(page);
      page = bulk().overlaysAfter(page.getLast().seq(), 2);
    }

    assertThat(listed)
        .extracting(Overlay::target, Overlay::kind, Overlay::blob)
        .containsExactly(
            tuple(turns.get(2), Overlay.Kind.PATCH, hash("later")),
            tuple(turns.getFirst(), Overlay.Kind.TOMBSTONE, null),
            tuple(turns.get(2), Overlay.Kind.FS_ROOT, root));
    assertThat(bulk().overlaysAfter(Long.MAX_VALUE - 1, 2)).isEmpty();
    assertThat(bulk().overlaysAfter(Long.MAX_VALUE, 2)).isEmpty();
    assertThat(bulk().lastErasure()).isZero();
  }

  @Test
  default void theBlobsAmongSomeThatAreNotThere() {
    BlobHash first = store().put(Payload.utf8("first"));
    BlobHash second = store().put(Payload.utf8("second"));

    assertThat(store().lacking(List.of(first, ABSENT_BLOB, second, hash("no"), ABSENT_BLOB)))
        .containsExactly(ABSENT_BLOB, hash("no"), ABSENT_BLOB);
    assertThat(store().lacking(List.of(second, first))).isEmpty();
    assertThat(store().lacking(List.of())).isEmpty();
  }

  @Test
  default void theNumbersOfAllTurnsAreListedRising() {
    ContextId context = store().createContext().id();
    List<TurnId> expected = new ArrayList<>(Samples.say(store(), context, "t", 5));
    TurnId alone = new TurnId(expected.getLast().value() + 1_000_000);
    bulk().restoreTurn(alone, new ContextId(70), said("alone").withParent(TurnId.NONE), LONG_AGO);
    expected.add(alone);

    List<TurnId> listed = new ArrayList<>();
    List<TurnId> page = bulk().turnNumbers(TurnId.NONE, 4);
    while (!page.isEmpty()) {
      assertThat(page).hasSizeLessThanOrEqualTo(4);
      listed.addAll(page);
      page = bulk().turnNumbers(page.getLast(), 4);
    }

    assertThat(listed).isEqualTo(expected);
    TurnId between = new TurnId(alone.value() - 1);
    assertThat(bulk().turnNumbers(between, 4)).containsExactly(alone);
    assertThatThrownBy(() -> bulk().turnNumbers(TurnId.NONE, -1))
        .isInstanceOf(StoreException.Invalid.class);
  }

  @Test
  default void allBlobsAreListedPageByPage() throws IOException {
    Set<BlobHash> put = new HashSet<>();
    for (int i = 0; i < 25; i++) {
      put.add(store().put(Payload.utf8("blob " + i)));
    }
    put.add(store().put(new ByteArrayInputStream(Samples.noise(1, 200_000).bytes()), null));
    store().put(Payload.utf8("blob 3"));

    List<BlobHash> listed = new ArrayList<>();
    List<BlobHash> page = bulk().blobs(null, 7);
    while (!page.isEmpty()) {
      assertThat(page).hasSizeLessThanOrEqualTo(7);
      listed.addAll(page);
      page = bulk().blobs(page.getLast(), 7);
    }

    assertThat(listed).doesNotHaveDuplicates().containsAll(put).allMatch(store()::has);
    assertThat(listed).hasSize((int) store().counts().blobs());
    assertThatThrownBy(() -> bulk().blobs(ABSENT_BLOB, 7))
        .isInstanceOf(StoreException.NotFound.class);
    assertThatThrownBy(() -> bulk().blobs(null, -1)).isInstanceOf(StoreException.Invalid.class);
  }

  @Test
  default void restoringATurnMovesNoHead() {
    ContextId context = store().createContext().id();
    TurnId turn = store().append(context, said("a")).id();
    ContextHead head = store().head(context);

    bulk().restoreTurn(new TurnId(50), context, said("b").withParent(turn), LONG_AGO);

    assertThat(store().head(context)).isEqualTo(head);
    assertThat(store().append(context, said("c")).parent()).isEqualTo(turn);
  }

  @Test
  default void aRestoredContextKeepsAllItWas() {
    ContextId id = new ContextId(70);
    TurnId root =
        bulk().restoreTurn(new TurnId(10), id, said("a").withParent(TurnId.NONE), LONG_AGO).id();
    TurnId head = bulk().restoreTurn(new TurnId(11), id, said("b").withParent(root), LONG_AGO).id();
    BlobHash about = store().put(Payload.utf8("about"));
    Instant active = LONG_AGO.plusMillis(5);

    ContextHead restored = bulk().restoreContext(id, head, root, LONG_AGO, active, about);

    assertThat(restored).isEqualTo(new ContextHead(id, head, 1, root, LONG_AGO, active, about));
    assertThat(store().head(id)).isEqualTo(restored);
    ContextHead young = store().createContext();
    assertThat(young.id()).isNotEqualTo(id);
    assertThat(store().contexts(null, 10)).containsExactly(young, restored);
    assertThat(store().append(id, said("c")).parent()).isEqualTo(head);
  }

  @Test
  default void anEmptyContextIsRestoredEmpty() {
    ContextHead restored =
        bulk().restoreContext(new ContextId(3), TurnId.NONE, TurnId.NONE, LONG_AGO, LONG_AGO, null);

    assertThat(restored.head()).isEqualTo(TurnId.NONE);
    assertThat(store().head(restored.id())).isEqualTo(restored);
  }

  @Test
  default void aNumberThatIsNotGreaterThanAllBeforeIsRefused() {
    ContextId context = store().createContext().id();
    NewTurn root = said("a").withParent(TurnId.NONE);
    bulk().restoreTurn(new TurnId(100), context, root, LONG_AGO);
    StoreCounts counts = store().counts();

    for (long taken : new long[] {100, 99, 1}) {
      assertThatThrownBy(() -> bulk().restoreTurn(new TurnId(taken), context, root, LONG_AGO))
          .as("number %d", taken)
          .isInstanceOf(StoreException.Conflict.class);
    }
    assertThat(store().counts()).isEqualTo(counts);
    TurnId given = store().append(context, said("b")).id();
    assertThat(given).isGreaterThan(new TurnId(100));
    assertThatThrownBy(() -> bulk().restoreTurn(given, context, root, LONG_AGO))
        .isInstanceOf(StoreException.Conflict.class);
  }

  @Test
  default void aContextNumberThatIsTakenIsRefused() {
    ContextHead taken = store().createContext();

    assertThatThrownBy(
            () ->
                bulk()
                    .restoreContext(taken.id(), TurnId.NONE, TurnId.NONE, LONG_AGO, LONG_AGO, null))
        .isInstanceOf(StoreException.Conflict.class);
    assertThat(store().head(taken.id())).isEqualTo(taken);
  }

  @Test
  default void aKeyIsRestoredWithItsTurn() {
    ContextId id = new ContextId(70);
    NewTurn keyed = said("once").withParent(TurnId.NONE).withKey(IdempotencyKey.of("key"));
    Turn first = bulk().restoreTurn(new TurnId(10), id, keyed, LONG_AGO);
    bulk().restoreContext(id, first.id(), TurnId.NONE, LONG_AGO, LONG_AGO, null);

    assertThat(store().append(id, keyed)).isEqualTo(first);
    assertThat(store().counts().turns()).isEqualTo(1);
  }

  @Test
  default void theExpectedHeadOfARestoredTurnIsIgnored() {
    ContextId context = store().createContext().id();
    NewTurn turn = said("a").withParent(TurnId.NONE).withExpectedHead(ABSENT_TURN);

    assertThat(bulk().restoreTurn(new TurnId(5), context, turn, LONG_AGO).depth()).isZero();
  }

  @Test
  default void aRestoredTurnNeedsItsParentAndItsFileTree() {
    ContextId context = store().createContext().id();
    TurnId id = new TurnId(5);
    NewTurn root = said("a").withParent(TurnId.NONE);

    assertThatThrownBy(() -> bulk().restoreTurn(id, context, said("a"), LONG_AGO))
        .as("without a parent")
        .isInstanceOfAny(StoreException.Invalid.class, IllegalArgumentException.class);
    assertThatThrownBy(
            () -> bulk().restoreTurn(id, context, said("a").withParent(ABSENT_TURN), LONG_AGO))
        .isInstanceOf(StoreException.NotFound.class);
    assertThatThrownBy(
            () -> bulk().restoreTurn(id, context, root.withFsRoot(ABSENT_BLOB), LONG_AGO))
        .isInstanceOf(StoreException.NotFound.class);
    assertThat(store().counts().turns()).isZero();
    assertThat(bulk().restoreTurn(id, context, root, LONG_AGO).id()).isEqualTo(id);
  }

  @Test
  default void aRestoredContextNeedsItsTurnsAndItsDescription() {
    ContextId id = new ContextId(9);

    assertThatThrownBy(
            () -> bulk().restoreContext(id, ABSENT_TURN, TurnId.NONE, LONG_AGO, LONG_AGO, null))
        .isInstanceOf(StoreException.NotFound.class);
    assertThatThrownBy(
            () -> bulk().restoreContext(id, TurnId.NONE, ABSENT_TURN, LONG_AGO, LONG_AGO, null))
        .isInstanceOf(StoreException.NotFound.class);
    assertThatThrownBy(
            () ->
                bulk()
                    .restoreContext(id, TurnId.NONE, TurnId.NONE, LONG_AGO, LONG_AGO, ABSENT_BLOB))
        .isInstanceOf(StoreException.NotFound.class);
    assertThat(store().counts().contexts()).isZero();
  }

  @Test
  default void aClosedStoreRestoresNothing() {
    bulk().close();

    assertThatThrownBy(
            () ->
                bulk()
                    .restoreTurn(
                        new TurnId(1),
                        new ContextId(1),
                        said("a").withParent(TurnId.NONE),
                        LONG_AGO))
        .isInstanceOf(StoreException.Closed.class);
    assertThatThrownBy(
            () ->
                bulk()
                    .restoreContext(
                        new ContextId(1), TurnId.NONE, TurnId.NONE, LONG_AGO, LONG_AGO, null))
        .isInstanceOf(StoreException.Closed.class);
  }
}
