// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.rows;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.hash.Blake3;
import dev.varve.history.PlannedFile.State;
import dev.varve.history.RowTarget;
import dev.varve.imports.LineReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteErrorCode;

/// Puts the rows of sessions back into the database of an agent, all or none.
public final class RowInsertion implements RowTarget {

  private static final int LINE_BYTES_MAX = 1 << 30;

  /// The slot of the rows from which a database is made.
  public static final String SCHEMA = "schema";

  /// The slot of the rows of a project, which its sessions share.
  public static final String PROJECT = "project";

  /// The statements that are executed as they were archived: no other leaves data alone.
  private static final Pattern DEFINITION =
      Pattern.compile(
          "(?is)CREATE\\s+(?:(?:VIRTUAL\\s+)?TABLE|(?:UNIQUE\\s+)?INDEX|TRIGGER|VIEW)\\s.*");

  /// Writes the rows of a part of a session that a database has now.
  @FunctionalInterface
  public interface PartRows {
    void write(Path database, String slot, String session, OutputStream out) throws IOException;
  }

  private final String agent;
  private final Set<String> secret;
  private final PartRows parts;

  /// @param agent the agent's name for people
  /// @param secret the tables whose rows are left out of a backup: they let their reader act for
  ///   the user
  public RowInsertion(String agent, Set<String> secret, PartRows parts) {
    this.agent = agent;
    this.secret = Set.copyOf(secret);
    this.parts = parts;
  }

  @Override
  public State state(Path database, String slot, String session, Rows rows) throws IOException {
    if (!Files.exists(database)) {
      return State.FREE;
    }
    if (slot.equals(SCHEMA)) {
      return State.SAME; // the database has its own
    }
    Blake3 there = new Blake3();
    long[] size = {0};
    if (slot.equals(PROJECT)) {
      return State.FREE; // written where it is missing
    }
    parts.write(
        database,
        slot,
        session,
        new OutputStream() {
          @Override
          public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
          }

          @Override
          public void write(byte[] bytes, int offset, int length) {
            there.update(bytes, offset, length);
            size[0] += length;
          }
        });
    if (size[0] == 0) {
      return State.FREE;
    }
    return there.digest().equals(hash(rows)) ? State.SAME : State.TAKEN;
  }

  private static BlobHash hash(Rows rows) throws IOException {
    Blake3 hasher = new Blake3();
    try (InputStream in = rows.open()) {
      byte[] bytes = new byte[1 << 16];
      for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
        hasher.update(bytes, 0, read);
      }
    }
    return hasher.digest();
  }

  @Override
  public void write(Path database, List<Rows> rowsOfParts, Backup backup) throws IOException {
    boolean made = !Files.exists(database);
    if (made) {
      Path folder = database.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
    }
    try (Connection connection = connect(database, made)) {
      if (!made) {
        try (Statement statement = connection.createStatement()) {
          backUp(statement, backup);
        }
      }
      connection.setAutoCommit(false);
      for (Rows rows : rowsOfParts) {
        write(connection, rows);
      }
      connection.commit();
    } catch (SQLException e) {
      boolean busy = e.getErrorCode() == SQLiteErrorCode.SQLITE_BUSY.code;
      throw new StoreException.Conflict(
          database.toString(),
          busy ? "a database that no program has open" : "room for the rows",
          busy ? "one in use: stop " + agent + " first" : String.valueOf(e.getMessage()));
    }
  }

  /// Opens the database for nobody else: fails at the first statement if a program has it open.
  private static Connection connect(Path database, boolean made) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setLockingMode(SQLiteConfig.LockingMode.EXCLUSIVE);
    if (made) {
      config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    }
    config.setBusyTimeout(500);
    SQLiteDataSource source = new SQLiteDataSource(config);
    source.setUrl("jdbc:sqlite:" + database.toAbsolutePath());
    return source.getConnection();
  }

  private void backUp(Statement statement, Backup backup) throws SQLException, IOException {
    Path folder = Files.createTempDirectory("varve-backup");
    Path copy = folder.resolve("copy.db");
    try {
      statement.execute("BEGIN EXCLUSIVE");
      statement.execute("COMMIT");
      statement.execute("VACUUM INTO '" + copy.toString().replace("'", "''") + "'");
      SQLiteDataSource source = new SQLiteDataSource();
      source.setUrl("jdbc:sqlite:" + copy);
      try (Connection copied = source.getConnection();
          Statement clean = copied.createStatement()) {
        clean.execute("PRAGMA secure_delete = ON");
        for (String table : secret) {
          try (ResultSet found =
              clean.executeQuery("SELECT 1 FROM sqlite_master WHERE name = '" + table + "'")) {
            if (!found.next()) {
              continue;
            }
          }
          clean.execute("DELETE FROM " + table);
        }
        clean.execute("VACUUM");
      }
      try (InputStream in = Files.newInputStream(copy)) {
        backup.take(in);
      }
    } finally {
      Files.deleteIfExists(copy);
      Files.deleteIfExists(folder);
    }
  }

  private static void write(Connection connection, Rows rows) throws SQLException, IOException {
    try (LineReader lines =
        new LineReader(rows.open(), Long.MAX_VALUE, LINE_BYTES_MAX, -1, _ -> {})) {
      while (lines.next()) {
        write(
            connection,
            RowLine.decode(Arrays.copyOfRange(lines.buffer(), lines.from(), lines.to())));
      }
    }
  }

  private static void write(Connection connection, DatabaseRow row) throws SQLException {
    if (row.table().equals("sqlite_master")) {
      String definition = row.text("sql");
      if (!DEFINITION.matcher(definition).matches()) {
        throw new StoreException.Invalid("rows", "expected the definition of a table");
      }
      try (Statement statement = connection.createStatement()) {
        statement.execute(definition);
      }
      return;
    }
    boolean shared = row.table().startsWith("project");
    String names =
        row.columns().keySet().stream().map(RowInsertion::quoted).collect(Collectors.joining(", "));
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
