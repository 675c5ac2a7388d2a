// SPDX-License-Identifier: Apache-2.0
package dev.varve.access;

import dev.varve.Store;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A store that is opened for visits. The store stays open for a moment after each visit, so that
/// many visits in a row, for instance for a long line of parents from a fast server, cost one
/// opening. After a second of visits the store is closed for a moment all the same, so that a
/// program that waits for the store gets its turn.
///
/// For any number of threads, one of which visits at a time.
public class StoreVisits implements AutoCloseable {

  private static final long IDLE_NANOS = Duration.ofMillis(100).toNanos();
  private static final long HELD_NANOS = Duration.ofSeconds(1).toNanos();

  /// Others look every 50 ms whether the store is theirs ([OpeningTurn]).
  private static final long PAUSE_NANOS = Duration.ofMillis(60).toNanos();

  private final Supplier<? extends Store> opening;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private @Nullable Store store;
  private long openedNanos;
  private long visitedNanos;
  private @Nullable RuntimeException failed;

  /// @param opening opens the store; what was opened is closed here
  public StoreVisits(Supplier<? extends Store> opening) {
    this.opening = opening;
  }

  /// Does `work`, which must not wait for anything but the store: a caller that waits for a network
  /// waits outside, so that other programs have the store meanwhile. When this method returns,
  /// written data is as durable as the store's options promise.
  public void with(Consumer<Store> work) {
    ask(
        open -> {
          work.accept(open);
          return open;
        });
  }

  /// Asks the store something, as [#with] does work.
  public <T> T ask(Function<Store, T> question) {
    lock.lock();
    try {
      if (store != null && System.nanoTime() - openedNanos > HELD_NANOS) {
        shut();
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      throwFailure();
      T answer = question.apply(store == null ? open() : store);
      visitedNanos = System.nanoTime();
      return answer;
    } finally {
      lock.unlock();
    }
  }

  private Store open() {
    Store opened = opening.get();
    store = opened;
    openedNanos = System.nanoTime();
    visitedNanos = openedNanos;
    Thread.ofVirtual().name("store-visits").start(this::shutWhenIdle);
    return opened;
  }

  private void shutWhenIdle() {
    lock.lock();
    try {
      while (store != null) {
        long left = IDLE_NANOS - (System.nanoTime() - visitedNanos);
        if (left <= 0) {
          shut();
        } else {
          changed.awaitNanos(left);
        }
      }
    } catch (InterruptedException e) {
      // nobody interrupts it; close() shuts it then
    } catch (RuntimeException e) {
      failed = e; // the next visitor hears of it
    } finally {
      lock.unlock();
    }
  }

  private void shut() {
    Store open = store;
    store = null;
    changed.signalAll();
    if (open != null) {
      open.close();
    }
  }

  private void throwFailure() {
    RuntimeException before = failed;
    failed = null;
    if (before != null) {
      throw before;
    }
  }

  /// @throws dev.varve.StoreException.Io if closing the store fails, or failed in between
  @Override
  public void close() {
    lock.lock();
    try {
      shut();
      throwFailure();
    } finally {
      lock.unlock();
    }
  }
}
