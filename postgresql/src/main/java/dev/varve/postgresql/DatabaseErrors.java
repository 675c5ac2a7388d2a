// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import dev.varve.ErasedBlob.Cause;
import dev.varve.StoreException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Instant;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The meaning of the errors of a database, by their SQLSTATE (PostgreSQL's manual, appendix A).
final class DatabaseErrors {

  /// The error of `refuse_erased` in `functions.sql`, and its words.
  private static final String ERASED = "VE001";

  private static final Pattern ERASED_WORDS =
      Pattern.compile("erased ([0-9a-f]{64}) ([0-9]{1,4}) ([0-9]{1,18})");

  private DatabaseErrors() {}

  /// Returns whether the same statement may succeed a moment later: the connection or the server
  /// ended, or another transaction was in the way.
  static boolean isPassing(SQLException e) {
    String state = Objects.requireNonNullElse(e.getSQLState(), "");
    return switch (state) {
      case "40001", "40P01", "57P01", "57P02", "57P03", "53300", "25006" -> true;
      default -> state.startsWith("08") || e instanceof SQLTransientConnectionException;
    };
  }

  /// Returns whether a write was turned away because an erasure has the store alone.
  static boolean isErasureUnderWay(SQLException e) {
    return "55P03".equals(e.getSQLState());
  }

  /// The refusal for an error that did not pass.
  ///
  /// @param address of the store, for people
  static StoreException refusal(String address, SQLException e) {
    String state = Objects.requireNonNullElse(e.getSQLState(), "");
    String said = firstLine(e);
    return switch (state) {
      case ERASED -> erased(said);
      case "53100", "53000", "53200" -> new StoreException.Full(address, e);
      case "42P01", "3F000", "42883" ->
          new StoreException.NoStore(address, "the schema has no tables of a store", true);
      default ->
          isPassing(e)
              ? new StoreException.Io(address, "does not answer: " + said, e)
              : new StoreException.Io(address, said, e);
    };
  }

  private static StoreException erased(String said) {
    Matcher words = ERASED_WORDS.matcher(said);
    if (!words.find()) {
      throw new AssertionError(said);
    }
    return new StoreException.Erased(
        words.group(1),
        Cause.of(Integer.parseInt(words.group(2))).map(Cause::word).orElse("erased"),
        Instant.ofEpochMilli(Long.parseLong(words.group(3))).toString());
  }

  private static String firstLine(SQLException e) {
    Throwable cause = e;
    while (cause.getCause() != null && cause instanceof SQLTransientConnectionException) {
      cause = cause.getCause(); // the pool's words hide the driver's
    }
    return String.valueOf(cause.getMessage()).lines().findFirst().orElse("").strip();
  }
}
