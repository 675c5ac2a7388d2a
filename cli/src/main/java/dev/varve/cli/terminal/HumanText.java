// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.terminal;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;

/// Numbers and times as people read them. The same in every locale.
public final class HumanText {

  private static final String[] UNITS = {"B", "KB", "MB", "GB", "TB", "PB", "EB"};

  private HumanText() {}

  /// `0 B`, `999 B`, `1.2 KB`, `34 MB`: powers of 1,000, rounded down, two digits at least.
  public static String size(long bytes) {
    long unit = 1;
    int name = 0;
    while (bytes / unit >= 1_000) {
      unit *= 1_000;
      name++;
    }
    long whole = bytes / unit;
    String tenth = whole < 10 && name > 0 ? "." + bytes % unit / (unit / 10) : "";
    return whole + tenth + " " + UNITS[name];
  }

  /// `1,234,567`.
  public static String number(long value) {
    StringBuilder text = new StringBuilder().append(value);
    for (int i = text.length() - 3; i > (value < 0 ? 1 : 0); i -= 3) {
      text.insert(i, ',');
    }
    return text.toString();
  }

  /// `1 turn`, `2 turns`, `1,000 turns`.
  public static String count(long number, String noun) {
    return number(number) + " " + noun + (number == 1 ? "" : "s");
  }

  /// `2026-11-27 22:48`.
  public static String minute(Instant at, ZoneId zone) {
    return time(at, zone).substring(0, "2026-11-27 22:48".length());
  }

  /// `2026-11-27 22:48:03`.
  public static String time(Instant at, ZoneId zone) {
    LocalDateTime local = LocalDateTime.ofInstant(at, zone);
    return four(local.getYear())
        + "-"
        + two(local.getMonthValue())
        + "-"
        + two(local.getDayOfMonth())
        + " "
        + two(local.getHour())
        + ":"
        + two(local.getMinute())
        + ":"
        + two(local.getSecond());
  }

  private static String four(int year) {
    String digits = Integer.toString(year);
    return "0".repeat(Math.max(0, 4 - digits.length())) + digits;
  }

  private static String two(int value) {
    return value < 10 ? "0" + value : "" + value;
  }

  /// `just now`, `5 minutes ago`, `3 days ago`; `in the future` when the clocks disagree.
  public static String age(Instant at, Instant now) {
    Duration age = Duration.between(at, now);
    long seconds = age.toSeconds();
    if (seconds < -60) {
      return "in the future";
    }
    if (seconds < 10) {
      return "just now";
    }
    if (seconds < 60) {
      return count(seconds, "second") + " ago";
    }
    if (seconds < 3600) {
      return count(age.toMinutes(), "minute") + " ago";
    }
    if (seconds < 86_400) {
      return count(age.toHours(), "hour") + " ago";
    }
    long days = age.toDays();
    if (days < 60) {
      return count(days, "day") + " ago";
    }
    return days < 730 ? count(days / 30, "month") + " ago" : count(days / 365, "year") + " ago";
  }

  /// The progress of some work in whole percent.
  public static String percent(long done, long total) {
    return total <= 0 ? "0 %" : 100 * Math.min(done, total) / total + " %";
  }
}
