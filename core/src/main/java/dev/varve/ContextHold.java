// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A protection of a context from erasures: as long as the hold lasts, nothing goes that the
/// context needs.
///
/// @param since when the hold was placed
/// @param until when the hold ends; null for a hold that lasts until the hold is released
/// @param reason one line for people, at most [#REASON_BYTES_MAX] bytes in UTF-8; may be empty
public record ContextHold(
    ContextId context, Instant since, @Nullable Instant until, String reason) {

  public static final int REASON_BYTES_MAX = 200;

  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");

  /// @throws StoreException.Invalid if the reason is too long or more than a line, or the end is
  ///   after the year 9999
  public ContextHold {
    int bytes = reason.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > REASON_BYTES_MAX || reason.chars().anyMatch(Character::isISOControl)) {
      throw new StoreException.Invalid(
          "reason of a hold",
          "expected one line of at most " + REASON_BYTES_MAX + " bytes, found " + bytes);
    }
    if (until != null && (until.isAfter(LATEST) || until.isBefore(Instant.EPOCH))) {
      throw new StoreException.Invalid(
          "end of a hold", "expected a time from 1970 to 9999, found " + until);
    }
  }

  /// A hold that is placed now, its times in whole milliseconds.
  ///
  /// @throws StoreException.Invalid if `until` is not in the future, or the reason is too long
  public static ContextHold placed(
      ContextId context, Instant now, @Nullable Instant until, String reason) {
    ContextHold hold =
        new ContextHold(context, inMillis(now), until == null ? null : inMillis(until), reason);
    if (!hold.lastsAt(now)) {
      throw new StoreException.Invalid(
          "end of a hold", "expected a time in the future, found " + until);
    }
    return hold;
  }

  private static Instant inMillis(Instant time) {
    return Instant.ofEpochMilli(time.toEpochMilli());
  }

  /// Returns whether the hold lasts at a moment.
  public boolean lastsAt(Instant now) {
    return until == null || now.isBefore(until);
  }

  /// The hold in words: `context 3, held until 2027-01-01T00:00:00Z (audit)`.
  public String words() {
    return "context "
        + context
        + ", held"
        + (until == null ? "" : " until " + until)
        + (reason.isEmpty() ? "" : " (" + reason + ")");
  }
}
