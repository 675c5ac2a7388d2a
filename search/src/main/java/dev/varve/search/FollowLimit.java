// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import java.time.Duration;

/// A bound on the time that following the store may take, and a listener to the progress.
public final class FollowLimit {

  /// Hears how far the index is.
  @FunctionalInterface
  public interface Progress {
    Progress NONE = (_, _) -> {};

    void at(long turns, long turnsAll);
  }

  private final long endNanos;
  private final Progress progress;

  private FollowLimit(long endNanos, Progress progress) {
    this.endNanos = endNanos;
    this.progress = progress;
  }

  /// A limit that begins now.
  public static FollowLimit within(Duration time, Progress progress) {
    return new FollowLimit(System.nanoTime() + time.toNanos(), progress);
  }

  boolean isOver() {
    return System.nanoTime() - endNanos >= 0;
  }

  void report(long turns, long turnsAll) {
    progress.at(turns, turnsAll);
  }
}
