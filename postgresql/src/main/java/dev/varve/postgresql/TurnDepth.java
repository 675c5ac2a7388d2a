// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalInt;

/// The depth of a turn, which is also the proof that there is such a turn.
final class TurnDepth {

  private TurnDepth() {}

  /// The depth of a turn; empty if there is no such turn.
  static OptionalInt find(Connection connection, long turn) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT depth FROM turn WHERE id = ?")) {
      statement.setLong(1, turn);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? OptionalInt.of(row.getInt(1)) : OptionalInt.empty();
      }
    }
  }
}
