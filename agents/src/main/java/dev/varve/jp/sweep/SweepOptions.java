// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.sweep;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/// The rules of a sweep.
///
/// @param grace blobs written or used within this time are spared
/// @param trashKept how long what was thrown away can be put back
/// @param dry whether to report only
/// @param patience how long to wait for those who write references
/// @param stop asked all the time; once it says yes, the sweep ends where it is
public record SweepOptions(
    Duration grace, Duration trashKept, boolean dry, Duration patience, BooleanSupplier stop) {

  /// A week of grace, a month in the trash.
  public static final SweepOptions DEFAULTS =
      new SweepOptions(
          Duration.ofDays(7), Duration.ofDays(30), false, Duration.ofSeconds(10), () -> false);

  public SweepOptions {
    if (grace.isNegative() || trashKept.isNegative() || patience.isNegative()) {
      throw new IllegalArgumentException("negative: " + grace + ", " + trashKept + ", " + patience);
    }
  }

  public SweepOptions withGrace(Duration value) {
    return new SweepOptions(value, trashKept, dry, patience, stop);
  }

  public SweepOptions withTrashKept(Duration value) {
    return new SweepOptions(grace, value, dry, patience, stop);
  }

  public SweepOptions withDry(boolean value) {
    return new SweepOptions(grace, trashKept, value, patience, stop);
  }

  public SweepOptions withPatience(Duration value) {
    return new SweepOptions(grace, trashKept, dry, value, stop);
  }

  public SweepOptions withStop(BooleanSupplier value) {
    return new SweepOptions(grace, trashKept, dry, patience, value);
  }
}
