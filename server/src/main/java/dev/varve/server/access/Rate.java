// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.access;

import java.time.Duration;

/// How fast one client may ask: a bucket that holds one second's worth and fills evenly.
final class Rate {

  private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();

  /// How far ahead of the clock the client is; at most a second.
  private long takenUntilNanos;

  private boolean begun;

  /// Whether one more request may go on.
  ///
  /// @param nowNanos of a clock that only rises
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
