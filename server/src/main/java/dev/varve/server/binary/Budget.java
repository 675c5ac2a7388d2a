// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.StoreException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// The memory that large requests and answers of all connections share.
///
/// What is at most [#FREE_BYTES] is not counted: it is bounded by the number of connections and of their requests in flight.
final class Budget {

  static final int FREE_BYTES = 16 << 10;
  private static final int UNIT_BYTES = 1 << 10;

  private final Semaphore units;
  private final int unitsMax;
  private final Duration wait;

  Budget(long bytes, Duration wait) {
    this.unitsMax = Math.clamp(bytes / UNIT_BYTES, 1, Integer.MAX_VALUE);
    this.units = new Semaphore(unitsMax, true);
    this.wait = wait;
  }

  /// Memory that is taken; to be given back once.
  final class Lease implements AutoCloseable {
    private int held;

    /// Takes more, so that `bytes` are held altogether. More than there is counts as all there is: one request of any size that
    /// is allowed can go on.
    ///
    /// @throws StoreException.Busy if others do not give back enough in time
    void growTo(long bytes) {
      if (bytes <= FREE_BYTES) {
        return;
      }
      int wanted = (int) Math.min((bytes + UNIT_BYTES - 1) / UNIT_BYTES, unitsMax) - held;
      if (wanted <= 0) {
        return;
      }
      if (!acquire(wanted)) {
        throw new StoreException.Busy(
            "memory for " + bytes + " bytes", "other requests; try again");
      }
      held += wanted;
    }

    private boolean acquire(int wanted) {
      if (units.tryAcquire(wanted)) {
        return true;
      }
      boolean interrupted = false;
      try {
        long deadline = System.nanoTime() + wait.toNanos();
        while (true) {
          try {
            return units.tryAcquire(wanted, deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
          } catch (InterruptedException e) {
            interrupted = true;
          }
        }
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }

    /// Gives everything back.
    @Override
    public void close() {
      units.release(held);
      held = 0;
    }
  }

  Lease lease() {
    return new Lease();
  }

  /// How many bytes nobody has taken.
  long freeBytes() {
    return (long) units.availablePermits() * UNIT_BYTES;
  }
}
