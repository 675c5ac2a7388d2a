// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.query;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The forms of a time in queries.
final class QueryTimes {

  /// Nine digits of any unit lie before every store, and far from an overflow.
  private static final Pattern AGO = Pattern.compile("-(\\d{1,9})([smhdw])");

  private QueryTimes() {}

  /// Milliseconds since 1970.
  static Optional<Long> milliseconds(String number) {
    try {
      return Optional.of(Long.parseLong(number));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /// A day in UTC (its beginning), a moment with an offset, or a time before now: `-30m`, `-24h`,
  /// `-7d`.
  static Optional<Long> written(String text, Instant now) {
    Matcher ago = AGO.matcher(text);
    if (ago.matches()) {
      Duration unit =
          switch (ago.group(2)) {
            case "s" -> Duration.ofSeconds(1);
            case "m" -> Duration.ofMinutes(1);
            case "h" -> Duration.ofHours(1);
            case "d" -> Duration.ofDays(1);
            default -> Duration.ofDays(7);
          };
      return Optional.of(now.toEpochMilli() - unit.toMillis() * Long.parseLong(ago.group(1)));
    }
    try {
      return Optional.of(
          text.indexOf('T') < 0
              ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli()
              : OffsetDateTime.parse(text).toInstant().toEpochMilli());
    } catch (DateTimeParseException | ArithmeticException e) {
      return Optional.empty();
    }
  }
}
