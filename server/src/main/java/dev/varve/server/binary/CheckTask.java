// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.CheckReport;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.server.limits.QuietWork;
import dev.varve.wire.MaintenanceResponse.CheckState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A check of the whole store for one connection, on a thread of its own, as quiet as [QuietWork]
/// is.
final class CheckTask implements AutoCloseable {

  /// The time for which an answer waits for news.
  private static final long NEWS_NANOS = 1_000_000_000L;

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
  ///
  /// @param checked receives the report of a check that was not given up
  static CheckTask start(Store store, Consumer<CheckReport> checked) {
    CheckTask task = new CheckTask();
    Thread.ofPlatform().daemon().name("varve-check").start(() -> task.run(store, checked));
    return task;
  }

  private void run(Store store, Consumer<CheckReport> checked) {
    try {
      CheckReport found = QuietWork.run(this::reached, store::check);
      checked.accept(found);
      finish(found, null);
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

  private void reached(long done, long total) {
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
