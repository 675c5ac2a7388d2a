// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the times of records, and keeps the first and the last one.
public final class RecordTime {

  private static final long SECONDS_MAX = 100_000_000_000L;

  private @Nullable Instant first;
  private @Nullable Instant last;

  /// Takes the time of a record, as ISO 8601 spells it.
  ///
  /// @return null if the text is none
  public @Nullable Instant take(String text) {
    if (text.isEmpty()) {
      return null;
    }
    try {
      return take(Instant.parse(text));
    } catch (DateTimeException e) {
      return null;
    }
  }

  /// Takes the time of a record, in milliseconds since 1970.
  ///
  /// @return null if the number is 0
  public @Nullable Instant takeUnixMs(long ms) {
    return ms == 0 ? null : take(Instant.ofEpochMilli(ms));
  }

  /// Takes the time of a record that an agent writes in seconds or in milliseconds since 1970: a
  /// number of seconds of that size would be later than the year 5000.
  ///
  /// @return null if the number is 0
  public @Nullable Instant takeUnix(long secondsOrMs) {
    return takeUnixMs(unixMs(secondsOrMs));
  }

  /// The milliseconds since 1970 of a time that an agent writes in seconds or in milliseconds.
  public static long unixMs(long secondsOrMs) {
    return Math.abs(secondsOrMs) < SECONDS_MAX ? secondsOrMs * 1000 : secondsOrMs;
  }

  private Instant take(Instant at) {
    first = first == null || at.isBefore(first) ? at : first;
    last = last == null || at.isAfter(last) ? at : last;
    return at;
  }

  /// The state, from which [#resume] goes on.
  public List<String> state() {
    return first == null || last == null ? List.of() : List.of(first.toString(), last.toString());
  }

  /// Goes on from a state.
  public void resume(List<String> state) {
    state.forEach(this::take);
  }

  public @Nullable Instant first() {
    return first;
  }

  public @Nullable Instant last() {
    return last;
  }
}
