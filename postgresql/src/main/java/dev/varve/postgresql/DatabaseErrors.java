// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import dev.varve.StoreException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Objects;

/// The meaning of the errors of a database, by their SQLSTATE (PostgreSQL's manual, appendix A).
final class DatabaseErrors {

  private DatabaseErrors() {}

  /// Returns whether the same statement may succeed a moment later: the connection or the server
  /// ended, or another transaction was in the way.
  static boolean isPassing(SQLException e) {
    String state = Objects.requireNonNullElse(e.getSQLState(), "");
    return switch (state) {
      case "40001", "40P01", "55P03", "57P01", "57P02", "57P03", "53300", "25006" -> true;
      default -> state.startsWith("08") || e instanceof SQLTransientConnectionException;
    };
  }

  /// The refusal for an error that did not pass.
  ///
  /// @param address of the store, for people
  static StoreException refusal(String address, SQLException e) {
    String state = Objects.requireNonNullElse(e.getSQLState(), "");
    String said = firstLine(e);
    return switch (state) {
      case "53100", "53000", "53200" -> new StoreException.Full(address, e);
      case "42P01", "3F000", "42883" ->
          new StoreException.NoStore(address, "the schema has no tables of a store", true);
      default ->
          isPassing(e)
              ? new StoreException.Io(address, "does not answer: " + said, e)
              : new StoreException.Io(address, said, e);
    };
  }

  private static String firstLine(SQLException e) {
    Throwable cause = e;
    while (cause.getCause() != null && cause instanceof SQLTransientConnectionException) {
      cause = cause.getCause(); // the pool's words hide the driver's
    }
    return String.valueOf(cause.getMessage()).lines().findFirst().orElse("").strip();
  }
}
