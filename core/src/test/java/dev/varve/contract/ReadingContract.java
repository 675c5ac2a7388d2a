// SPDX-License-Identifier: Apache-2.0
package dev.varve.contract;

import static dev.varve.contract.Samples.ABSENT_TURN;
import static dev.varve.contract.Samples.ids;
import static dev.varve.contract.Samples.replayed;
import static dev.varve.contract.Samples.said;
import static dev.varve.contract.Samples.say;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.TurnPage;
import dev.varve.View;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Reading a path: the last turns, older pages, a range of depths, all of it.
public interface ReadingContract extends StoreFixture {

  /// A context whose path runs over a fork and an inner rewind, with turns beside it that are not
  /// on the path.
  private ContextId winding() {
    ContextId trunk = store().createContext().id();
    List<TurnId> shared = say(store(), trunk, "shared", 5);
    say(store(), trunk, "beside", 3);
    ContextId fork = store().fork(shared.get(3)).id();
    List<TurnId> left = say(store(), fork, "left", 4);
    store().append(fork, said("rewound").withParent(left.get(1)));
    say(store(), fork, "right", 3);
    return fork;
  }

  private List<Turn> path(ContextId context, View view) {
    return replayed(store(), store().head(context).head(), view);
  }

  @Test
  default void replayHandsTheWholePathRootFirst() {
    ContextId context = winding();

    List<Turn> path = path(context, View.LATEST);

    assertThat(path)
        .extracting(turn -> turn.payload() == null ? null : turn.payload().text())
        .containsExactly(
            "shared 0",
            "shared 1",
            "shared 2",
            "shared 3",
            "left 0",
            "left 1",
            "rewound",
            "right 0",
            "right 1",
            "right 2");
    for (int depth = 0; depth < path.size(); depth++) {
      Turn turn = path.get(depth);
      assertThat(turn.depth()).isEqualTo(depth);
      assertThat(turn.parent()).isEqualTo(depth == 0 ? TurnId.NONE : path.get(depth - 1).id());
      assertThat(store().turn(turn.id(), View.LATEST)).isEqualTo(turn);
    }
  }

  @Test
  default void replayReachesAnyTurnNotOnlyHeads() {
    List<Turn> path = path(winding(), View.HEADERS);

    for (Turn turn : path) {
      assertThat(replayed(store(), turn.id(), View.HEADERS))
          .isEqualTo(path.subList(0, turn.depth() + 1));
    }
  }

  @Test
  default void replayOfAnEmptyContextHandsNothing() {
    ContextId context = store().createContext().id();

    assertThat(path(context, View.LATEST)).isEmpty();
  }

  @Test
  default void replayOfAnAbsentTurnIsNotFound() {
    assertThatThrownBy(() -> replayed(store(), ABSENT_TURN, View.LATEST))
        .isInstanceOf(StoreException.NotFound.class);
  }

  @Test
  default void whoIsHandedATurnMayUseTheStore() {
    ContextId context = store().createContext().id();
    List<TurnId> turns = say(store(), context, "a", 5);
    List<TurnId> handed = new ArrayList<>();

    store()
        .replay(
            turns.getLast(),
            View.LATEST,
            turn -> {
              handed.add(turn.id());
              store().append(context, said("meanwhile " + turn.depth()));
              assertThat(store().turn(turn.id(), View.LATEST)).isEqualTo(turn);
            });

    assertThat(handed).as("what is appended meanwhile is not on the path").isEqualTo(turns);
    assertThat(store().head(context).headDepth()).isEqualTo(9);
  }

  @Test
  default void whatTheCallerThrowsEndsTheReplayAndHarmsNothing() {
    ContextId context = store().createContext().id();
    List<TurnId> turns = say(store(), context, "a", 5);
    IllegalStateException enough = new IllegalStateException("enough");

    assertThatThrownBy(
            () ->
                store()
                    .replay(
                        turns.getLast(),
                        View.LATEST,
                        turn -> {
                          throw enough;
                        }))
        .isSameAs(enough);

    assertThat(ids(path(context, View.HEADERS))).isEqualTo(turns);
  }

  @Test
  default void theLastTurnsAreTheEndOfThePath() {
    ContextId context = winding();
    for (View view : List.of(View.LATEST, View.HEADERS, View.AS_WRITTEN)) {
      List<Turn> path = path(context, view);
      for (int limit = 0; limit <= path.size() + 1; limit++) {
        TurnPage page = store().last(context, limit, view);

        int start = Math.max(0, path.size() - limit);
        check(page, path.subList(start, path.size()), context);
      }
    }
  }

  @Test
  default void thePageBeforeACursorEndsJustBelowIt() {
    ContextId context = winding();
    List<Turn> path = path(context, View.LATEST);
    for (Turn cursor : path) {
      for (int limit = 0; limit <= path.size() + 1; limit++) {
        TurnPage page = store().before(context, cursor.id(), limit, View.LATEST);

        int start = Math.max(0, cursor.depth() - limit);
        check(page, path.subList(start, cursor.depth()), context);
      }
    }
  }

  @Test
  default void aRangeStartsAtItsDepth() {
    ContextId context = winding();
    List<Turn> path = path(context, View.LATEST);
    for (int start = 0; start <= path.size() + 1; start++) {
      for (int limit = 0; limit <= path.size() + 1; limit++) {
        TurnPage page = store().range(context, start, limit, View.LATEST);

        int from = Math.min(start, path.size());
        check(page, path.subList(from, Math.min(path.size(), from + limit)), context);
      }
    }
  }

  private void check(TurnPage page, List<Turn> expected, ContextId context) {
    assertThat(page.turns()).isEqualTo(expected);
    assertThat(page.head()).isEqualTo(store().head(context));
    if (!expected.isEmpty()) {
      Turn oldest = expected.getFirst();
      assertThat(page.nextCursor()).isEqualTo(oldest.depth() == 0 ? null : oldest.id());
    }
  }

  @Test
  default void pagesOfAnySizeJoinToTheReplay() {
    ContextId context = winding();
    List<Turn> path = path(context, View.LATEST);
    for (int size = 1; size <= path.size() + 1; size++) {
      List<Turn> joined = new ArrayList<>();
      TurnPage page = store().last(context, size, View.LATEST);
      joined.addAll(page.turns());
      for (TurnId cursor = page.nextCursor(); cursor != null; cursor = page.nextCursor()) {
        page = store().before(context, cursor, size, View.LATEST);
        joined.addAll(0, page.turns());
      }
      assertThat(joined).as("pages of %d", size).isEqualTo(path);
    }
  }

  @Test
  default void aCursorSurvivesAppends() {
    ContextId context = store().createContext().id();
    List<TurnId> turns = say(store(), context, "a", 6);
    TurnId cursor = store().last(context, 2, View.HEADERS).nextCursor();
    assertThat(cursor).isEqualTo(turns.get(4));

    say(store(), context, "later", 3);

    assertThat(ids(store().before(context, turns.get(4), 2, View.HEADERS).turns()))
        .isEqualTo(turns.subList(2, 4));
  }

  @Test
  default void aCursorMustLieOnThePath() {
    ContextId trunk = store().createContext().id();
    List<TurnId> turns = say(store(), trunk, "a", 5);
    ContextId fork = store().fork(turns.get(2)).id();
    TurnId own = store().append(fork, said("own")).id();
    ContextId empty = store().createContext().id();

    for (TurnId stray : List.of(turns.get(3), turns.get(4), ABSENT_TURN, TurnId.NONE)) {
      assertThatThrownBy(() -> store().before(fork, stray, 5, View.HEADERS))
          .as("cursor %s", stray)
          .isInstanceOf(StoreException.NotFound.class);
    }
    assertThatThrownBy(() -> store().before(trunk, own, 5, View.HEADERS))
        .isInstanceOf(StoreException.NotFound.class);
    assertThatThrownBy(() -> store().before(empty, own, 5, View.HEADERS))
        .isInstanceOf(StoreException.NotFound.class);
  }

  @Test
  default void anEmptyContextHasEmptyPages() {
    ContextId context = store().createContext().id();
    for (TurnPage page :
        List.of(
            store().last(context, 5, View.LATEST),
            store().last(context, 0, View.LATEST),
            store().range(context, 0, 5, View.LATEST),
            store().range(context, 7, 5, View.LATEST))) {
      assertThat(page.turns()).isEmpty();
      assertThat(page.nextCursor()).isNull();
      assertThat(page.head()).isEqualTo(store().head(context));
    }
  }

  @Test
  default void pagesAreBounded() {
    Store small = openWith(new StoreLimits(1024, 5, 10));
    ContextId context = small.createContext().id();
    TurnId turn = say(small, context, "a", 8).getLast();

    assertThat(small.last(context, 5, View.LATEST).turns()).hasSize(5);
    assertThatThrownBy(() -> small.last(context, 6, View.LATEST))
        .isInstanceOf(StoreException.TooLarge.class);
    assertThatThrownBy(() -> small.before(context, turn, Integer.MAX_VALUE, View.LATEST))
        .isInstanceOf(StoreException.TooLarge.class);
    assertThatThrownBy(() -> small.range(context, 0, 6, View.LATEST))
        .isInstanceOf(StoreException.TooLarge.class);
    assertThatThrownBy(() -> small.last(context, -1, View.LATEST))
        .isInstanceOf(StoreException.Invalid.class);
    assertThatThrownBy(() -> small.before(context, turn, -1, View.LATEST))
        .isInstanceOf(StoreException.Invalid.class);
    assertThatThrownBy(() -> small.range(context, 0, Integer.MIN_VALUE, View.LATEST))
        .isInstanceOf(StoreException.Invalid.class);
  }

  @Test
  default void aRangeMayStartAnywhereButBelowZero() {
    ContextId context = store().createContext().id();
    say(store(), context, "a", 3);

    assertThat(store().range(context, Integer.MAX_VALUE, 100, View.HEADERS).turns()).isEmpty();
    assertThatThrownBy(() -> store().range(context, -1, 1, View.HEADERS))
        .isInstanceOf(StoreException.Invalid.class);
  }

  @Test
  default void aViewWithoutPayloadsTellsTheRest() {
    ContextId context = winding();

    List<Turn> headers = path(context, View.HEADERS);

    assertThat(headers).allSatisfy(turn -> assertThat(turn.payload()).isNull());
    assertThat(path(context, View.LATEST))
        .allSatisfy(
            turn -> {
              assertThat(turn.payload()).isNotNull();
              Turn header = headers.get(turn.depth());
              assertThat(header.payloadHash()).isEqualTo(turn.payloadHash());
              assertThat(header.payloadSizeBytes()).isEqualTo(turn.payloadSizeBytes());
              assertThat(store().get(header.payloadHash())).isEqualTo(turn.payload());
            });
  }

  @Test
  default void anAbsentTurnIsNotFound() {
    store().append(store().createContext().id(), said("a"));
    for (TurnId absent : List.of(ABSENT_TURN, TurnId.NONE, new TurnId(Long.MAX_VALUE))) {
      assertThatThrownBy(() -> store().turn(absent, View.LATEST))
          .isInstanceOfSatisfying(
              StoreException.NotFound.class,
              refusal -> {
                assertThat(refusal.kind()).isEqualTo("turn");
                assertThat(refusal.id()).isEqualTo(absent.toString());
              });
    }
  }

  @Test
  default void turnsDoNotChangeWhenOthersAreAppended() {
    ContextId context = store().createContext().id();
    Turn first = store().append(context, said("first"));
    Turn read = store().turn(first.id(), View.LATEST);

    say(store(), context, "later", 20);
    store().append(store().fork(first.id()).id(), said("fork"));

    assertThat(store().turn(first.id(), View.LATEST)).isEqualTo(read);
    assertThat(read.payload()).isEqualTo(Payload.utf8("first"));
  }

  @Test
  default void aStreamGivesTheWholePathRootFirst() {
    ContextId context = winding();
    say(store(), context, "long", 150);
    List<Turn> path = path(context, View.LATEST);

    assertThat(store().turns(context).toList()).isEqualTo(path);
    assertThat(store().turns(context, View.HEADERS).toList())
        .isEqualTo(path(context, View.HEADERS));
    assertThat(store().turns(store().createContext().id())).isEmpty();
    assertThatThrownBy(() -> store().turns(new ContextId(999)))
        .isInstanceOf(StoreException.NotFound.class);
    assertThat(store().turn(path.getLast().id())).isEqualTo(path.getLast());
    assertThat(store().last(context, 2).turns()).isEqualTo(path.subList(158, 160));
  }

  @Test
  default void aStreamStaysOnItsPathWhileTheContextTakesAnother() {
    ContextId context = winding();
    say(store(), context, "long", 90);
    List<Turn> path = path(context, View.LATEST);

    List<Turn> seen = new ArrayList<>();
    Iterator<Turn> turns = store().turns(context).iterator();
    for (int i = 0; i < 64; i++) {
      seen.add(turns.next());
    }
    store().append(context, said("another way").withParent(path.get(63).id()));
    say(store(), context, "further on it", 100);
    turns.forEachRemaining(seen::add);

    assertThat(seen).isEqualTo(path);
  }

  @Test
  default void aStreamEndsWhereTheContextEndedEvenIfTheContextGetsShorter() {
    ContextId context = winding();
    say(store(), context, "long", 90);
    List<Turn> path = path(context, View.LATEST);

    Iterator<Turn> turns = store().turns(context).iterator();
    store().append(context, said("back to the start").withParent(path.getFirst().id()));
    say(store(), context, "growing", 3);
    List<Turn> seen = new ArrayList<>();
    turns.forEachRemaining(seen::add);

    assertThat(seen).isEqualTo(path);
  }
}
