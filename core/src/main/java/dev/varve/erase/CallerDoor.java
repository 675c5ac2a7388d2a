// SPDX-License-Identifier: Apache-2.0
package dev.varve.erase;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/// A door through which callers come and go. Shut, the door lets nobody in, and those inside leave.
public final class CallerDoor {

  private static final long LOOK_NANOS = 200_000;

  private final AtomicInteger inside = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition opened = lock.newCondition();
  private volatile boolean shut;

  /// The number of callers inside.
  public int inside() {
    return inside.get();
  }

  /// Comes in, once the door is open. An interrupt is kept for later.
  public void enter() {
    inside.incrementAndGet();
    while (shut) {
      inside.decrementAndGet();
      awaitOpen();
      inside.incrementAndGet();
    }
  }

  /// Goes out.
  public void leave() {
    inside.decrementAndGet();
  }

  private void awaitOpen() {
    lock.lock();
    try {
      while (shut) {
        opened.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Shuts the door and waits until nobody is inside. One thread at a time.
  ///
  /// @return whether everybody left within `grace`; if not, the door is open again
  public boolean shut(Duration grace) {
    long beganNanos = System.nanoTime();
    boolean interrupted = false;
    shut = true;
    while (inside.get() > 0 && System.nanoTime() - beganNanos < grace.toNanos()) {
      interrupted |= Thread.interrupted();
      LockSupport.parkNanos(LOOK_NANOS);
    }
    boolean vacant = inside.get() == 0;
    if (!vacant) {
      open();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return vacant;
  }

  /// Lets callers in again.
  public void open() {
    lock.lock();
    try {
      shut = false;
      opened.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
