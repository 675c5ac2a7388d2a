// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.travel;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/// The time of an event of JP. JP writes `2025-03-01 10:00:00.123456`, which is in UTC, and reads
/// the standard form too.
final class EventTime {

  private static final int DATE_CHARS = 10;

  private EventTime() {}

  /// The time of a timestamp; empty if a turn cannot have the time.
  static Optional<Instant> of(String timestamp) {
    boolean plain = timestamp.length() > DATE_CHARS && timestamp.charAt(DATE_CHARS) == ' ';
    String standard =
        plain
            ? timestamp.substring(0, DATE_CHARS) + 'T' + timestamp.substring(DATE_CHARS + 1) + 'Z'
            : timestamp;
    try {
      Instant time = OffsetDateTime.parse(standard).toInstant();
      return time.isBefore(Instant.EPOCH) ? Optional.empty() : Optional.of(time);
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }
}
