// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.watch;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The homes that are to be looked at, and the word to stop. For any number of threads, one of
/// which waits.
final class PendingLooks {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Set<WatchedHome> homes = new LinkedHashSet<>();
  private boolean stopped;

  void add(WatchedHome home) {
    lock.lock();
    try {
      homes.add(home);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void stop() {
    lock.lock();
    try {
      stopped = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isStopped() {
    lock.lock();
    try {
      return stopped;
    } finally {
      lock.unlock();
    }
  }

  /// Waits until there is a home to look at, the word to stop, or no time left.
  ///
  /// @return whether there is a home to look at
  boolean await(long nanos) throws InterruptedException {
    lock.lock();
    try {
      long left = nanos;
      while (homes.isEmpty() && !stopped && left > 0) {
        left = changed.awaitNanos(left);
      }
      return !homes.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /// Waits for a time, or for the word to stop.
  void pause(long nanos) throws InterruptedException {
    lock.lock();
    try {
      long left = nanos;
      while (!stopped && left > 0) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /// Takes the homes that are to be looked at.
  Set<WatchedHome> take() {
    lock.lock();
    try {
      Set<WatchedHome> taken = new LinkedHashSet<>(homes);
      homes.clear();
      return taken;
    } finally {
      lock.unlock();
    }
  }
}
