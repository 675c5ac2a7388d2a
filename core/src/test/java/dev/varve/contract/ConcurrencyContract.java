// SPDX-License-Identifier: Apache-2.0
package dev.varve.contract;

import static dev.varve.contract.Samples.ids;
import static dev.varve.contract.Samples.noise;
import static dev.varve.contract.Samples.replayed;
import static dev.varve.contract.Samples.said;
import static dev.varve.contract.Samples.say;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.IdempotencyKey;
import dev.varve.Payload;
import dev.varve.PutOutcome;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.TurnPage;
import dev.varve.View;
import dev.varve.contract.Together.Threads;
import dev.varve.sim.ReferenceBlake3;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Any number of threads, of either kind, at once.
public interface ConcurrencyContract extends StoreFixture {

  int THREADS = 64;

  @ParameterizedTest
  @EnumSource
  default void appendsToOneContextFormOnePath(Threads kind) throws Exception {
    ContextId context = store().createContext().id();
    int each = 8;

    List<List<TurnId>> appended =
        Together.run(kind, THREADS, thread -> say(store(), context, "thread " + thread, each));

    List<Turn> path = replayed(store(), store().head(context).head(), View.LATEST);
    assertThat(path).hasSize(THREADS * each);
    assertThat(ids(path))
        .as("numbers rise along the path")
        .isSorted()
        .containsExactlyInAnyOrderElementsOf(appended.stream().flatMap(List::stream).toList());
    for (List<TurnId> own : appended) {
      assertThat(own).as("a thread's turns stand in its order").isSorted();
    }
    for (Turn turn : path) {
      assertThat(turn.payloadHash()).isEqualTo(ReferenceBlake3.hash(turn.payload()));
    }
  }

  @ParameterizedTest
  @EnumSource
  default void oneOfManyWhoPutOneNewBlobHearsThatTheBlobIsNew(Threads kind) throws Exception {
    for (int round = 0; round < 5; round++) {
      Payload small = noise(round, 1000);
      Payload large = noise(100 + round, 200_000);

      assertThat(Together.run(kind, THREADS, _ -> store().putWithOutcome(small)))
          .allMatch(outcome -> outcome.hash().equals(ReferenceBlake3.hash(small)))
          .filteredOn(PutOutcome::isNew)
          .hasSize(1);
      assertThat(
              Together.run(
                  kind,
                  16,
                  _ -> store().putWithOutcome(new ByteArrayInputStream(large.bytes()), null)))
          .allMatch(outcome -> outcome.hash().equals(ReferenceBlake3.hash(large)))
          .filteredOn(PutOutcome::isNew)
          .hasSize(1);
      assertThat(store().putWithOutcome(small).isNew()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  default void appendsToDifferentContextsDoNotMix(Threads kind) throws Exception {
    int each = 8;

    List<ContextId> contexts =
        Together.run(
            kind,
            THREADS,
            thread -> {
              ContextId context = store().createContext().id();
              say(store(), context, "thread " + thread, each);
              return context;
            });

    assertThat(contexts).doesNotHaveDuplicates();
    List<TurnId> all = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      List<Turn> path = store().last(contexts.get(thread), 100, View.LATEST).turns();
      assertThat(path).hasSize(each);
      for (Turn turn : path) {
        assertThat(turn.payload()).isEqualTo(Payload.utf8("thread " + thread + " " + turn.depth()));
      }
      all.addAll(ids(path));
    }
    assertThat(all).doesNotHaveDuplicates();
    assertThat(store().counts().turns()).isEqualTo((long) THREADS * each);
    assertThat(store().contexts(null, 1000)).hasSize(THREADS);
  }

  @ParameterizedTest
  @EnumSource
  default void ofAppendsThatExpectTheSameHeadOneWins(Threads kind) throws Exception {
    ContextId context = store().createContext().id();
    TurnId head = store().append(context, said("head")).id();

    List<Boolean> won =
        Together.run(kind, THREADS, thread -> appendedTo(context, head, "thread " + thread));

    assertThat(won).filteredOn(win -> win).hasSize(1);
    assertThat(store().head(context).headDepth()).isEqualTo(1);
    assertThat(store().counts().turns()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  default void whoeverRetriesOnAMovedHeadLosesNoTurn(Threads kind) throws Exception {
    ContextId context = store().createContext().id();
    int each = 3;

    Together.run(
        kind,
        16,
        thread -> {
          for (int i = 0; i < each; ) {
            TurnId seen = store().head(context).head();
            if (appendedTo(context, seen, thread + "/" + i)) {
              i++;
            }
          }
          return thread;
        });

    List<Turn> path = replayed(store(), store().head(context).head(), View.LATEST);
    assertThat(path).extracting(Turn::payload).doesNotHaveDuplicates().hasSize(16 * each);
  }

  private boolean appendedTo(ContextId context, TurnId head, String text) {
    try {
      Turn turn = store().append(context, said(text).withExpectedHead(head));
      assertThat(turn.parent()).isEqualTo(head);
      return true;
    } catch (StoreException.Conflict moved) {
      return false;
    }
  }

  @ParameterizedTest
  @EnumSource
  default void retriesAtTheSameMomentAppendOnce(Threads kind) throws Exception {
    ContextId context = store().createContext().id();
    IdempotencyKey key = IdempotencyKey.of("once");

    List<Turn> answers =
        Together.run(kind, THREADS, thread -> store().append(context, said("once").withKey(key)));

    assertThat(answers).containsOnly(answers.getFirst());
    assertThat(store().counts().turns()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  default void theSamePayloadIsKeptOnceHoweverManyPutIt(Threads kind) throws Exception {
    Payload same = noise(1, 10_000);
    ContextId context = store().createContext().id();

    List<BlobHash> hashes =
        Together.run(
            kind,
            THREADS,
            thread -> {
              Payload own = noise(100 + thread, 500);
              assertThat(store().get(store().put(own))).isEqualTo(own);
              BlobHash hash = store().put(Payload.of(same.bytes()));
              assertThat(store().get(hash)).isEqualTo(same);
              store().append(context, said("same"));
              return hash;
            });

    assertThat(hashes).containsOnly(ReferenceBlake3.hash(same));
    assertThat(store().counts().blobs()).isEqualTo(THREADS + 2);
    assertThat(store().counts().rawBytes()).isEqualTo(THREADS * 500L + 10_000 + 4);
  }

  @ParameterizedTest
  @EnumSource
  default void readersSeeOnlyWholeTurns(Threads kind) throws Exception {
    ContextId context = store().createContext().id();
    store().append(context, said("root"));
    AtomicBoolean done = new AtomicBoolean();
    List<FutureTask<Integer>> readers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      FutureTask<Integer> reader = new FutureTask<>(() -> readUntil(done, context));
      readers.add(reader);
      kind.start(reader);
    }

    try {
      Together.run(kind, 8, thread -> say(store(), context, "thread " + thread, 20));
    } finally {
      done.set(true);
    }

    for (FutureTask<Integer> reader : readers) {
      assertThat(Together.answer(reader)).isPositive();
    }
    assertThat(store().head(context).headDepth()).isEqualTo(160);
  }

  private int readUntil(AtomicBoolean done, ContextId context) {
    int reads = 0;
    int deepest = 0;
    boolean last;
    do {
      last = done.get(); // reads once more after the writers have ended
      TurnPage page = store().last(context, 10, View.LATEST);
      ContextHead head = page.head();
      assertThat(head.headDepth()).as("a head only moves on").isGreaterThanOrEqualTo(deepest);
      assertThat(page.turns().getLast().id()).isEqualTo(head.head());
      assertThat(page.turns().getLast().depth()).isEqualTo(head.headDepth());
      TurnId child = null;
      for (Turn turn : page.turns().reversed()) {
        assertThat(child == null || child.equals(turn.id())).isTrue();
        assertThat(turn.payload()).isNotNull();
        assertThat(turn.payloadHash()).isEqualTo(ReferenceBlake3.hash(turn.payload()));
        child = turn.parent();
      }
      assertThat(store().ancestor(head.head(), 0))
          .isEqualTo(store().range(context, 0, 1, View.HEADERS).turns().getFirst().id());
      deepest = head.headDepth();
      reads++;
    } while (!last);
    return reads;
  }

  @ParameterizedTest
  @EnumSource
  default void overlaysOfManyThreadsTakeEachSequenceOnce(Threads kind) throws Exception {
    TurnId turn = store().append(store().createContext().id(), said("a")).id();

    List<Long> sequences =
        Together.run(kind, THREADS, thread -> store().patch(turn, Payload.utf8("by " + thread)));

    Map<Long, Integer> bySequence = new HashMap<>();
    for (int thread = 0; thread < THREADS; thread++) {
      assertThat(bySequence.put(sequences.get(thread), thread)).isNull();
    }
    for (long seq = 1; seq <= THREADS; seq++) {
      assertThat(store().turn(turn, View.asOf(seq)).payload())
          .isEqualTo(Payload.utf8("by " + bySequence.get(seq)));
    }
  }
}
