// SPDX-License-Identifier: Apache-2.0
package dev.varve.contract;

import static dev.varve.contract.Samples.ABSENT_BLOB;
import static dev.varve.contract.Samples.ABSENT_CONTEXT;
import static dev.varve.contract.Samples.ABSENT_TURN;
import static dev.varve.contract.Samples.MESSAGE;
import static dev.varve.contract.Samples.hash;
import static dev.varve.contract.Samples.ids;
import static dev.varve.contract.Samples.noise;
import static dev.varve.contract.Samples.replayed;
import static dev.varve.contract.Samples.said;
import static dev.varve.contract.Samples.say;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.IdempotencyKey;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreCounts;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.sim.ReferenceBlake3;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Appending: where a turn goes, what of it is kept, what is refused.
public interface AppendContract extends StoreFixture {

  @Test
  default void theFirstTurnOfAContextIsARoot() {
    ContextId context = store().createContext().id();

    Turn turn = store().append(context, said("first"));

    assertThat(turn.id().value()).isPositive();
    assertThat(turn.parent()).isEqualTo(TurnId.NONE);
    assertThat(turn.depth()).isZero();
    assertThat(store().head(context).head()).isEqualTo(turn.id());
    assertThat(store().head(context).headDepth()).isZero();
  }

  @Test
  default void anAppendFollowsTheHeadAndMovesIt() {
    ContextId context = store().createContext().id();
    TurnId previous = store().append(context, said("0")).id();
    for (int depth = 1; depth < 20; depth++) {
      Turn turn = store().append(context, said("" + depth));

      assertThat(turn.parent()).isEqualTo(previous);
      assertThat(turn.depth()).isEqualTo(depth);
      ContextHead head = store().head(context);
      assertThat(head.head()).isEqualTo(turn.id());
      assertThat(head.headDepth()).isEqualTo(depth);
      previous = turn.id();
    }
  }

  @Test
  default void turnsOfARunFollowOneAnother() {
    ContextId context = store().createContext().id();
    TurnId root = store().append(context, said("root")).id();
    store().append(context, said("another"));

    List<TurnId> run =
        store()
            .appendRun(
                context,
                List.of(said("0").withParent(root), said("1").withParent(root), said("2")));

    assertThat(run).hasSize(3).isSorted();
    TurnId previous = root;
    for (int i = 0; i < run.size(); i++) {
      Turn turn = store().turn(run.get(i), View.LATEST);
      assertThat(turn.parent()).isEqualTo(previous);
      assertThat(turn.payload()).isEqualTo(Payload.utf8("" + i));
      assertThat(store().findChild(previous, turn.payloadHash())).contains(turn.id());
      previous = turn.id();
    }
    assertThat(store().head(context).head()).isEqualTo(previous);
    assertThat(store().head(context).headDepth()).isEqualTo(3);
    assertThat(store().appendRun(context, List.of())).isEmpty();
  }

  @Test
  default void aRefusedRunIsAppendedUpToTheRefusedTurnAtMost() {
    ContextId context = store().createContext().id();
    List<NewTurn> turns = List.of(said("0"), said("1").withFsRoot(ABSENT_BLOB), said("2"));

    assertThatThrownBy(() -> store().appendRun(context, turns))
        .isInstanceOf(StoreException.NotFound.class);

    assertThat(store().turns(context).map(Turn::payload).toList())
        .isSubsetOf(List.of(Payload.utf8("0")));
    assertThatThrownBy(() -> store().appendRun(ABSENT_CONTEXT, turns))
        .isInstanceOf(StoreException.NotFound.class);
  }

  @Test
  default void numbersRiseInTheOrderOfAppendingAcrossContexts() {
    ContextId a = store().createContext().id();
    ContextId b = store().createContext().id();
    TurnId previous = TurnId.NONE;
    for (int i = 0; i < 30; i++) {
      TurnId id = store().append(i % 3 == 0 ? a : b, said("" + i)).id();
      assertThat(id).isGreaterThan(previous);
      previous = id;
    }
  }

  @Test
  default void aTurnIsKeptAsItWasGiven() {
    ContextId context = store().createContext().id();
    BlobHash tree = store().put(Payload.utf8("tree"));
    NewTurn given =
        new NewTurn(
            Payload.utf8("{\"a\":1}"),
            new DeclaredType("cxdb.ConversationItem", 3),
            Encoding.JSON,
            null,
            null,
            null,
            tree,
            1,
            null);

    Turn appended = store().append(context, given);

    assertThat(appended.context()).isEqualTo(context);
    assertThat(appended.type()).isEqualTo(given.type());
    assertThat(appended.encoding()).isEqualTo(Encoding.JSON);
    assertThat(appended.declaredCompression()).isEqualTo(1);
    assertThat(appended.payloadHash()).isEqualTo(hash("{\"a\":1}"));
    assertThat(appended.payloadSizeBytes()).isEqualTo(7);
    assertThat(appended.fsRoot()).isEqualTo(tree);
    assertThat(appended.tombstone()).isFalse();
    assertThat(appended.payload()).as("an append does not send the bytes back").isNull();
    assertThat(store().turn(appended.id(), View.HEADERS)).isEqualTo(appended);
    assertThat(store().turn(appended.id(), View.LATEST).payload()).isEqualTo(given.payload());
    assertThat(store().turn(appended.id(), View.AS_WRITTEN).payload()).isEqualTo(given.payload());
  }

  @Test
  default void aTurnRemembersTheContextThroughWhichItCame() {
    ContextId trunk = store().createContext().id();
    TurnId shared = store().append(trunk, said("shared")).id();
    ContextId fork = store().fork(shared).id();
    store().append(fork, said("own"));

    assertThat(store().last(fork, 10, View.HEADERS).turns())
        .extracting(Turn::context)
        .containsExactly(trunk, fork);
  }

  @Test
  default void timesOfTurnsAreOfTheClockAndInWholeMilliseconds() {
    ContextId context = store().createContext().id();
    var before = time().instant();

    Turn turn = store().append(context, said("a"));

    assertThat(turn.createdAt()).isBetween(before, time().instant());
    assertThat(turn.createdAt().toEpochMilli() * 1_000_000L)
        .isEqualTo(turn.createdAt().getEpochSecond() * 1_000_000_000L + turn.createdAt().getNano());
    assertThat(store().turn(turn.id(), View.HEADERS).createdAt()).isEqualTo(turn.createdAt());
  }

  @Test
  default void aTurnOfHistoryKeepsItsOwnTimeAndDoesNotMakeItsContextActive() {
    ContextHead made = store().createContext();
    ContextId context = made.id();
    Instant then = Instant.parse("2020-03-01T10:00:00.123456789Z");

    Turn turn = store().append(context, said("a").withCreatedAt(then));

    assertThat(turn.createdAt()).isEqualTo(Instant.parse("2020-03-01T10:00:00.123Z"));
    assertThat(store().turn(turn.id(), View.HEADERS)).isEqualTo(turn);
    assertThat(store().head(context).activeAt()).isEqualTo(made.activeAt());
  }

  @Test
  default void aRetryUnderItsKeyKeepsTheFirstTime() {
    ContextId context = store().createContext().id();
    NewTurn turn = said("a").withKey(IdempotencyKey.of("k"));

    Turn first = store().append(context, turn.withCreatedAt(Instant.ofEpochMilli(5)));

    assertThat(store().append(context, turn.withCreatedAt(Instant.ofEpochMilli(9))))
        .isEqualTo(first);
  }

  @Test
  default void anExplicitParentMayBeAnyTurnOfTheStore() {
    ContextId one = store().createContext().id();
    List<TurnId> path = say(store(), one, "one", 5);
    ContextId other = store().createContext().id();
    TurnId elsewhere = say(store(), other, "other", 3).getLast();

    Turn rewound = store().append(one, said("rewound").withParent(path.get(1)));
    assertThat(rewound.parent()).isEqualTo(path.get(1));
    assertThat(rewound.depth()).isEqualTo(2);
    assertThat(store().head(one).head()).isEqualTo(rewound.id());

    Turn moved = store().append(one, said("moved").withParent(elsewhere));
    assertThat(moved.depth()).isEqualTo(3);
    assertThat(store().head(one).head()).isEqualTo(moved.id());
    assertThat(ids(replayed(store(), path.getLast(), View.HEADERS)))
        .as("what was left behind is still there")
        .isEqualTo(path);
  }

  @Test
  default void noParentStartsANewRootInTheSameContext() {
    ContextId context = store().createContext().id();
    say(store(), context, "old", 3);

    Turn root = store().append(context, said("anew").withParent(TurnId.NONE));

    assertThat(root.parent()).isEqualTo(TurnId.NONE);
    assertThat(root.depth()).isZero();
    assertThat(ids(store().last(context, 10, View.HEADERS).turns())).containsExactly(root.id());
  }

  @Test
  default void theExpectedHeadMustBeTheHead() {
    ContextId context = store().createContext().id();
    TurnId first = store().append(context, said("a").withExpectedHead(TurnId.NONE)).id();
    TurnId second = store().append(context, said("b").withExpectedHead(first)).id();

    for (TurnId stale : List.of(first, TurnId.NONE, ABSENT_TURN)) {
      refused(context, said("c").withExpectedHead(stale), StoreException.Conflict.class);
    }
    assertThat(store().head(context).head()).isEqualTo(second);
    TurnId branched =
        store().append(context, said("c").withExpectedHead(second).withParent(first)).id();
    assertThat(store().turn(branched, View.HEADERS).parent()).isEqualTo(first);
  }

  @Test
  default void anAppendToAnAbsentContextIsRefusedWhateverItsParent() {
    ContextId context = store().createContext().id();
    TurnId turn = store().append(context, said("a")).id();

    assertThat(refused(ABSENT_CONTEXT, said("b"), StoreException.NotFound.class).kind())
        .isEqualTo("context");
    refused(ABSENT_CONTEXT, said("b").withParent(turn), StoreException.NotFound.class);
    assertThatThrownBy(() -> store().head(ABSENT_CONTEXT))
        .as("the refused append has not made the context")
        .isInstanceOf(StoreException.NotFound.class);
  }

  @Test
  default void anAppendBehindAnAbsentTurnIsRefused() {
    ContextId context = store().createContext().id();

    StoreException.NotFound refusal =
        refused(context, said("a").withParent(ABSENT_TURN), StoreException.NotFound.class);

    assertThat(refusal.kind()).isEqualTo("parent turn");
    assertThat(refusal.id()).isEqualTo(ABSENT_TURN.toString());
  }

  @Test
  default void aFileTreeThatIsNotInTheStoreRefusesTheWholeAppend() {
    ContextId context = store().createContext().id();
    store().append(context, said("a"));

    refused(context, said("b").withFsRoot(ABSENT_BLOB), StoreException.NotFound.class);
  }

  @Test
  default void anEmptyPayloadIsAPayload() {
    ContextId context = store().createContext().id();

    Turn turn = store().append(context, said(""));

    assertThat(turn.payloadSizeBytes()).isZero();
    assertThat(turn.payloadHash().toString())
        .isEqualTo("af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262");
    assertThat(store().turn(turn.id(), View.LATEST).payload()).isEqualTo(Payload.EMPTY);
    assertThat(store().get(turn.payloadHash())).isEqualTo(Payload.EMPTY);
  }

  @Test
  default void payloadsOfAMegabyteComeBackAsTheyWere() {
    ContextId context = store().createContext().id();
    Payload dense = noise(1, 1 << 20);
    Payload sparse = Payload.wrap(new byte[(1 << 20) + 1]);
    for (Payload payload : List.of(dense, sparse)) {
      Turn turn = store().append(context, NewTurn.of(payload, MESSAGE, Encoding.RAW));

      assertThat(turn.payloadSizeBytes()).isEqualTo(payload.sizeBytes());
      assertThat(turn.payloadHash()).isEqualTo(ReferenceBlake3.hash(payload));
      assertThat(store().turn(turn.id(), View.LATEST).payload()).isEqualTo(payload);
    }
  }

  @Test
  default void aPayloadOverTheLimitIsRefusedAndOneAtTheLimitIsNot() {
    Store small = openWith(new StoreLimits(1000, 100, 10));
    ContextId context = small.createContext().id();

    small.append(context, NewTurn.of(noise(1, 1000), MESSAGE, Encoding.RAW));
    StoreCounts before = small.counts();

    NewTurn tooLarge = NewTurn.of(noise(2, 1001), MESSAGE, Encoding.RAW);
    assertThatThrownBy(() -> small.append(context, tooLarge))
        .isInstanceOf(StoreException.TooLarge.class)
        .hasMessageContaining("1001")
        .hasMessageContaining("1000");
    assertThat(small.counts()).isEqualTo(before);
  }

  @Test
  default void moreDifferentTypesThanTheLimitAreRefused() {
    Store small = openWith(new StoreLimits(1000, 100, 3));
    ContextId context = small.createContext().id();
    Function<DeclaredType, NewTurn> typed =
        type -> NewTurn.of(Payload.utf8("same"), type, Encoding.RAW);
    small.append(context, typed.apply(new DeclaredType("a", 1)));
    small.append(context, typed.apply(new DeclaredType("a", 2)));
    small.append(context, typed.apply(new DeclaredType("b", 1)));

    TurnId head = small.head(context).head();
    assertThatThrownBy(() -> small.append(context, typed.apply(new DeclaredType("c", 1))))
        .isInstanceOf(StoreException.TooLarge.class);

    assertThat(small.head(context).head()).isEqualTo(head);
    assertThat(small.counts().types()).isEqualTo(3);
    assertThat(small.append(context, typed.apply(new DeclaredType("a", 2))).depth())
        .as("a type that is known is not refused")
        .isEqualTo(3);
  }

  @Test
  default void anyTextMayBeATypeAndAnyNumberAnEncoding() {
    ContextId context = store().createContext().id();
    List<DeclaredType> types =
        List.of(
            DeclaredType.UNDECLARED,
            new DeclaredType("会話.発言", 1),
            new DeclaredType("🌊 läuft\n\u0000\"", -1),
            new DeclaredType("ä".repeat(DeclaredType.ID_BYTES_MAX / 2), Integer.MIN_VALUE));
    for (DeclaredType type : types) {
      for (int tag : new int[] {0, 1, 255, 77, -1}) {
        Turn turn = store().append(context, NewTurn.of(Payload.utf8("x"), type, new Encoding(tag)));

        Turn read = store().turn(turn.id(), View.HEADERS);
        assertThat(read.type()).isEqualTo(type);
        assertThat(read.encoding().tag()).isEqualTo(tag);
      }
    }
  }

  /// Appends, expects the refusal, and that nothing has changed.
  private <E extends StoreException> E refused(ContextId context, NewTurn turn, Class<E> type) {
    StoreCounts counts = store().counts();
    List<ContextHead> contexts = store().contexts(null, 100);
    try {
      store().append(context, turn);
    } catch (StoreException refusal) {
      assertThat(refusal).isInstanceOf(type);
      assertThat(store().counts()).as("a refused append leaves nothing").isEqualTo(counts);
      assertThat(store().contexts(null, 100)).isEqualTo(contexts);
      return type.cast(refusal);
    }
    throw new AssertionError("appended: " + turn);
  }
}
