// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/// A thread that nobody can interrupt, because nobody else knows it.
///
/// `FileChannel` closes itself when a thread is interrupted inside it. What only a `FileChannel`
/// can do (map a file, force a folder) is rare, so each such call gets a thread of its own.
public final class QuietThread {

  private QuietThread() {}

  /// The work to be done on the thread.
  @FunctionalInterface
  interface Work<T> {
    T run() throws IOException;
  }

  /// Does `work` there and waits for it, however often the caller is interrupted meanwhile.
  static <T> T run(Work<T> work) throws IOException {
    FutureTask<T> task = new FutureTask<>(work::run);
    Thread.ofPlatform().daemon().name("varve-disk").start(task);
    return await(task);
  }

  /// Waits until a thread has ended. An interrupt of the caller is kept for later.
  public static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// The result of `pending`. An interrupt of the caller is kept for later.
  static <T> T await(Future<T> pending) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return pending.get();
        } catch (InterruptedException _) {
          interrupted = true;
        }
      }
    } catch (ExecutionException failure) {
      switch (failure.getCause()) {
        case IOException e -> throw e;
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        case null, default -> throw new AssertionError("work that throws what it cannot", failure);
      }
    } catch (CancellationException e) {
      throw new AssertionError("nobody cancels", e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
