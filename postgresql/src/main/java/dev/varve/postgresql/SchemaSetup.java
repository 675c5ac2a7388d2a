// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import dev.varve.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

/// The schema of a store: made once, and looked at whenever a store is opened.
final class SchemaSetup {

  private static final System.Logger LOG = System.getLogger(SchemaSetup.class.getPackageName());

  /// The format that this version writes and reads.
  static final int FORMAT = 3;

  private final PostgresAddress address;
  private final DatabaseSessions sessions;

  SchemaSetup(PostgresAddress address, DatabaseSessions sessions) {
    this.address = address;
    this.sessions = sessions;
  }

  /// Makes the tables unless they are there, and brings those of an earlier format up to this one.
  /// Of several programs that do so at once, one does.
  ///
  /// @param makes whether tables are made where there are none
  void prepare(boolean makes) {
    if (sessions.ask((connection, _) -> hasTables(connection) && format(connection) >= FORMAT)) {
      return;
    }
    sessions.askTogether(
        (connection, _) -> {
          try (PreparedStatement lock =
              connection.prepareStatement("SELECT pg_advisory_xact_lock(hashtext(?))")) {
            lock.setString(1, "varve " + address.schema());
            lock.execute();
          }
          if (!hasTables(connection)) {
            if (!makes) {
              return false;
            }
            try (Statement statement = connection.createStatement()) {
              statement.execute("CREATE SCHEMA IF NOT EXISTS " + address.schema());
              run(statement, "schema.sql", "erasures.sql", "functions.sql");
            }
          } else if (format(connection) < FORMAT) {
            try (Statement statement = connection.createStatement()) {
              run(statement, "erasures.sql", "functions.sql", "upgrade.sql");
            }
          }
          return true;
        });
  }

  private static int format(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT format FROM store")) {
      return row.next() ? row.getInt(1) : FORMAT; // an empty table is refused by check
    }
  }

  private static void run(Statement statement, String... scripts) throws SQLException {
    for (String script : scripts) {
      statement.execute(script(script));
    }
  }

  private boolean hasTables(Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT 1 FROM pg_tables WHERE schemaname = ? AND tablename = 'store'")) {
      statement.setString(1, address.schema());
      return statement.executeQuery().next();
    }
  }

  /// The identity of the store.
  ///
  /// @throws StoreException.NoStore if the schema has no store
  /// @throws StoreException.FormatTooNew if a later version made the store
  UUID check() {
    return sessions.ask(
        (connection, _) -> {
          if (!hasTables(connection)) {
            throw new StoreException.NoStore(
                address.toString(), "the schema has no tables of a store", true);
          }
          warnOfLoss(connection);
          try (Statement statement = connection.createStatement();
              ResultSet row = statement.executeQuery("SELECT format, store_id FROM store")) {
            if (!row.next()) {
              throw new StoreException.Corrupt("table store", 0, "one row", "none");
            }
            int format = row.getInt(1);
            if (format > FORMAT) {
              throw new StoreException.FormatTooNew(address.toString(), format, FORMAT);
            }
            return row.getObject(2, UUID.class);
          }
        });
  }

  /// A server that forces nothing loses acknowledged data with the power, whatever is asked of it.
  private void warnOfLoss(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT current_setting('fsync'), current_setting('full_page_writes')")) {
      if (row.next() && !(row.getString(1).equals("on") && row.getString(2).equals("on"))) {
        LOG.log(
            System.Logger.Level.WARNING,
            address + ": fsync or full_page_writes is off: a power cut can lose or damage data");
      }
    }
  }

  private static String script(String name) {
    try (InputStream in = SchemaSetup.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new AssertionError(name + " is not in the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
