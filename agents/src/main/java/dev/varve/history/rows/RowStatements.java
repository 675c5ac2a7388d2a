// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.rows;

import dev.varve.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Executes the statements that write archived rows into a database.
///
/// An archived line may come from anybody, so a line decides nothing but values: the names of the
/// table and of its columns are those that the database has, and a definition is executed in a
/// database that is being made only.
final class RowStatements {

  /// The statements that are executed as they were archived: no other leaves data alone.
  private static final Pattern DEFINITION =
      Pattern.compile(
          "(?is)CREATE\\s+(?:(?:VIRTUAL\\s+)?TABLE|(?:UNIQUE\\s+)?INDEX|TRIGGER|VIEW)\\s.*");

  private final Connection connection;
  private final boolean made;
  private final BiPredicate<String, List<String>> tables;

  /// The columns of the tables that were written to, by the tables' names.
  private final Map<String, List<String>> columns = new HashMap<>();

  /// @param made whether the database is being made
  /// @param tables says whether a table, by its name and columns, has rows of sessions
  RowStatements(Connection connection, boolean made, BiPredicate<String, List<String>> tables) {
    this.connection = connection;
    this.made = made;
    this.tables = tables;
  }

  /// Writes a row.
  ///
  /// @throws StoreException.Invalid if the row is none of a session
  void write(DatabaseRow row) throws SQLException {
    if (row.table().equals("sqlite_master")) {
      define(row.text("sql"));
    } else {
      insert(row);
    }
  }

  private void define(String definition) throws SQLException {
    if (!made || !DEFINITION.matcher(definition).matches()) {
      throw new StoreException.Invalid("rows", "expected the definition of a table");
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(definition);
    }
  }

  private void insert(DatabaseRow row) throws SQLException {
    demandKnown(row);
    boolean shared = row.table().startsWith("project");
    String names =
        row.columns().keySet().stream()
            .map(RowStatements::quoted)
            .collect(Collectors.joining(", "));
    String values = row.columns().keySet().stream().map(_ -> "?").collect(Collectors.joining(", "));
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT "
                + (shared ? "OR IGNORE " : "")
                + "INTO "
                + quoted(row.table())
                + " ("
                + names
                + ") VALUES ("
                + values
                + ")")) {
      int i = 1;
      for (Map.Entry<String, @Nullable Object> column : row.columns().entrySet()) {
        set(insert, i++, column.getValue());
      }
      int _ = insert.executeUpdate();
    }
  }

  private void demandKnown(DatabaseRow row) throws SQLException {
    List<String> known = columns.get(row.table());
    if (known == null) {
      known = columnsOf(row.table());
      columns.put(row.table(), known);
    }
    boolean expected = made && SchemaRows.isOfMigrations(row.table());
    if (!expected && !tables.test(row.table(), known)) {
      throw new StoreException.Invalid(
          "rows", "expected a row of a session, found one of the table '" + row.table() + "'");
    }
    for (String column : row.columns().keySet()) {
      if (!known.contains(column)) {
        throw new StoreException.Invalid(
            "rows",
            "expected a column that the table '" + row.table() + "' has, found '" + column + "'");
      }
    }
  }

  private List<String> columnsOf(String table) throws SQLException {
    List<String> found = new ArrayList<>();
    try (PreparedStatement query =
        connection.prepareStatement("SELECT name FROM pragma_table_xinfo(?)")) {
      query.setString(1, table);
      try (ResultSet names = query.executeQuery()) {
        while (names.next()) {
          found.add(names.getString(1));
        }
      }
    }
    return found;
  }

  private static void set(PreparedStatement insert, int i, @Nullable Object value)
      throws SQLException {
    switch (value) {
      case null -> insert.setObject(i, null);
      case Long number -> insert.setLong(i, number);
      case Double real -> insert.setDouble(i, real);
      case String text -> insert.setString(i, text);
      case DatabaseRow.RawText _ ->
          throw new SQLException("a text that is no UTF-8 cannot be written");
      default -> insert.setObject(i, value);
    }
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}
