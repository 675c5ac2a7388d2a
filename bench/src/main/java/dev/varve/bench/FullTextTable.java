// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/// A table of SQLite's FTS5 in its best setting for the comparison: without the texts themselves
/// (`content=''`), filled in one transaction, merged to one segment at the end.
final class FullTextTable implements AutoCloseable {

  private final Connection connection;
  private final PreparedStatement insert;
  private final PreparedStatement select;

  /// @param tokenizer `unicode61` (words) or `trigram` (parts of words too)
  FullTextTable(Path file, String tokenizer) throws SQLException {
    connection = DriverManager.getConnection("jdbc:sqlite:" + file);
    try (Statement setup = connection.createStatement()) {
      setup.execute("PRAGMA journal_mode=OFF");
      setup.execute("PRAGMA synchronous=OFF");
      setup.execute(
          "CREATE VIRTUAL TABLE said USING fts5(text, content='', tokenize='" + tokenizer + "')");
    }
    connection.setAutoCommit(false);
    insert = connection.prepareStatement("INSERT INTO said(text) VALUES (?)");
    select =
        connection.prepareStatement(
            "SELECT rowid FROM said WHERE said MATCH ? ORDER BY rank LIMIT ?");
  }

  void add(String text) throws SQLException {
    insert.setString(1, text);
    insert.executeUpdate();
  }

  void finish() throws SQLException {
    try (Statement merge = connection.createStatement()) {
      merge.execute("INSERT INTO said(said) VALUES ('optimize')");
    }
    connection.commit();
  }

  /// Asks for the best rows.
  ///
  /// @param question words, a phrase in quotes, or the start of a word with `*`
  /// @return the number of rows
  int find(String question, int limit) throws SQLException {
    select.setString(1, quoted(question));
    select.setInt(2, limit);
    try (ResultSet rows = select.executeQuery()) {
      int count = 0;
      while (rows.next()) {
        rows.getLong(1);
        count++;
      }
      return count;
    }
  }

  /// The question in FTS5's words: each word in quotes, since some have points.
  private static String quoted(String question) {
    if (question.startsWith("\"")) {
      return question;
    }
    StringBuilder words = new StringBuilder();
    for (String word : question.split(" ", -1)) {
      boolean start = word.endsWith("*");
      String bare = start ? word.substring(0, word.length() - 1) : word;
      words.append('"').append(bare).append('"').append(start ? " * " : " ");
    }
    return words.toString().strip();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
