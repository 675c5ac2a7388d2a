// SPDX-License-Identifier: Apache-2.0
package dev.varve.search.query;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A point in time in a query: an age such as `12h`, `7d` or `2w`, a date such as `2026-11-27`, or
/// a time such as `2026-11-27T09:30`.
public final class SearchTime {

  private static final Pattern AGE = Pattern.compile("([0-9]{1,6})([mhdw])");

  private SearchTime() {}

  /// Reads the value of a filter.
  ///
  /// @param zone of dates and of times without a zone
  /// @throws dev.varve.StoreException.Invalid if the value is no time
  public static Instant of(SearchQuery.Filter filter, Instant now, ZoneId zone) {
    String text = filter.value();
    Matcher age = AGE.matcher(text);
    if (age.matches()) {
      long number = Long.parseLong(age.group(1));
      return now.minus(
          switch (age.group(2)) {
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            case "d" -> Duration.ofDays(number);
            default -> Duration.ofDays(7 * number);
          });
    }
    try {
      if (text.length() <= 10) {
        return LocalDate.parse(text).atStartOfDay(zone).toInstant();
      }
      return text.matches("[^T]*T.*(Z|[+-][0-9:]+)")
          ? OffsetDateTime.parse(text).toInstant()
          : LocalDateTime.parse(text).atZone(zone).toInstant();
    } catch (DateTimeException e) {
      throw QueryProblem.at(
          filter.column(), "expected a time such as 12h, 7d or 2026-11-27, found '" + text + "'");
    }
  }
}
