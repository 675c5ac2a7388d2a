// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.watch;

import java.time.Duration;

/// The times that a watch keeps.
///
/// @param gather how long after a notification others are waited for, so that a burst is one look
/// @param settle after this time a change of a file surely has another stamp: what was archived
///   while it was written to is looked at once more
/// @param slowLook the time between two looks at everything, which need no notification
/// @param retry the time after which a file or a store that failed is tried again; doubles each
///   time, up to sixty-fold
/// @param idle after so long without a change, memory is given back
/// @param compare after so long a session of which only new lines were read is compared as a whole
public record WatchPace(
    Duration gather,
    Duration settle,
    Duration slowLook,
    Duration retry,
    Duration idle,
    Duration compare) {

  /// An archived line within a second, and a slow look every 15 seconds.
  public static final WatchPace DEFAULTS =
      new WatchPace(
          Duration.ofMillis(100),
          Duration.ofMillis(1100),
          Duration.ofSeconds(15),
          Duration.ofSeconds(2),
          Duration.ofSeconds(5),
          Duration.ofMinutes(61));

  /// The rest after a look that a notification began, as a multiple of the time that the listing
  /// took.
  private static final int REST = 3;

  private static final long REST_MAX_NANOS = Duration.ofSeconds(30).toNanos();

  /// The rest after a slow look: it takes at most half a percent of a core.
  private static final int SLOW_REST = 200;

  private static final int RETRY_DOUBLINGS = 6;

  public WatchPace withSlowLook(Duration value) {
    return new WatchPace(gather, settle, value, retry, idle, compare);
  }

  /// The rest behind a look.
  ///
  /// @param listingNanos the time that it took to list the sessions
  /// @param importNanos the time that it took to import the largest session that had changed
  long restNanos(long listingNanos, long importNanos) {
    return Math.min(REST * listingNanos + importNanos, REST_MAX_NANOS);
  }

  /// The time between two slow looks.
  ///
  /// @param listingNanos the time that it took to list the sessions of all homes
  long slowLookNanos(long listingNanos) {
    return Math.max(slowLook.toNanos(), SLOW_REST * listingNanos);
  }

  /// The time until the next try.
  ///
  /// @param failures how many tries have failed
  long retryNanos(int failures) {
    int doublings = Math.min(failures - 1, RETRY_DOUBLINGS);
    return Math.min(retry.toNanos() << doublings, 60 * retry.toNanos());
  }
}
