// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.rows;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.function.Consumer;

/// The rows of a database as lines.
public final class RowLines {

  private RowLines() {}

  /// Finds rows of an open database.
  @FunctionalInterface
  public interface RowSource {

    /// @param line takes each row, in the order of the lines
    void each(SessionDatabase database, Consumer<DatabaseRow> line) throws SQLException;
  }

  /// Writes a line for each row that `rows` finds in a database at one moment.
  ///
  /// @throws IOException if the database cannot be read, or the lines cannot be written
  public static void write(Path file, OutputStream out, RowSource rows) throws IOException {
    try (SessionDatabase database = SessionDatabase.open(file)) {
      rows.each(database, row -> line(row, out));
    } catch (SQLException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    } catch (UncheckedIOException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static void line(DatabaseRow row, OutputStream out) {
    try {
      out.write(RowLine.encode(row));
      out.write('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
