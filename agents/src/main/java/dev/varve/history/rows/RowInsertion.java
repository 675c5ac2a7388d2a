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
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
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

  /// Writes the rows of a part of a session that a database has now.
  @FunctionalInterface
  public interface PartRows {
    void write(Path database, String slot, String session, OutputStream out) throws IOException;
  }

  private final String agent;
  private final BiPredicate<String, List<String>> tables;
  private final Set<String> secret;
  private final PartRows parts;

  /// @param agent the agent's name for people
  /// @param tables says whether a table, by its name and columns, has rows of sessions: no other is
  ///   written to
  /// @param secret the tables whose rows are left out of a backup: they let their reader act for
  ///   the user
  public RowInsertion(
      String agent, BiPredicate<String, List<String>> tables, Set<String> secret, PartRows parts) {
    this.agent = agent;
    this.tables = tables;
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
    boolean written = false;
    try {
      write(database, made, rowsOfParts, backup);
      written = true;
    } finally {
      if (made && !written) {
        for (String end : List.of("", "-wal", "-shm")) { // an empty one would not be made again
          Files.deleteIfExists(database.resolveSibling(database.getFileName() + end));
        }
      }
    }
  }

  private void write(Path database, boolean made, List<Rows> rowsOfParts, Backup backup)
      throws IOException {
    try (Connection connection = connect(database, made)) {
      if (!made) {
        try (Statement statement = connection.createStatement()) {
          backUp(statement, backup);
        }
      }
      connection.setAutoCommit(false);
      RowStatements statements = new RowStatements(connection, made, tables);
      for (Rows rows : rowsOfParts) {
        write(statements, rows);
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

  private static void write(RowStatements statements, Rows rows) throws SQLException, IOException {
    try (LineReader lines =
        new LineReader(rows.open(), Long.MAX_VALUE, LINE_BYTES_MAX, -1, _ -> {})) {
      while (lines.next()) {
        statements.write(
            RowLine.decode(Arrays.copyOfRange(lines.buffer(), lines.from(), lines.to())));
      }
    }
  }
}
