// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import java.time.Duration;

/// The end of the time for a pass over contexts. For one thread.
///
/// Some contexts are always read, so that a client that asks repeatedly makes progress.
final class Deadline {

  /// The number of contexts between two looks at the clock.
  private static final int STEP = 64;

  private final long endNanos;
  private int looks;
  private boolean wasOver;

  private Deadline(long endNanos) {
    this.endNanos = endNanos;
  }

  static Deadline in(Duration time) {
    return new Deadline(System.nanoTime() + time.toNanos());
  }

  /// The time that is left.
  Duration left() {
    return Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
  }

  /// Returns whether the time is over. To be called before each context.
  boolean isOver() {
    if (looks++ > 0 && looks % STEP == 1 && System.nanoTime() - endNanos >= 0) {
      wasOver = true;
      return true;
    }
    return false;
  }

  /// Returns whether a pass was told that the time is over.
  boolean wasOver() {
    return wasOver;
  }
}
