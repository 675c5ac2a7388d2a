// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.rows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/// A database at one moment, read without writing to it.
///
/// What was committed last stands in the log beside the database (`-wal`), and the database alone
/// may be empty. While a program has the database open, SQLite reads both at one moment. Where
/// nobody has, the database is read as it is, and with a log that was left behind, from a copy.
public final class SessionDatabase implements AutoCloseable {

  private final Path file;
  private final Connection connection;
  private final @Nullable Path copy;

  private SessionDatabase(Path file, Connection connection, @Nullable Path copy) {
    this.file = file;
    this.connection = connection;
    this.copy = copy;
  }

  /// Opens a database.
  ///
  /// @throws IOException if the database cannot be read
  public static SessionDatabase open(Path file) throws IOException {
    Path log = beside(file, "-wal");
    boolean hasLog = Files.exists(log) && Files.size(log) > 0;
    try {
      if (hasLog && !Files.exists(beside(file, "-shm"))) {
        return openCopy(file, log);
      }
      String how = hasLog ? "mode=ro" : "mode=ro&immutable=1";
      return new SessionDatabase(file, connect(file, how), null);
    } catch (SQLException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  private static SessionDatabase openCopy(Path file, Path log) throws IOException, SQLException {
    Path folder = Files.createTempDirectory("varve-rows");
    Path copy = folder.resolve("copy.db");
    try {
      Files.copy(file, copy);
      Files.copy(log, beside(copy, "-wal"));
      return new SessionDatabase(file, connect(copy, "mode=rwc"), folder);
    } catch (IOException | SQLException e) {
      delete(folder);
      throw e;
    }
  }

  private static Path beside(Path file, String suffix) {
    return file.resolveSibling(file.getFileName() + suffix);
  }

  private static Connection connect(Path file, String how) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setReadOnly(how.startsWith("mode=ro&") || how.equals("mode=ro"));
    config.setBusyTimeout(5000);
    SQLiteDataSource source = new SQLiteDataSource(config);
    String uri = file.toAbsolutePath().toUri().getRawPath().replace("?", "%3f");
    source.setUrl("jdbc:sqlite:file:" + uri + "?" + how);
    Connection connection = source.getConnection();
    connection.setAutoCommit(false); // all that is read is of one moment
    return connection;
  }

  /// The tables, with the names of their columns.
  public Map<String, List<String>> tables() throws SQLException {
    Map<String, List<String>> tables = new LinkedHashMap<>();
    each(
        "SELECT m.name AS tab, c.name AS col FROM sqlite_master m, pragma_table_info(m.name) c"
            + " WHERE m.type = 'table' ORDER BY m.name, c.cid",
        "",
        row ->
            tables.computeIfAbsent(row.text("tab"), _ -> new ArrayList<>()).add(row.text("col")));
    return tables;
  }

  /// Hands over the rows that a query finds, one after the other.
  ///
  /// @param table the name that the rows get
  /// @param parameters the texts in the place of question marks
  public void each(String query, String table, Consumer<DatabaseRow> each, String... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setString(i + 1, parameters[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        int count = rows.getMetaData().getColumnCount();
        while (rows.next()) {
          Map<String, @Nullable Object> columns = new LinkedHashMap<>();
          for (int i = 1; i <= count; i++) {
            columns.put(rows.getMetaData().getColumnName(i), value(rows, i));
          }
          each.accept(new DatabaseRow(table, columns));
        }
      }
    }
  }

  private static @Nullable Object value(ResultSet rows, int column) throws SQLException {
    return switch (rows.getObject(column)) {
      case null -> null;
      case Integer number -> number.longValue();
      case Long number -> number;
      case String _ -> text(rows.getBytes(column));
      case Object other -> other;
    };
  }

  private static Object text(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return new DatabaseRow.RawText(bytes);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    } finally {
      if (copy != null) {
        delete(copy);
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    for (String name : List.of("copy.db", "copy.db-wal", "copy.db-shm")) {
      Files.deleteIfExists(folder.resolve(name));
    }
    Files.deleteIfExists(folder);
  }
}
