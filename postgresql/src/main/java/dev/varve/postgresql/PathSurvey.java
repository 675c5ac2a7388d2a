// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.database.OverlayNumber;
import dev.varve.erasure.SurveyedTurns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.function.Consumer;

/// The turns, overlays and contexts of a database as one transaction sees them. Some 32 bytes of
/// memory for each turn; overlays and contexts are read again whenever they are asked for.
final class PathSurvey implements SurveyedTurns {

  private static final int ROWS_AT_ONCE = 1_000;

  private final Connection connection;
  private final TableSurvey blobs;
  private final long[] ids;
  private final long[] parents;
  private final long[] contexts;
  private final int[] payloads;
  private final int[] fsRoots;

  private PathSurvey(Connection connection, TableSurvey blobs, int count) {
    this.connection = connection;
    this.blobs = blobs;
    this.ids = new long[count];
    this.parents = new long[count];
    this.contexts = new long[count];
    this.payloads = new int[count];
    this.fsRoots = new int[count];
  }

  /// Reads all turns.
  ///
  /// @param blobs of the same transaction
  /// @throws dev.varve.StoreException.TooLarge if there are more than memory can have places for
  static PathSurvey of(Connection connection, TableSurvey blobs) throws SQLException {
    PathSurvey survey = new PathSurvey(connection, blobs, TableSurvey.count(connection, "turn"));
    int[] at = {0};
    survey.each(
        "SELECT id, parent, context, payload, fs_root FROM turn ORDER BY id",
        row -> {
          survey.ids[at[0]] = row.getLong(1);
          survey.parents[at[0]] = row.getLong(2);
          survey.contexts[at[0]] = row.getLong(3);
          survey.payloads[at[0]] = survey.blob(row, 4);
          survey.fsRoots[at[0]] = survey.blob(row, 5);
          at[0]++;
        });
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

  /// The ordinal of the blob that a column names; -1 if there is none.
  private int blob(ResultSet row, int column) throws SQLException {
    byte[] hash = row.getBytes(column);
    return hash == null ? -1 : blobs.ordinal(BlobHash.of(hash));
  }

  @Override
  public int turnCount() {
    return ids.length;
  }

  @Override
  public long turnId(int turn) {
    return ids[turn];
  }

  @Override
  public int turnOf(long id) {
    return Math.max(-1, Arrays.binarySearch(ids, id));
  }

  @Override
  public long parentId(int turn) {
    return parents[turn];
  }

  @Override
  public ContextId contextOf(int turn) {
    return new ContextId(contexts[turn]);
  }

  @Override
  public int payload(int turn) {
    return payloads[turn];
  }

  @Override
  public int fsRoot(int turn) {
    return fsRoots[turn];
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
                    blob(row, 4))));
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
        row -> visitor.accept(new ContextAbout(new ContextId(row.getLong(1)), blob(row, 2))));
  }
}
