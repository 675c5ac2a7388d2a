// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra.cql;

import dev.varve.StoreException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/// Pauses between attempts, each about twice as long as the one before and of a random length, so
/// that services that were in each other's way come back at different moments. The pauses of one
/// question end when the patience with the cluster is over. An interrupt ends no pause and is not
/// lost.
public final class QuietPause {

  private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(4);
  private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

  private final String address;
  private final Duration patience;
  private final long startNanos = System.nanoTime();
  private long nanos = FIRST_NANOS;

  /// @param address of the store, for people
  public QuietPause(String address, Duration patience) {
    this.address = address;
    this.patience = patience;
  }

  /// Returns whether the patience is over.
  public boolean isOver() {
    return System.nanoTime() - startNanos > patience.toNanos();
  }

  /// Pauses before another attempt at a conditional write.
  ///
  /// @throws StoreException.Io if the patience is over; it may be unknown then whether the write
  ///   was done
  public void take() {
    if (isOver()) {
      throw new StoreException.Io(
          address, "no conditional write came through", new TimeoutException(patience.toString()));
    }
    rest();
  }

  /// Pauses, however long the attempts have lasted.
  public void rest() {
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
