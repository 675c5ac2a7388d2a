// SPDX-License-Identifier: Apache-2.0
package dev.varve.sim;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/// A clock that goes only when told to, in whole milliseconds. Safe for any number of threads.
public final class SimulatedTime implements InstantSource {

  private final AtomicLong nowMs = new AtomicLong(1_700_000_000_000L);
  private volatile long stepMs;

  private SimulatedTime(long stepMs) {
    this.stepMs = stepMs;
  }

  /// A clock on which every look sees a later millisecond than the look before.
  public static SimulatedTime ticking() {
    return new SimulatedTime(1);
  }

  /// A clock that stands until [#advance].
  public static SimulatedTime standing() {
    return new SimulatedTime(0);
  }

  /// Stops the clock: from now on all looks see the same instant.
  public void stand() {
    stepMs = 0;
  }

  public void advance(long milliseconds) {
    nowMs.addAndGet(milliseconds);
  }

  /// Sets the clock, back as well.
  public void set(Instant now) {
    nowMs.set(now.toEpochMilli());
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(nowMs.addAndGet(stepMs));
  }
}
