// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.access;

import java.time.Duration;

/// The rate of one client: a bucket that holds the requests of one second and fills evenly.
final class RateLimiter {

  private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();

  /// The client's lead over the clock; at most one second.
  private long takenUntilNanos;

  private boolean begun;

  /// Returns whether one more request may go on.
  ///
  /// @param nowNanos of a monotonic clock
  synchronized boolean take(int perSecond, long nowNanos) {
    long cost = SECOND_NANOS / perSecond;
    if (!begun || takenUntilNanos - nowNanos < 0) {
      takenUntilNanos = nowNanos;
      begun = true;
    }
    if (takenUntilNanos + cost - nowNanos > Math.max(SECOND_NANOS, cost)) {
      return false;
    }
    takenUntilNanos += cost;
    return true;
  }
}
