// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import dev.varve.ContextHold;
import dev.varve.ContextHolds;
import dev.varve.ContextId;
import dev.varve.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The table `hold`.
final class HoldRows implements ContextHolds {

  private static final String PLACE =
      """
      INSERT INTO hold (context, since_ms, until_ms, reason) VALUES (?, ?, ?, ?)
      ON CONFLICT (context) DO UPDATE SET since_ms = EXCLUDED.since_ms,
        until_ms = EXCLUDED.until_ms, reason = EXCLUDED.reason
      """;

  private final DatabaseSessions sessions;
  private final InstantSource clock;

  HoldRows(DatabaseSessions sessions, InstantSource clock) {
    this.sessions = sessions;
    this.clock = clock;
  }

  @Override
  public ContextHold hold(ContextId context, @Nullable Instant until, String reason) {
    ContextHold hold = ContextHold.placed(context, clock.instant(), until, reason);
    return sessions.askToWrite(
        (connection, _) -> {
          ContextTable.head(connection, context);
          place(connection, hold);
          int count = all(connection).size();
          if (count > HOLDS_MAX) {
            throw new StoreException.TooLarge("holds", count, HOLDS_MAX);
          }
          return hold;
        });
  }

  private static void place(Connection connection, ContextHold hold) throws SQLException {
    Instant until = hold.until();
    try (PreparedStatement statement = connection.prepareStatement(PLACE)) {
      statement.setLong(1, hold.context().value());
      statement.setLong(2, hold.since().toEpochMilli());
      if (until == null) {
        statement.setNull(3, Types.BIGINT);
      } else {
        statement.setLong(3, until.toEpochMilli());
      }
      statement.setString(4, hold.reason());
      statement.executeUpdate();
    }
  }

  @Override
  public Optional<ContextHold> release(ContextId context) {
    ContextHold[] released = new ContextHold[1]; // a repetition finds none any more
    return sessions.askToWrite(
        (connection, repeated) -> {
          ContextTable.head(connection, context);
          for (ContextHold hold : all(connection)) {
            if (hold.context().equals(context)) {
              released[0] = hold;
            }
          }
          try (PreparedStatement statement =
              connection.prepareStatement("DELETE FROM hold WHERE context = ?")) {
            statement.setLong(1, context.value());
            int deleted = statement.executeUpdate();
            return deleted == 0 && !repeated ? Optional.empty() : Optional.ofNullable(released[0]);
          }
        });
  }

  @Override
  public List<ContextHold> all() {
    return sessions.ask((connection, _) -> all(connection));
  }

  /// The holds that last now.
  List<ContextHold> lasting(Connection connection) throws SQLException {
    Instant now = clock.instant();
    return all(connection).stream().filter(hold -> hold.lastsAt(now)).toList();
  }

  private static List<ContextHold> all(Connection connection) throws SQLException {
    List<ContextHold> holds = new ArrayList<>();
    try (PreparedStatement statement =
            connection.prepareStatement(
                "SELECT context, since_ms, until_ms, reason FROM hold ORDER BY context");
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        long untilUnixMs = row.getLong(3);
        Instant until = row.wasNull() ? null : Instant.ofEpochMilli(untilUnixMs);
        holds.add(
            new ContextHold(
                new ContextId(row.getLong(1)),
                Instant.ofEpochMilli(row.getLong(2)),
                until,
                row.getString(4)));
      }
    }
    return holds;
  }
}
