// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.opencode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/// A made-up database of opencode, which stays open like that of a running agent.
final class MadeDatabase implements AutoCloseable {

  private static final List<String> SCHEMA =
      List.of(
          "CREATE TABLE project (id text PRIMARY KEY, worktree text)",
          "CREATE TABLE session (id text PRIMARY KEY, project_id text, parent_id text, directory"
              + " text, title text, cost real, time_updated integer)",
          "CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer,"
              + " time_updated integer, data text)",
          "CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created"
              + " integer, time_updated integer, data text)",
          "CREATE TABLE event (id text PRIMARY KEY, aggregate_id text, seq integer, type text, data"
              + " text)",
          "CREATE TABLE event_sequence (aggregate_id text PRIMARY KEY, seq integer)",
          "CREATE TABLE todo (session_id text, content text)",
          "CREATE TABLE credential (id text PRIMARY KEY, value text)",
          "CREATE TABLE session_share (session_id text PRIMARY KEY, secret text)",
          "CREATE TABLE migration (id text PRIMARY KEY)");

  private final Path file;
  private final Connection connection;
  private int seq;
  private int ids;

  MadeDatabase(Path home) throws SQLException, IOException {
    Files.createDirectories(home);
    file = home.resolve("opencode.db");
    connection = connect(file);
    if (Files.size(file) == 0 || rows(connection, "sqlite_master").isEmpty()) {
      for (String table : SCHEMA) {
        sql(table);
      }
      sql("INSERT INTO migration VALUES ('m1')");
      sql("INSERT INTO project VALUES ('p1', '/src/shop')");
      sql("INSERT INTO credential VALUES ('c1', 'token-of-the-user')");
    }
  }

  private static Connection connect(Path file) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    SQLiteDataSource source = new SQLiteDataSource(config);
    source.setUrl("jdbc:sqlite:" + file);
    return source.getConnection();
  }

  Path file() {
    return file;
  }

  MadeDatabase sql(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
    return this;
  }

  MadeDatabase session(String id, String parent, String title) throws SQLException {
    sql("INSERT INTO session_share VALUES ('" + id + "', 'secret-of-the-share')");
    return sql(
        "INSERT INTO session VALUES ('"
            + id
            + "', 'p1', "
            + (parent == null ? "NULL" : "'" + parent + "'")
            + ", '/src/shop', '"
            + title
            + "', 0.1, 5)");
  }

  /// A prompt and its answer.
  MadeDatabase talk(String session, String prompt, String answer) throws SQLException {
    long at = 1000L * ++ids;
    String user = "msg_" + session + "_" + ids + "a";
    String reply = "msg_" + session + "_" + ids + "b";
    message(session, user, at, "{\"role\":\"user\",\"time\":{\"created\":" + at + "}}");
    part(session, user, "{\"type\":\"text\",\"text\":\"" + prompt + "\"}");
    message(
        session,
        reply,
        at + 1,
        "{\"parentID\":\""
            + user
            + "\",\"role\":\"assistant\",\"modelID\":\"m\",\"tokens\":{\"input\":10,"
            + "\"output\":3,\"reasoning\":1,\"cache\":{\"read\":7,\"write\":2}},\"time\":{\"created\":"
            + (at + 1)
            + ",\"completed\":"
            + (at + 2)
            + "}}");
    part(session, reply, "{\"type\":\"step-start\"}");
    return part(
        session,
        reply,
        "{\"type\":\"text\",\"text\":\"" + answer + "\",\"time\":{\"start\":1,\"end\":2}}");
  }

  MadeDatabase message(String session, String id, long at, String data) throws SQLException {
    event(
        session,
        "message.updated.1",
        "{\"sessionID\":\""
            + session
            + "\",\"info\":{\"id\":\""
            + id
            + "\",\"sessionID\":\""
            + session
            + "\","
            + data.substring(1)
            + "}");
    return sql(
        "INSERT INTO message VALUES ('"
            + id
            + "','"
            + session
            + "',"
            + at
            + ","
            + at
            + ",'"
            + data
            + "')");
  }

  MadeDatabase part(String session, String message, String data) throws SQLException {
    String id = message + "_p" + ++ids;
    event(
        session,
        "message.part.updated.1",
        "{\"sessionID\":\""
            + session
            + "\",\"part\":{\"id\":\""
            + id
            + "\",\"messageID\":\""
            + message
            + "\",\"sessionID\":\""
            + session
            + "\","
            + data.substring(1)
            + ",\"time\":1}");
    return sql(
        "INSERT INTO part VALUES ('"
            + id
            + "','"
            + message
            + "','"
            + session
            + "',1,1,'"
            + data
            + "')");
  }

  /// Takes a session back to the messages before one: the rows go, and the log tells of it.
  MadeDatabase remove(String session, String message) throws SQLException {
    event(
        session,
        "message.removed.1",
        "{\"sessionID\":\"" + session + "\",\"messageID\":\"" + message + "\"}");
    sql("DELETE FROM part WHERE message_id = '" + message + "'");
    return sql("DELETE FROM message WHERE id = '" + message + "'");
  }

  private void event(String session, String type, String data) throws SQLException {
    sql(
        "INSERT INTO event VALUES ('evt_"
            + seq
            + "','"
            + session
            + "',"
            + seq++
            + ",'"
            + type
            + "','"
            + data
            + "')");
  }

  /// All rows of a table.
  static List<String> rows(Path file, String table) throws SQLException {
    try (Connection connection = connect(file)) {
      return rows(connection, table);
    }
  }

  private static List<String> rows(Connection connection, String table) throws SQLException {
    List<String> found = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM " + table + " ORDER BY 1, 2")) {
      while (rows.next()) {
        StringBuilder row = new StringBuilder();
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          row.append(rows.getObject(i)).append('|');
        }
        found.add(row.toString());
      }
    }
    return found;
  }

  /// Ends the agent.
  void stop() throws SQLException {
    connection.close();
  }

  @Override
  public void close() throws SQLException {
    stop();
  }
}
