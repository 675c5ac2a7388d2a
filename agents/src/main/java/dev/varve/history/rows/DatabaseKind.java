// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.rows;

import dev.varve.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The agent whose database a file is, recognised by the database's tables and their columns.
public enum DatabaseKind {
  OPENCODE("opencode", "opencode", "session.id", "message.id", "part.id"),
  GOOSE("Goose", "goose", "sessions.working_dir", "messages.content_json"),
  CRUSH("crush", "crush", "sessions.title", "messages.parts", "files.version"),
  CURSOR("Cursor", "cursor", "cursorDiskKV.key", "cursorDiskKV.value"),
  KIRO("Kiro", "", "conversations_v2.conversation_id");

  private final String agent;
  private final String importer;

  /// The columns by which the database is recognised, each `table.column`, with blanks between.
  private final String columns;

  /// @param importer the word of `varve import` that takes the database; empty if none does
  DatabaseKind(String agent, String importer, String... columns) {
    this.agent = agent;
    this.importer = importer;
    this.columns = String.join(" ", columns);
  }

  private boolean has(Map<String, List<String>> tables) {
    return Arrays.stream(columns.split(" ", -1))
        .map(column -> column.split("\\.", -1))
        .allMatch(parts -> tables.getOrDefault(parts[0], List.of()).contains(parts[1]));
  }

  private static Optional<DatabaseKind> of(Map<String, List<String>> tables) {
    return Arrays.stream(values()).filter(kind -> kind.has(tables)).findFirst();
  }

  /// The kind of a database; empty if it is of another program or cannot be read.
  public static Optional<DatabaseKind> of(Path file) {
    try (SessionDatabase database = SessionDatabase.open(file)) {
      return of(database.tables());
    } catch (IOException | SQLException e) {
      return Optional.empty();
    }
  }

  /// Says whether a database is of this kind and has its tables already.
  ///
  /// @throws StoreException.Invalid if the database is of another program
  public boolean demand(Path file, Map<String, List<String>> tables) {
    if (!tables.isEmpty() && !has(tables)) {
      String found =
          of(tables).map(DatabaseKind::description).orElse("an SQLite database of another");
      throw new StoreException.Invalid(
          file.toString(), "expected a database of " + agent + ", found " + found);
    }
    return !tables.isEmpty();
  }

  private String description() {
    return "a database of "
        + agent
        + (importer.isEmpty() ? "" : " ('varve import " + importer + "')");
  }

  /// The agent's name for people.
  public String agent() {
    return agent;
  }
}
