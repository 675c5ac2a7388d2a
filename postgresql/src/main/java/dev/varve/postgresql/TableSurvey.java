// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.blob.Codec;
import dev.varve.database.EncodedBlob;
import dev.varve.database.NameSurvey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.BitSet;

/// The blobs of a database as one transaction sees them.
final class TableSurvey extends NameSurvey {

  private static final int ROWS_AT_ONCE = 64;

  /// Fewer than this part of all contents are asked for one by one.
  private static final int SPARSE = 16;

  /// A failure of the database in the midst of the planner, which knows no database.
  static final class Interruption extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final SQLException failure;

    Interruption(SQLException failure) {
      super(failure);
      this.failure = failure;
    }

    SQLException failure() {
      return failure;
    }
  }

  private final Connection connection;

  private TableSurvey(Connection connection, int count) {
    super(count);
    this.connection = connection;
  }

  /// Reads the names and sizes of all blobs.
  ///
  /// @param connection with a transaction that sees one state
  /// @throws StoreException.TooLarge if there are more than memory can have places for
  static TableSurvey of(Connection connection) throws SQLException {
    TableSurvey survey = new TableSurvey(connection, count(connection, "blob"));
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(ROWS_AT_ONCE * ROWS_AT_ONCE);
      try (ResultSet row =
          statement.executeQuery(
              "SELECT hash, raw_bytes, codec, octet_length(data) FROM blob ORDER BY hash")) {
        while (row.next()) {
          boolean chunked = row.getInt(3) == Codec.CHUNKS.number();
          survey.add(BlobHash.of(row.getBytes(1)), row.getLong(2), row.getLong(4), chunked);
        }
      }
    }
    return survey;
  }

  /// The number of rows of a table.
  static int count(Connection connection, String table) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
      row.next();
      return places(table, row.getLong(1));
    }
  }

  @Override
  public byte[] content(int ordinal) {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT raw_bytes, codec, data FROM blob WHERE hash = ?")) {
      statement.setBytes(1, hash(ordinal).bytes());
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw corrupt(ordinal, "a row", "none");
        }
        return content(
            new EncodedBlob(hash(ordinal), row.getLong(1), row.getInt(2), row.getBytes(3)));
      }
    } catch (SQLException e) {
      throw new Interruption(e);
    }
  }

  @Override
  public void contents(BitSet chosen, ContentVisitor visitor) {
    if (chosen.cardinality() < blobCount() / SPARSE) {
      super.contents(chosen, visitor);
      return;
    }
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(ROWS_AT_ONCE);
      try (ResultSet row =
          statement.executeQuery("SELECT raw_bytes, codec, data FROM blob ORDER BY hash")) {
        for (int ordinal = 0; row.next(); ordinal++) {
          if (chosen.get(ordinal)) {
            visitor.content(
                ordinal,
                content(
                    new EncodedBlob(
                        hash(ordinal), row.getLong(1), row.getInt(2), row.getBytes(3))));
          }
        }
      }
    } catch (SQLException e) {
      throw new Interruption(e);
    }
  }
}
