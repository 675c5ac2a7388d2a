// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import java.time.Duration;

/// How long something that looks at all contexts may go on. For one thread.
///
/// Some are always looked at, so that whoever asks again and again gets on.
final class Deadline {

  /// So often the clock is asked.
  private static final int STEP = 64;

  private final long endNanos;
  private int looks;

  private Deadline(long endNanos) {
    this.endNanos = endNanos;
  }

  static Deadline in(Duration time) {
    return new Deadline(System.nanoTime() + time.toNanos());
  }

  /// Whether the time is over, for somebody who asks before each context.
  boolean isOver() {
    return looks++ > 0 && looks % STEP == 1 && System.nanoTime() - endNanos >= 0;
  }
}
