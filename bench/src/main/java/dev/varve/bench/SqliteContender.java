// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import dev.varve.hash.Blake3;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/// SQLite in WAL mode with `synchronous=FULL`: three tables, an append as one transaction. It has
/// one writer at a time, so callers take turns.
final class SqliteContender implements StoreContender {

  private final Connection connection;
  private final PreparedStatement blob;
  private final PreparedStatement turn;
  private final PreparedStatement head;
  private final long[] heads;
  private long nextTurn = 1;

  SqliteContender(Path folder, int callers) throws SQLException {
    heads = new long[callers];
    connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("db"));
    try (Statement setup = connection.createStatement()) {
      setup.execute("PRAGMA journal_mode=WAL");
      setup.execute("PRAGMA synchronous=FULL");
      setup.execute("CREATE TABLE blob (hash BLOB PRIMARY KEY, bytes BLOB) WITHOUT ROWID");
      setup.execute("CREATE TABLE turn (id INTEGER PRIMARY KEY, parent INTEGER, hash BLOB)");
      setup.execute("CREATE TABLE head (context INTEGER PRIMARY KEY, turn INTEGER)");
    }
    connection.setAutoCommit(false);
    blob = connection.prepareStatement("INSERT OR IGNORE INTO blob VALUES (?, ?)");
    turn = connection.prepareStatement("INSERT INTO turn VALUES (?, ?, ?)");
    head = connection.prepareStatement("INSERT OR REPLACE INTO head VALUES (?, ?)");
  }

  @Override
  public void append(int caller, byte[] payload) throws SQLException {
    byte[] hash = Blake3.hash(payload).bytes();
    synchronized (this) {
      long id = nextTurn++;
      blob.setBytes(1, hash);
      blob.setBytes(2, payload);
      blob.executeUpdate();
      turn.setLong(1, id);
      turn.setLong(2, heads[caller]);
      turn.setBytes(3, hash);
      turn.executeUpdate();
      head.setLong(1, caller);
      head.setLong(2, id);
      head.executeUpdate();
      connection.commit();
      heads[caller] = id;
    }
  }

  @Override
  public long turns() throws SQLException {
    try (Statement count = connection.createStatement();
        ResultSet rows = count.executeQuery("SELECT count(*) FROM turn")) {
      rows.next();
      return rows.getLong(1);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }
}
