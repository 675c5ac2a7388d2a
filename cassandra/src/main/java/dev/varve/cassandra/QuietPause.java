// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Pauses between attempts, each about twice as long as the one before and of a random length, so
/// that services that were in each other's way come back at different moments. An interrupt ends no
/// pause and is not lost.
final class QuietPause {

  private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(4);
  private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

  private long nanos = FIRST_NANOS;

  void take() {
    boolean interrupted = Thread.interrupted();
    long end = System.nanoTime() + ThreadLocalRandom.current().nextLong(nanos / 2, nanos);
    for (long left = nanos; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
      interrupted |= Thread.interrupted();
    }
    nanos = Math.min(2 * nanos, LONGEST_NANOS);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
