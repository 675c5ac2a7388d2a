// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.database.LinkSurvey;
import dev.varve.database.OverlayNumber;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The turns, overlays and contexts of a database as one transaction sees them.
final class PathSurvey extends LinkSurvey {

  private static final int ROWS_AT_ONCE = 1_000;

  private final Connection connection;

  private PathSurvey(Connection connection, TableSurvey blobs) {
    super(blobs);
    this.connection = connection;
  }

  /// Reads all turns.
  ///
  /// @param blobs of the same transaction
  /// @throws dev.varve.StoreException.TooLarge if there are more than memory can have places for
  static PathSurvey of(Connection connection, TableSurvey blobs) throws SQLException {
    PathSurvey survey = new PathSurvey(connection, blobs);
    survey.reserve(TableSurvey.count(connection, "turn"));
    survey.each(
        "SELECT id, parent, context, payload, fs_root FROM turn ORDER BY id",
        row ->
            survey.add(
                row.getLong(1),
                row.getLong(2),
                row.getLong(3),
                BlobHash.of(row.getBytes(4)),
                hash(row, 5)));
    return survey;
  }

  @FunctionalInterface
  private interface RowVisitor {
    void row(ResultSet row) throws SQLException;
  }

  private void each(String sql, RowVisitor visitor) {
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(ROWS_AT_ONCE);
      try (ResultSet row = statement.executeQuery(sql)) {
        while (row.next()) {
          visitor.row(row);
        }
      }
    } catch (SQLException e) {
      throw new TableSurvey.Interruption(e);
    }
  }

  private static @Nullable BlobHash hash(ResultSet row, int column) throws SQLException {
    byte[] hash = row.getBytes(column);
    return hash == null ? null : BlobHash.of(hash);
  }

  @Override
  public void eachOverlay(Consumer<SurveyedOverlay> visitor) {
    each(
        "SELECT seq, turn, kind, blob FROM overlay ORDER BY seq",
        row ->
            visitor.accept(
                new SurveyedOverlay(
                    row.getLong(1),
                    turnOf(row.getLong(2)),
                    row.getLong(2),
                    OverlayNumber.kind(row.getInt(3)),
                    ordinal(hash(row, 4)))));
  }

  @Override
  public boolean hasContext(ContextId context) {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT 1 FROM context WHERE id = ?")) {
      statement.setLong(1, context.value());
      return statement.executeQuery().next();
    } catch (SQLException e) {
      throw new TableSurvey.Interruption(e);
    }
  }

  @Override
  public void eachPlace(Consumer<ContextPlace> visitor) {
    each(
        "SELECT id, head, base FROM context",
        row ->
            visitor.accept(
                new ContextPlace(new ContextId(row.getLong(1)), row.getLong(2), row.getLong(3))));
  }

  @Override
  public void eachAbout(Consumer<ContextAbout> visitor) {
    each(
        "SELECT id, about FROM context WHERE about IS NOT NULL"
            + " UNION ALL SELECT context, about FROM former_about",
        row ->
            visitor.accept(new ContextAbout(new ContextId(row.getLong(1)), ordinal(hash(row, 2)))));
  }
}
