// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DatabaseErrorsTest {

  private static final String ADDRESS = "postgresql://localhost/team";

  /// The error as the pool passes it on.
  private static SQLException pooled(SQLException e) {
    return new SQLTransientConnectionException(
        "varve - Connection is not available", e.getSQLState(), e);
  }

  private static String refusal(SQLException e) {
    return String.valueOf(DatabaseErrors.refusal(ADDRESS, e).getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "28P01, false, the server refuses the user or the password",
    "28000, false, the server refuses the user or the password",
    "08004, false, 'the server refuses the connection without a password, or of this kind'",
    "3D000, false, the server has no database of this name",
    "53300, true, does not answer: the server has no connection left",
    "57P01, true, does not answer: the server was stopped",
    "57P03, true, does not answer: the server is starting or stopping",
    "XX001, false, the database says: DRIVER WORDS",
  })
  void aUsualErrorIsToldInOurWordsAndRepeatedOnlyWhereThatHelps(
      String state, boolean passing, String sentence) {
    SQLException e = new SQLException("DRIVER WORDS\n  Position: 7", state);

    assertThat(refusal(e)).isEqualTo(ADDRESS + ": " + sentence);
    assertThat(refusal(pooled(e))).isEqualTo(ADDRESS + ": " + sentence);
    assertThat(DatabaseErrors.isPassing(e)).isEqualTo(passing);
    assertThat(DatabaseErrors.isPassing(pooled(e))).isEqualTo(passing);
  }

  private static String silent(IOException cause) {
    return refusal(pooled(new SQLException("DRIVER WORDS", "08001", cause)));
  }

  @Test
  void aServerThatIsNotHeardOfIsToldWithTheReason() {
    String start = ADDRESS + ": does not answer: ";

    assertThat(silent(new ConnectException()))
        .isEqualTo(start + "nothing accepts connections there");
    assertThat(silent(new NoRouteToHostException())).isEqualTo(start + "no way leads to the host");
    assertThat(silent(new UnknownHostException("x"))).isEqualTo(start + "no host has this name");
    assertThat(silent(new SocketTimeoutException())).isEqualTo(start + "nothing was heard in time");
    assertThat(silent(new EOFException())).isEqualTo(start + "the connection ended");
    assertThat(silent(new IOException("x"))).isEqualTo(start + "DRIVER WORDS");
  }

  @Test
  void aPoolWithoutAFreeConnectionIsAskedAgain() {
    assertThat(DatabaseErrors.isPassing(new SQLTransientConnectionException("none is free")))
        .isTrue();
  }
}
