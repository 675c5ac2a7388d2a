// SPDX-License-Identifier: Apache-2.0
package dev.varve.contract;

import static dev.varve.contract.Samples.ids;
import static dev.varve.contract.Samples.said;
import static dev.varve.contract.Samples.say;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.contract.Together.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A thread that is interrupted while it uses a store finishes what it does, stays interrupted, and
/// harms nobody.
public interface InterruptContract extends StoreFixture {

  @ParameterizedTest
  @EnumSource
  default void anInterruptedThreadStillReadsAndAppends(Threads kind) throws Exception {
    ContextId context = store().createContext().id();
    store().append(context, said("before"));

    List<Turn> path =
        Together.run(
                kind,
                1,
                thread -> {
                  Thread.currentThread().interrupt();
                  store().append(context, said("interrupted"));
                  assertThat(Thread.currentThread().isInterrupted()).isTrue();
                  store().patch(store().head(context).head(), Payload.utf8("patched"));
                  assertThat(Thread.currentThread().isInterrupted()).isTrue();
                  List<Turn> seen = store().last(context, 10, View.LATEST).turns();
                  assertThat(Thread.currentThread().isInterrupted()).isTrue();
                  return seen;
                })
            .getFirst();

    assertThat(path)
        .extracting(Turn::payload)
        .containsExactly(Payload.utf8("before"), Payload.utf8("patched"));
    store().append(context, said("after"));
    assertThat(store().last(context, 10, View.LATEST).turns().subList(0, 2)).isEqualTo(path);
  }

  @ParameterizedTest
  @EnumSource
  default void interruptsAtAnyMomentHarmNobody(Threads kind) throws Exception {
    ContextId victims = store().createContext().id();
    ContextId others = store().createContext().id();
    List<FutureTask<List<TurnId>>> tasks = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      int number = i;
      FutureTask<List<TurnId>> task = new FutureTask<>(() -> use(victims, number));
      tasks.add(task);
      threads.add(kind.start(task));
    }
    FutureTask<List<TurnId>> bystander = new FutureTask<>(() -> say(store(), others, "calm", 50));
    kind.start(bystander);

    while (!tasks.stream().allMatch(FutureTask::isDone)) {
      threads.forEach(Thread::interrupt);
      Thread.onSpinWait();
    }

    List<TurnId> appended = new ArrayList<>();
    for (FutureTask<List<TurnId>> task : tasks) {
      appended.addAll(Together.answer(task));
    }
    assertThat(ids(store().last(victims, 1000, View.LATEST).turns()))
        .containsExactlyInAnyOrderElementsOf(appended);
    List<TurnId> calm = Together.answer(bystander);
    assertThat(ids(store().last(others, 1000, View.LATEST).turns())).isEqualTo(calm);
    store().append(victims, said("after"));
  }

  private List<TurnId> use(ContextId context, int number) {
    List<TurnId> appended = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Turn turn = store().append(context, said(number + "/" + i));
      appended.add(turn.id());
      assertThat(store().turn(turn.id(), View.LATEST).payload())
          .isEqualTo(Payload.utf8(number + "/" + i));
    }
    return appended;
  }
}
