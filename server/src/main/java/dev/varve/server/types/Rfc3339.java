// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Times as text: `2023-11-20T08:00:00+00:00`, with three digits of a fraction if there is one.
public final class Rfc3339 {

  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'+00:00'", Locale.ROOT);

  private static final DateTimeFormatter MILLISECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'+00:00'", Locale.ROOT);

  /// The greatest distance from year 0 that can be written.
  private static final int YEAR_MAX = 262_000;

  private Rfc3339() {}

  /// @return null for a time that is too far away to be written
  public static @Nullable String write(long unixMs) {
    OffsetDateTime time;
    try {
      time = Instant.ofEpochMilli(unixMs).atOffset(ZoneOffset.UTC);
    } catch (DateTimeException e) {
      return null;
    }
    if (Math.abs(time.getYear()) > YEAR_MAX) {
      return null;
    }
    return (time.getNano() == 0 ? SECONDS : MILLISECONDS).format(time);
  }

  /// Reads a time with any offset; empty if `text` is not a time.
  public static OptionalLong read(String text) {
    try {
      return OptionalLong.of(OffsetDateTime.parse(text).toInstant().toEpochMilli());
    } catch (DateTimeParseException | ArithmeticException e) {
      return OptionalLong.empty();
    }
  }
}
