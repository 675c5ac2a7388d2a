// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.session;

import dev.varve.cli.terminal.Terminal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A point in time as a user writes it: an age such as `30m`, `12h`, `7d` or `2w`, a date such as
/// `2026-11-27`, or a time such as `2026-11-27T09:30`, in the user's zone unless it names one.
public final class TimeArgument {

  private static final Pattern AGE = Pattern.compile("([0-9]{1,6})([mhdw])");

  private TimeArgument() {}

  /// Reads the value of an option.
  ///
  /// @throws CommandException if the text is no time
  public static Instant parse(String option, String text, Terminal terminal) {
    Matcher age = AGE.matcher(text);
    if (age.matches()) {
      return terminal.clock().instant().minus(age(Long.parseLong(age.group(1)), age.group(2)));
    }
    try {
      if (text.length() <= 10) {
        return LocalDate.parse(text).atStartOfDay(terminal.zone()).toInstant();
      }
      String time = text.replaceFirst(" ", "T");
      return time.matches("[^T]*T.*(Z|[+-][0-9:]+)")
          ? OffsetDateTime.parse(time).toInstant()
          : LocalDateTime.parse(time).atZone(terminal.zone()).toInstant();
    } catch (DateTimeException e) {
      throw new CommandException(
          ExitCodes.USAGE,
          option + ": expected a time, found '" + text + "'",
          "For instance 12h, 7d, 2026-11-27 or 2026-11-27T09:30.");
    }
  }

  private static Duration age(long number, String unit) {
    return switch (unit) {
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      case "d" -> Duration.ofDays(number);
      default -> Duration.ofDays(7 * number);
    };
  }
}
