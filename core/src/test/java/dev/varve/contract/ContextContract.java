// SPDX-License-Identifier: Apache-2.0
package dev.varve.contract;

import static dev.varve.contract.Samples.ABSENT_BLOB;
import static dev.varve.contract.Samples.ABSENT_CONTEXT;
import static dev.varve.contract.Samples.ABSENT_TURN;
import static dev.varve.contract.Samples.ids;
import static dev.varve.contract.Samples.replayed;
import static dev.varve.contract.Samples.said;
import static dev.varve.contract.Samples.say;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.TurnId;
import dev.varve.View;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Contexts: made, forked, described, listed.
public interface ContextContract extends StoreFixture {

  @Test
  default void aNewContextIsEmpty() {
    ContextHead made = store().createContext();

    assertThat(made.head()).isEqualTo(TurnId.NONE);
    assertThat(made.headDepth()).isZero();
    assertThat(made.base()).isEqualTo(TurnId.NONE);
    assertThat(made.about()).isNull();
    assertThat(made.activeAt()).isEqualTo(made.createdAt());
    assertThat(store().head(made.id())).isEqualTo(made);
  }

  @Test
  default void contextNumbersArePositiveAndNeverTheSame() {
    Set<ContextId> seen = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      ContextId id = store().createContext().id();
      assertThat(id.value()).isPositive();
      assertThat(seen.add(id)).as("context %s is new", id).isTrue();
    }
  }

  @Test
  default void aContextFromABaseStartsAtThatTurn() {
    ContextId first = store().createContext().id();
    List<TurnId> turns = say(store(), first, "a", 4);

    ContextHead made = store().createContext(turns.get(2), null);

    assertThat(made.head()).isEqualTo(turns.get(2));
    assertThat(made.headDepth()).isEqualTo(2);
    assertThat(made.base()).isEqualTo(turns.get(2));
    assertThat(store().head(made.id())).isEqualTo(made);
  }

  @Test
  default void aForkSharesTheHistoryAndCopiesNothing() {
    ContextId trunk = store().createContext().id();
    List<TurnId> turns = say(store(), trunk, "a", 30);
    long before = store().counts().turns();

    ContextId fork = store().fork(turns.getLast()).id();

    assertThat(store().counts().turns()).isEqualTo(before);
    assertThat(ids(store().last(fork, 100, View.HEADERS).turns())).isEqualTo(turns);
  }

  @Test
  default void aForkAndItsTrunkGrowApart() {
    ContextId trunk = store().createContext().id();
    List<TurnId> shared = say(store(), trunk, "shared", 3);
    ContextId fork = store().fork(shared.getLast()).id();

    TurnId onFork = store().append(fork, said("fork")).id();
    TurnId onTrunk = store().append(trunk, said("trunk")).id();

    assertThat(store().head(trunk).head()).isEqualTo(onTrunk);
    assertThat(store().head(fork).head()).isEqualTo(onFork);
    assertThat(store().head(fork).base()).isEqualTo(shared.getLast());
    assertThat(ids(replayed(store(), onFork, View.HEADERS)))
        .containsExactly(shared.get(0), shared.get(1), shared.get(2), onFork);
    assertThat(ids(replayed(store(), onTrunk, View.HEADERS)))
        .containsExactly(shared.get(0), shared.get(1), shared.get(2), onTrunk);
  }

  @Test
  default void aForkOfNoTurnIsAnEmptyContext() {
    assertThat(store().fork(TurnId.NONE).head()).isEqualTo(TurnId.NONE);
  }

  @Test
  default void aContextCannotStartAtATurnThatIsNotThere() {
    assertThatThrownBy(() -> store().createContext(ABSENT_TURN, null))
        .isInstanceOf(StoreException.NotFound.class)
        .hasMessageContaining(ABSENT_TURN.toString());
    assertThatThrownBy(() -> store().fork(ABSENT_TURN)).isInstanceOf(StoreException.NotFound.class);
    assertThat(store().counts().contexts()).isZero();
  }

  @Test
  default void aContextRemembersWhatItIsAbout() {
    BlobHash about = store().put(Payload.utf8("title: tides"));

    ContextHead made = store().createContext(TurnId.NONE, about);

    assertThat(made.about()).isEqualTo(about);
    assertThat(store().head(made.id())).isEqualTo(made);
    TurnId turn = store().append(made.id(), said("a")).id();
    assertThat(store().head(made.id()).about()).as("after an append").isEqualTo(about);
    assertThat(store().fork(turn).about()).as("a fork is about nothing yet").isNull();
  }

  @Test
  default void describingReplacesWhatWasSaidBefore() {
    ContextId context = store().createContext().id();
    TurnId turn = store().append(context, said("a")).id();
    BlobHash first = store().put(Payload.utf8("first"));
    BlobHash second = store().put(Payload.utf8("second"));

    assertThat(store().describe(context, first).about()).isEqualTo(first);
    ContextHead described = store().describe(context, second);

    assertThat(described.about()).isEqualTo(second);
    assertThat(described.head()).isEqualTo(turn);
    assertThat(store().head(context)).isEqualTo(described);
  }

  @Test
  default void whatAContextIsAboutMustBeInTheStore() {
    ContextHead context = store().createContext();

    assertThatThrownBy(() -> store().createContext(TurnId.NONE, ABSENT_BLOB))
        .isInstanceOf(StoreException.NotFound.class);
    assertThatThrownBy(() -> store().describe(context.id(), ABSENT_BLOB))
        .isInstanceOf(StoreException.NotFound.class);
    assertThat(store().head(context.id())).isEqualTo(context);
    assertThat(store().counts().contexts()).isEqualTo(1);
  }

  @Test
  default void aContextThatWasNeverMadeIsNotFound() {
    BlobHash blob = store().put(Payload.utf8("blob"));

    for (ContextId absent : List.of(ABSENT_CONTEXT, new ContextId(0))) {
      assertThatThrownBy(() -> store().head(absent))
          .isInstanceOfSatisfying(
              StoreException.NotFound.class,
              refusal -> {
                assertThat(refusal.kind()).isEqualTo("context");
                assertThat(refusal.id()).isEqualTo(absent.toString());
              });
      assertThatThrownBy(() -> store().describe(absent, blob))
          .isInstanceOf(StoreException.NotFound.class);
      assertThatThrownBy(() -> store().last(absent, 1, View.HEADERS))
          .isInstanceOf(StoreException.NotFound.class);
      assertThatThrownBy(() -> store().before(absent, TurnId.NONE, 1, View.HEADERS))
          .isInstanceOf(StoreException.NotFound.class);
      assertThatThrownBy(() -> store().range(absent, 0, 1, View.HEADERS))
          .isInstanceOf(StoreException.NotFound.class);
    }
  }

  @Test
  default void theTimesOfAContextTellWhenItWasMadeAndLastActive() {
    ContextHead made = store().createContext();
    ContextHead appended = afterAppend(made.id());
    ContextHead described = store().describe(made.id(), store().put(Payload.utf8("about")));

    assertThat(appended.createdAt()).isEqualTo(made.createdAt());
    assertThat(appended.activeAt()).isAfter(made.activeAt());
    assertThat(described.createdAt()).isEqualTo(made.createdAt());
    assertThat(described.activeAt()).isAfter(appended.activeAt());
  }

  private ContextHead afterAppend(ContextId context) {
    store().append(context, said("a"));
    return store().head(context);
  }

  @Test
  default void contextsAreListedByTheirLastActivity() {
    ContextId a = store().createContext().id();
    ContextId b = store().createContext().id();
    ContextId c = store().createContext().id();
    assertThat(listed(null, 10)).containsExactly(c, b, a);

    store().append(a, said("a"));
    assertThat(listed(null, 10)).containsExactly(a, c, b);

    store().describe(b, store().put(Payload.utf8("b")));
    assertThat(listed(null, 10)).containsExactly(b, a, c);

    store().last(c, 1, View.HEADERS);
    assertThat(listed(null, 10)).as("reading is no activity").containsExactly(b, a, c);

    assertThat(store().contexts(null, 10))
        .containsExactly(store().head(b), store().head(a), store().head(c));
  }

  @Test
  default void aStoreWithoutContextsListsNone() {
    assertThat(store().contexts(null, 10)).isEmpty();
  }

  @Test
  default void pagesOfContextsJoinToTheWholeList() {
    List<ContextId> made = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      made.add(store().createContext().id());
    }
    List<ContextId> whole = made.reversed();

    for (int limit = 0; limit <= whole.size() + 1; limit++) {
      assertThat(listed(null, limit)).isEqualTo(whole.subList(0, Math.min(limit, whole.size())));
      for (int i = 0; i < whole.size(); i++) {
        int end = Math.min(i + 1 + limit, whole.size());
        assertThat(listed(whole.get(i), limit)).isEqualTo(whole.subList(i + 1, end));
      }
    }
  }

  @Test
  default void contextsAreListedByTheirNumbersWhateverTheyDo() {
    List<ContextId> made = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      made.add(store().createContext().id());
    }
    store().append(made.get(2), said("a"));
    store().describe(made.get(5), store().put(Payload.utf8("b")));
    List<ContextHead> whole = made.reversed().stream().map(store()::head).toList();

    for (int limit = 0; limit <= whole.size() + 1; limit++) {
      assertThat(store().contextsBelow(null, limit))
          .isEqualTo(whole.subList(0, Math.min(limit, whole.size())));
      for (int i = 0; i < whole.size(); i++) {
        int end = Math.min(i + 1 + limit, whole.size());
        assertThat(store().contextsBelow(whole.get(i).id(), limit))
            .isEqualTo(whole.subList(i + 1, end));
      }
    }
    assertThat(store().contextsBelow(new ContextId(Long.MAX_VALUE), 20)).isEqualTo(whole);
    assertThat(store().contextsBelow(new ContextId(0), 20)).isEmpty();
  }

  @Test
  default void contextsOfOneMillisecondAreListedOnceEach() {
    time().stand();
    Set<ContextId> made = new HashSet<>();
    for (int i = 0; i < 20; i++) {
      made.add(store().createContext().id());
    }

    List<ContextId> paged = new ArrayList<>(listed(null, 3));
    for (List<ContextId> page = paged; !page.isEmpty(); paged.addAll(page)) {
      page = listed(paged.getLast(), 3);
    }

    assertThat(paged).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(made);
  }

  @Test
  default void aListOfContextsIsBounded() {
    Store small = openWith(new StoreLimits(1024, 5, 10));

    assertThat(small.contexts(null, 5)).isEmpty();
    assertThat(small.contextsBelow(null, 5)).isEmpty();
    assertThatThrownBy(() -> small.contextsBelow(null, 6))
        .isInstanceOf(StoreException.TooLarge.class);
    assertThatThrownBy(() -> small.contextsBelow(null, -1))
        .isInstanceOf(StoreException.Invalid.class);
    assertThatThrownBy(() -> small.contexts(null, 6)).isInstanceOf(StoreException.TooLarge.class);
    assertThatThrownBy(() -> small.contexts(null, -1)).isInstanceOf(StoreException.Invalid.class);
    assertThatThrownBy(() -> small.contexts(ABSENT_CONTEXT, 1))
        .isInstanceOf(StoreException.NotFound.class);
  }

  private List<ContextId> listed(@Nullable ContextId after, int limit) {
    return store().contexts(after, limit).stream().map(ContextHead::id).toList();
  }

  @Test
  default void aTitleIsTheJsonThatDescribesTheContext() {
    ContextHead made = store().createContext("a \"title\"\\ \n\u0001 é");

    assertThat(store().get(Objects.requireNonNull(made.about())).text())
        .isEqualTo("{\"title\":\"a \\\"title\\\"\\\\ \\n\\u0001 é\"}");
    assertThat(store().head(made.id())).isEqualTo(made);
  }
}
