// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.rows;

import java.sql.SQLException;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// The rows from which a database without sessions is made again: the definitions of the tables,
/// and the migrations that were made.
public final class SchemaRows {

  private static final Pattern MIGRATIONS =
      Pattern.compile(".*migrations?|schema_version|goose_db_version");

  private SchemaRows() {}

  /// Says whether a table lists the migrations that were made.
  static boolean isOfMigrations(String table) {
    return MIGRATIONS.matcher(table).matches();
  }

  /// Hands over the rows, the definitions first.
  public static void each(SessionDatabase database, Consumer<DatabaseRow> each)
      throws SQLException {
    database.each(
        "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE"
            + " 'sqlite\\_%' ESCAPE '\\' ORDER BY type = 'table' DESC, name",
        "sqlite_master", each);
    for (String table : database.tables().keySet()) {
      if (isOfMigrations(table)) {
        database.each("SELECT * FROM \"" + table + "\" ORDER BY rowid", table, each);
      }
    }
  }
}
