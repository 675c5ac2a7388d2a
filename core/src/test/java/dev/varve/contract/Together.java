// SPDX-License-Identifier: Apache-2.0
package dev.varve.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Runs one task in many threads that all start at the same moment.
final class Together {

  /// Which threads.
  enum Threads {
    PLATFORM,
    VIRTUAL;

    Thread start(Runnable task) {
      return switch (this) {
        case PLATFORM -> Thread.ofPlatform().daemon().start(task);
        case VIRTUAL -> Thread.ofVirtual().start(task);
      };
    }
  }

  /// What each thread does.
  @FunctionalInterface
  interface Task<T> {
    T run(int thread) throws Exception;
  }

  private Together() {}

  /// What each thread answered, in the order of their numbers. Fails if one of them fails.
  static <T> List<T> run(Threads kind, int threads, Task<T> task) throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    List<FutureTask<T>> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int number = i;
      FutureTask<T> each =
          new FutureTask<>(
              () -> {
                gate.await();
                return task.run(number);
              });
      running.add(each);
      kind.start(each);
    }
    gate.countDown();
    List<T> answers = new ArrayList<>();
    for (FutureTask<T> each : running) {
      answers.add(answer(each));
    }
    return answers;
  }

  /// What `task` answers; fails rather than wait for ever.
  static <T> T answer(FutureTask<T> task) throws Exception {
    try {
      return task.get(60, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e;
    } catch (TimeoutException e) {
      throw new AssertionError("a thread got no answer within a minute", e);
    }
  }
}
