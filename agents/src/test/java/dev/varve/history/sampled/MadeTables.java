// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.sampled;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/// A made-up database.
final class MadeTables {

  private MadeTables() {}

  static Path write(Path file, String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
    return file;
  }

  /// The rows of a table, in the order of all of their columns.
  static List<String> rows(Path file, String table) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery("SELECT * FROM " + table)) {
      while (found.next()) {
        StringBuilder row = new StringBuilder();
        for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
          row.append(found.getString(i)).append('|');
        }
        rows.add(row.toString());
      }
    }
    rows.sort(null);
    return rows;
  }
}
