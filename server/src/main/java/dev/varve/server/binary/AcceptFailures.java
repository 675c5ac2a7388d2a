// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import java.lang.System.Logger.Level;
import java.time.Duration;

/// The log of connections that could not be accepted, for instance without free descriptors: one
/// line a minute at most, with the number of failures since the line before. For one thread.
final class AcceptFailures {

  private static final System.Logger LOG = System.getLogger(AcceptFailures.class.getPackageName());

  private static final long PERIOD_NANOS = Duration.ofMinutes(1).toNanos();

  private long unreported;
  private long reportedNanos = System.nanoTime() - PERIOD_NANOS;

  /// Counts a failure and logs it, unless a line was logged within the last minute.
  void report(Throwable failure) {
    unreported++;
    if (System.nanoTime() - reportedNanos < PERIOD_NANOS) {
      return;
    }
    LOG.log(
        Level.WARNING,
        "no connection could be accepted ({0} times): {1}",
        unreported,
        failure.getMessage());
    unreported = 0;
    reportedNanos = System.nanoTime();
  }
}
