// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import dev.varve.ErasedBlob.Cause;
import dev.varve.StoreException;
import java.io.EOFException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
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

  /// The driver's state for a server that asks for a password, or for another way to log in.
  private static final String REJECTED = "08004";

  private static final Pattern ERASED_WORDS =
      Pattern.compile("erased ([0-9a-f]{64}) ([0-9]{1,4}) ([0-9]{1,18})");

  private DatabaseErrors() {}

  /// Returns whether the same statement may succeed a moment later: the connection or the server
  /// ended, or another transaction was in the way. A server that refuses the user does so again.
  static boolean isPassing(SQLException e) {
    return switch (underPool(e)) {
      case SQLTransientConnectionException _ -> true;
      case SQLException own -> {
        String state = state(own);
        yield switch (state) {
          case "40001", "40P01", "57P01", "57P02", "57P03", "53300", "25006" -> true;
          case REJECTED -> false;
          default -> state.startsWith("08");
        };
      }
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
    SQLException own = underPool(e);
    return switch (state(own)) {
      case ERASED -> erased(said(own));
      case "53100", "53000", "53200" -> new StoreException.Full(address, e);
      case "42P01", "3F000", "42883" ->
          new StoreException.NoStore(address, "the schema has no tables of a store", true);
      default -> new StoreException.Io(address, sentence(own), e);
    };
  }

  /// The error in Varve's words, where it is a usual one. The driver's words are in the language of
  /// the server or of the driver; they are given where they name what no state names.
  private static String sentence(SQLException e) {
    return switch (state(e)) {
      case "28000", "28P01" -> "the server refuses the user or the password";
      case REJECTED -> "the server refuses the connection without a password, or of this kind";
      case "3D000" -> "the server has no database of this name";
      case "53300" -> "does not answer: the server has no connection left";
      case "57P01", "57P02" -> "does not answer: the server was stopped";
      case "57P03" -> "does not answer: the server is starting or stopping";
      default -> isPassing(e) ? "does not answer: " + silence(e) : "the database says: " + said(e);
    };
  }

  /// The reason why nothing is heard of the server.
  private static String silence(SQLException e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return switch (root) {
      case UnknownHostException _ -> "no host has this name";
      case SocketTimeoutException _ -> "nothing was heard in time";
      case NoRouteToHostException _ -> "no way leads to the host";
      case ConnectException _ -> "nothing accepts connections there";
      case EOFException _ -> "the connection ended";
      default -> said(e);
    };
  }

  private static String state(SQLException e) {
    return Objects.requireNonNullElse(e.getSQLState(), "");
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

  /// The error under the pool's, which only says that the pool has no connection.
  private static SQLException underPool(SQLException e) {
    SQLException own = e;
    while (own instanceof SQLTransientConnectionException
        && own.getCause() instanceof SQLException cause) {
      own = cause;
    }
    return own;
  }

  private static String said(SQLException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("").strip();
  }
}
