// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.opencode;

import dev.varve.history.RecordValue;
import dev.varve.history.rows.DatabaseRow;
import dev.varve.history.rows.RowLines;
import dev.varve.history.rows.SchemaRows;
import dev.varve.history.rows.SessionDatabase;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// Writes the rows of a session as lines, always in the same order.
///
/// No table without sessions is read, but for the project and the list of migrations: the tables of
/// accounts and credentials hold secrets.
final class RowDump {

  /// A part of the rows, which is a file of the session of its own.
  enum Part {
    /// The session, its messages, and the events of what was taken out of it.
    CONVERSATION,
    /// All other events: the log grows at its end, and stays as it was otherwise.
    EVENTS,
    /// The session's project, which other sessions share.
    PROJECT,
    /// The tables' definitions, and the migrations that were made.
    SCHEMA
  }

  /// The secret of a shared session lets its holder change what is shared.
  private static final Set<String> SECRET = Set.of("session_share");

  /// The tables of which rows belong to a session that no column `session_id` names.
  private static final Set<String> WITHOUT_SESSION =
      Set.of("session", "part", "event", "event_sequence", "project", "project_directory");

  private static final Set<String> FIRST = Set.of("session", "message", "part");
  private static final String EVENT = "event";

  private final SessionDatabase database;
  private final Map<String, List<String>> tables;
  private final String session;
  private final Consumer<DatabaseRow> line;
  private final Set<String> removed = new HashSet<>();

  private RowDump(SessionDatabase database, String session, Consumer<DatabaseRow> line)
      throws SQLException {
    this.database = database;
    this.tables = database.tables();
    this.session = session;
    this.line = line;
  }

  /// Says whether a table has rows of sessions, or of their projects.
  static boolean isWritten(String table, List<String> columns) {
    return WITHOUT_SESSION.contains(table)
        || !SECRET.contains(table) && columns.contains("session_id");
  }

  /// Writes a part of a session's rows.
  static void write(Path file, Part part, String session, OutputStream out) throws IOException {
    RowLines.write(
        file,
        out,
        (database, line) -> {
          RowDump dump = new RowDump(database, session, line);
          switch (part) {
            case CONVERSATION -> dump.conversation();
            case EVENTS -> dump.events();
            case PROJECT -> dump.project();
            case SCHEMA -> SchemaRows.each(database, line);
          }
        });
  }

  private void conversation() throws SQLException {
    rows("SELECT * FROM session WHERE id = ?", "session", session);
    List<String> messages = new ArrayList<>();
    database.each(
        "SELECT id FROM message WHERE session_id = ? ORDER BY id",
        "message",
        row -> messages.add(row.text("id")),
        session);
    for (String message : messages) {
      rows("SELECT * FROM message WHERE id = ?", "message", message);
      rows("SELECT * FROM part WHERE message_id = ? ORDER BY id", "part", message);
    }
    if (has("part", "session_id")) {
      rows(
          "SELECT * FROM part WHERE session_id = ?1 AND message_id NOT IN"
              + " (SELECT id FROM message WHERE session_id = ?1) ORDER BY id",
          "part",
          session);
    }
    findRemoved();
    if (!removed.isEmpty()) {
      eachEvent(true);
    }
    for (String table : tables.keySet()) {
      if (!FIRST.contains(table) && !SECRET.contains(table) && has(table, "session_id")) {
        rows("SELECT * FROM \"" + table + "\" WHERE session_id = ? ORDER BY rowid", table, session);
      }
    }
  }

  private void events() throws SQLException {
    findRemoved();
    eachEvent(false);
    if (has("event_sequence", "aggregate_id")) {
      rows("SELECT * FROM event_sequence WHERE aggregate_id = ?", "event_sequence", session);
    }
  }

  /// The ids of messages and parts that the log removed and that are not there now.
  private void findRemoved() throws SQLException {
    if (!has(EVENT, "aggregate_id")) {
      return;
    }
    database.each(
        "SELECT data FROM event WHERE aggregate_id = ? AND type LIKE 'message.%removed%'",
        EVENT,
        row ->
            value(row)
                .ifPresent(
                    data -> {
                      String part = data.text("partID");
                      removed.add(part.isEmpty() ? data.text("messageID") : part);
                    }),
        session);
    if (!removed.isEmpty()) {
      for (String table : List.of("message", "part")) {
        database.each(
            "SELECT id FROM " + table + " WHERE session_id = ?",
            table,
            row -> removed.remove(row.text("id")),
            session);
      }
    }
  }

  private static Optional<RecordValue> value(DatabaseRow row) {
    return RecordValue.object(row.text("data").getBytes(StandardCharsets.UTF_8));
  }

  private void eachEvent(boolean ofRemoved) throws SQLException {
    if (has(EVENT, "aggregate_id")) {
      database.each(
          "SELECT * FROM event WHERE aggregate_id = ? ORDER BY seq",
          EVENT,
          row -> {
            if (isOfRemoved(row) == ofRemoved) {
              line.accept(row);
            }
          },
          session);
    }
  }

  private boolean isOfRemoved(DatabaseRow event) {
    return !removed.isEmpty()
        && value(event)
            .filter(
                data ->
                    removed.contains(data.get("info").text("id"))
                        || removed.contains(data.get("part").text("id"))
                        || removed.contains(data.get("part").text("messageID"))
                        || removed.contains(data.text("messageID"))
                        || removed.contains(data.text("partID")))
            .isPresent();
  }

  private void project() throws SQLException {
    if (has("session", "project_id") && has("project", "id")) {
      String own = " = (SELECT project_id FROM session WHERE id = ?)";
      rows("SELECT * FROM project WHERE id" + own, "project", session);
      if (has("project_directory", "project_id")) {
        String query = "SELECT * FROM project_directory WHERE project_id" + own + " ORDER BY rowid";
        rows(query, "project_directory", session);
      }
    }
  }

  private boolean has(String table, String column) {
    return tables.getOrDefault(table, List.of()).contains(column);
  }

  private void rows(String query, String table, String... parameters) throws SQLException {
    database.each(query, table, line, parameters);
  }
}
