// SPDX-License-Identifier: Apache-2.0
package dev.varve.contract;

import static dev.varve.contract.Samples.MESSAGE;
import static dev.varve.contract.Samples.said;
import static dev.varve.contract.Samples.say;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.IdempotencyKey;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreCounts;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Appends with an idempotency key may be repeated by a client that got no answer.
public interface RetryContract extends StoreFixture {

  IdempotencyKey KEY = IdempotencyKey.of("idem-1");

  @Test
  default void aRetryAnswersTheFirstTurnAndChangesNothing() {
    ContextId context = store().createContext().id();
    NewTurn request = said("once").withKey(KEY);
    Turn first = store().append(context, request);
    StoreCounts counts = store().counts();
    ContextHead head = store().head(context);

    for (int i = 0; i < 3; i++) {
      assertThat(store().append(context, request)).isEqualTo(first);
    }
    assertThat(store().counts()).isEqualTo(counts);
    assertThat(store().head(context)).isEqualTo(head);
  }

  @Test
  default void aRetryAnswersTheFirstTurnAlsoAfterOtherAppends() {
    ContextId context = store().createContext().id();
    NewTurn request = said("once").withKey(KEY);
    Turn first = store().append(context, request);
    TurnId head = say(store(), context, "later", 5).getLast();

    assertThat(store().append(context, request)).isEqualTo(first);
    assertThat(store().head(context).head()).isEqualTo(head);
  }

  @Test
  default void aRetryAnswersTheFirstTurnThoughTheFirstTryMovedTheExpectedHead() {
    ContextId context = store().createContext().id();
    TurnId head = store().append(context, said("a")).id();
    NewTurn request = said("once").withKey(KEY).withExpectedHead(head).withParent(head);

    Turn first = store().append(context, request);

    assertThat(store().append(context, request)).isEqualTo(first);
    store().append(context, said("b"));
    assertThat(store().append(context, request)).isEqualTo(first);
  }

  @Test
  default void aRetryAnswersTheFirstTurnAsItWasWritten() {
    ContextId context = store().createContext().id();
    NewTurn request = said("once").withKey(KEY);
    Turn first = store().append(context, request);
    store().patch(first.id(), Payload.utf8("corrected"));
    store().tombstone(first.id());

    assertThat(store().append(context, request)).isEqualTo(first);
  }

  @Test
  default void aKeyStandsForOneContentOnly() {
    ContextId context = store().createContext().id();
    Turn first = store().append(context, said("once").withKey(KEY));
    StoreCounts counts = store().counts();
    Payload once = Payload.utf8("once");

    for (NewTurn other :
        List.of(
            said("twice"),
            NewTurn.of(once, new DeclaredType("test.Other", 1), Encoding.RAW),
            NewTurn.of(once, new DeclaredType(MESSAGE.id(), 2), Encoding.RAW),
            NewTurn.of(once, MESSAGE, Encoding.JSON))) {
      assertThatThrownBy(() -> store().append(context, other.withKey(KEY)))
          .isInstanceOf(StoreException.Conflict.class);
    }
    assertThat(store().counts()).isEqualTo(counts);
    assertThat(store().head(context).head()).isEqualTo(first.id());
  }

  @Test
  default void theSameContentUnderAnotherKeyIsANewTurn() {
    ContextId context = store().createContext().id();
    TurnId first = store().append(context, said("ok").withKey(KEY)).id();

    Turn second = store().append(context, said("ok").withKey(IdempotencyKey.of("idem-2")));
    Turn third = store().append(context, said("ok"));

    assertThat(second.parent()).isEqualTo(first);
    assertThat(third.parent()).isEqualTo(second.id());
    assertThat(store().last(context, 10, View.HEADERS).turns()).hasSize(3);
  }

  /// Page: `docs/decisions/0007-idempotency.md`.
  @Test
  default void aKeyMadeOfTheContentStandsForTheFirstOfTwoEqualTurns() {
    ContextId context = store().createContext().id();

    List<Turn> answers =
        Stream.of("a", "b", "a", "b")
            .map(text -> store().append(context, said(text).withKey(IdempotencyKey.of(text))))
            .toList();

    assertThat(answers.get(2)).isEqualTo(answers.get(0));
    assertThat(answers.get(3)).isEqualTo(answers.get(1));
    assertThat(answers).extracting(Turn::depth).containsExactly(0, 1, 0, 1);
    assertThat(store().head(context).head()).isEqualTo(answers.get(1).id());
  }

  @Test
  default void aKeyThatAlsoNamesTheParentStandsForOneOfTwoEqualTurns() {
    ContextId context = store().createContext().id();
    List<Turn> answers = new ArrayList<>();
    TurnId parent = TurnId.NONE;
    for (String text : List.of("a", "b", "a", "b")) {
      NewTurn turn = said(text).withKey(IdempotencyKey.of(parent + " " + text));
      Turn first = store().append(context, turn);
      assertThat(store().append(context, turn)).as("a retry").isEqualTo(first);
      answers.add(first);
      parent = first.id();
    }

    assertThat(answers).extracting(Turn::depth).containsExactly(0, 1, 2, 3);
    assertThat(store().head(context).head()).isEqualTo(answers.getLast().id());
  }

  @Test
  default void aKeyBelongsToItsContext() {
    ContextId one = store().createContext().id();
    TurnId first = store().append(one, said("a").withKey(KEY)).id();
    ContextId other = store().createContext().id();
    ContextId fork = store().fork(first).id();

    Turn elsewhere = store().append(other, said("b").withKey(KEY));
    Turn onFork = store().append(fork, said("a").withKey(KEY));

    assertThat(elsewhere.context()).isEqualTo(other);
    assertThat(onFork.parent()).as("a fork does not inherit keys").isEqualTo(first);
    assertThat(store().append(one, said("a").withKey(KEY)).id()).isEqualTo(first);
  }

  @Test
  default void aRefusedAppendDoesNotUseUpItsKey() {
    ContextId context = store().createContext().id();
    NewTurn refused = said("a").withKey(KEY).withParent(Samples.ABSENT_TURN);
    assertThatThrownBy(() -> store().append(context, refused))
        .isInstanceOf(StoreException.NotFound.class);
    NewTurn stale = said("b").withKey(KEY).withExpectedHead(Samples.ABSENT_TURN);
    assertThatThrownBy(() -> store().append(context, stale))
        .isInstanceOf(StoreException.Conflict.class);

    assertThat(store().append(context, said("c").withKey(KEY)).depth()).isZero();
  }

  @Test
  default void keysAreBytesAndComparedWhole() {
    ContextId context = store().createContext().id();
    byte[] longest = new byte[IdempotencyKey.SIZE_BYTES_MAX];
    byte[] other = longest.clone();
    other[other.length - 1] = 1;
    List<IdempotencyKey> keys =
        List.of(
            IdempotencyKey.of(new byte[] {0}),
            IdempotencyKey.of(new byte[] {0, 0}),
            IdempotencyKey.of(new byte[] {(byte) 0xff, (byte) 0xfe}),
            IdempotencyKey.of("schlüssel/🔑"),
            IdempotencyKey.of(longest),
            IdempotencyKey.of(other));

    List<NewTurn> requests = keys.stream().map(key -> said("x").withKey(key)).toList();
    List<Turn> first = requests.stream().map(turn -> store().append(context, turn)).toList();
    List<Turn> again = requests.stream().map(turn -> store().append(context, turn)).toList();

    assertThat(first).doesNotHaveDuplicates();
    assertThat(again).isEqualTo(first);
  }
}
