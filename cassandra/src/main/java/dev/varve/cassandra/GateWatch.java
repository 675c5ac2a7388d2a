// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A look from time to time at a closed gate: an owner that gives no sign of life for long counts
/// as ended. Measures with this process's clock alone.
final class GateWatch {

  private record Sign(long closings, @Nullable UUID owner, int phase, long beat) {}

  private final GateTimes times;
  private @Nullable Sign last;
  private long sinceNanos;

  GateWatch(GateTimes times) {
    this.times = times;
  }

  /// Returns whether the gate has looked the same for as long as a living owner never leaves it.
  boolean isSilent(GateRow closed) {
    return isSame(closed) && System.nanoTime() - sinceNanos > times.silence().toNanos();
  }

  /// Returns whether the gate looks as it did the last time.
  boolean isSame(GateRow closed) {
    Sign now = new Sign(closed.closings(), closed.owner(), closed.phase(), closed.beat());
    if (now.equals(last)) {
      return true;
    }
    boolean isFirst = last == null;
    last = now;
    sinceNanos = System.nanoTime();
    return isFirst;
  }
}
