// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.session;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A duration as people type one in an option.
public final class DurationText {

  private static final Pattern DURATION = Pattern.compile("([0-9]{1,6})(s|m|h|d|w)?");

  private DurationText() {}

  /// Reads `90s`, `15m`, `12h`, `7d`, `2w` or an ISO 8601 duration. A number alone counts days.
  ///
  /// @param option for messages
  public static Duration parse(String option, String text) {
    Matcher matcher = DURATION.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      try {
        Duration iso = Duration.parse(text);
        if (!iso.isNegative()) {
          return iso;
        }
      } catch (DateTimeParseException e) {
        // said below
      }
      throw new CommandException(
          ExitCodes.USAGE, option + ": expected a time like 12h or 7d, found '" + text + "'", null);
    }
    long number = Long.parseLong(matcher.group(1));
    String unit = matcher.group(2) == null ? "d" : matcher.group(2);
    return switch (unit) {
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      case "w" -> Duration.ofDays(7 * number);
      default -> Duration.ofDays(number);
    };
  }
}
