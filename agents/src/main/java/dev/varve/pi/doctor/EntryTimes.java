// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.doctor;

import dev.varve.pi.session.LongList;
import java.time.Instant;
import java.util.Optional;

/// The times of the entries of a file, by their ordinals; 16 bytes for each entry.
final class EntryTimes {

  private static final long UNKNOWN = Long.MIN_VALUE;

  private final LongList written = new LongList();
  private final LongList started = new LongList();

  /// Adds the times of the next entry of the file.
  ///
  /// @param createdAt the time of the entry, when the entry was written
  /// @param startedAtUnixMs the time of the entry's message, when its request began; negative if
  ///   the message has none
  void add(Optional<Instant> createdAt, long startedAtUnixMs) {
    written.add(createdAt.map(Instant::toEpochMilli).orElse(UNKNOWN));
    started.add(startedAtUnixMs < 0 ? UNKNOWN : startedAtUnixMs);
  }

  /// True if both times are known and `entry` was written before `other`.
  boolean before(int entry, int other) {
    return written.get(entry) != UNKNOWN
        && written.get(other) != UNKNOWN
        && written.get(entry) < written.get(other);
  }

  /// True if both times are known and the request of `entry` began after `other` was written.
  boolean startedAfter(int entry, int other) {
    return started.get(entry) != UNKNOWN
        && written.get(other) != UNKNOWN
        && started.get(entry) > written.get(other);
  }
}
