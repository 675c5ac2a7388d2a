// SPDX-License-Identifier: Apache-2.0
package dev.varve.access;

import dev.varve.StoreException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// One program's waiting until it may open a store. For one thread.
final class OpeningTurn {

  private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(5).toNanos();

  /// The longest pause between two looks. Shorter pauses slow the other programs down; longer
  /// pauses miss the moments in which [StoreVisits] lets others in.
  private static final long LONGEST_PAUSE_NANOS = Duration.ofMillis(50).toNanos();

  private final WaitingRules rules;
  private final long startNanos = System.nanoTime();
  private String holder = "";
  private long sinceNanos = startNanos;
  private long pauseNanos = FIRST_PAUSE_NANOS;

  OpeningTurn(WaitingRules rules) {
    this.rules = rules;
  }

  /// Pauses before the next try. An interrupt is kept for later.
  ///
  /// @param busy the refusal of the try before
  /// @throws StoreException.Busy the same, if the time is over
  void await(StoreException.Busy busy) {
    long now = System.nanoTime();
    if (!holder.equals(busy.holder())) {
      holder = busy.holder(); // names the process, and since when
      sinceNanos = now;
    }
    if (now - sinceNanos >= rules.each().toNanos() || now - startNanos >= rules.all().toNanos()) {
      throw busy;
    }
    rules.waiting().accept(holder);
    boolean interrupted = Thread.interrupted();
    LockSupport.parkNanos(pauseNanos);
    pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
