// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.CheckReport;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.wire.MaintenanceResponse.CheckState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A check of the whole store for one connection, on a thread of its own, beside all other
/// requests.
///
/// The check rests three times as long as it works, so that it takes a quarter of one processor and
/// of the disk, and requests are served about as fast as without it. Several checks take turns.
final class CheckTask implements AutoCloseable {

  private static final long WORK_NANOS = 3_000_000;
  private static final int REST_FACTOR = 3;

  /// The time for which an answer waits for news.
  private static final long NEWS_NANOS = 1_000_000_000L;

  /// One check of the process works at a time; the others wait for their next turn.
  private static final ReentrantLock WORKING = new ReentrantLock(true);

  private final ReentrantLock lock = new ReentrantLock(); // guards the fields below
  private final Condition changed = lock.newCondition();
  private final Deque<CheckReport.Problem> undelivered = new ArrayDeque<>();
  private long doneBytes;
  private long totalBytes;
  private @Nullable CheckReport report;
  private @Nullable RuntimeException failure;
  private boolean cancelled;

  private CheckTask() {}

  /// Begins a check.
  static CheckTask start(Store store) {
    CheckTask task = new CheckTask();
    Thread.ofPlatform().daemon().name("varve-check").start(() -> task.run(store));
    return task;
  }

  private void run(Store store) {
    try {
      CheckPace pace = new CheckPace();
      WORKING.lock();
      try {
        finish(store.check(pace::reached), null);
      } finally {
        WORKING.unlock();
      }
    } catch (CancellationException _) {
      // nobody asks any more
    } catch (RuntimeException e) {
      finish(null, e);
    }
  }

  private void finish(@Nullable CheckReport found, @Nullable RuntimeException wrong) {
    lock.lock();
    try {
      report = found;
      failure = wrong;
      if (found != null) {
        undelivered.addAll(found.problems());
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Work and rest of one check, on its thread.
  private final class CheckPace {

    private long workSinceNanos = System.nanoTime();

    void reached(long done, long total) {
      long worked = System.nanoTime() - workSinceNanos;
      if (worked < WORK_NANOS) {
        return;
      }
      lock.lock();
      try {
        if (cancelled) {
          throw new CancellationException();
        }
        doneBytes = done;
        totalBytes = total;
      } finally {
        lock.unlock();
      }
      WORKING.unlock();
      LockSupport.parkNanos(REST_FACTOR * worked);
      WORKING.lock();
      workSinceNanos = System.nanoTime();
    }
  }

  /// The progress of the check. Waits for the end, but a second at most.
  ///
  /// @param bytesMax what the problems in the answer may take; the rest comes with the next answers
  /// @throws StoreException what the check itself threw
  CheckState next(int bytesMax) {
    lock.lock();
    try {
      long left = NEWS_NANOS;
      while (report == null && failure == null && !cancelled && left > 0) {
        left = changed.awaitNanos(left);
      }
      if (failure != null) {
        throw failure;
      }
      if (cancelled) {
        throw new StoreException.Closed("check");
      }
      return state(problems(bytesMax));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException.Closed("check");
    } finally {
      lock.unlock();
    }
  }

  private List<CheckReport.Problem> problems(int bytesMax) {
    List<CheckReport.Problem> some = new ArrayList<>();
    long sizeBytes = 0;
    while (!undelivered.isEmpty()) {
      sizeBytes += CheckState.sizeBytes(undelivered.getFirst());
      if (sizeBytes > bytesMax && !some.isEmpty()) {
        break;
      }
      some.add(undelivered.removeFirst());
    }
    return some;
  }

  private CheckState state(List<CheckReport.Problem> problems) {
    CheckReport found = report;
    if (found == null) {
      return new CheckState(
          doneBytes, totalBytes, false, new CheckReport(0, 0, 0, 0, null, problems));
    }
    return new CheckState(
        totalBytes,
        totalBytes,
        undelivered.isEmpty(),
        new CheckReport(
            found.blobs(),
            found.turns(),
            found.contexts(),
            found.overlays(),
            found.newest(),
            problems));
  }

  /// Gives the check up, if it is not over.
  @Override
  public void close() {
    lock.lock();
    try {
      cancelled = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
