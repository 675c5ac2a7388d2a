// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import dev.varve.BlobHash;
import dev.varve.ErasePlan;
import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.Payload;
import dev.varve.ReadProgress;
import dev.varve.StoreException;
import dev.varve.blob.PieceNames;
import dev.varve.database.DatabaseBlobs;
import dev.varve.database.RecordedErasures;
import dev.varve.erasure.ErasurePlanner;
import dev.varve.erasure.ErasureSelection;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/// Erasures of a store in a database. A plan is made of the state that one transaction sees, while
/// others write. An erasure is one transaction, beside which nobody writes: the store is read
/// again, the plan compared, the rows deleted, their names remembered, the receipt kept.
final class DatabaseErasures implements RecordedErasures {

  private static final String ALONE =
      "SELECT pg_advisory_xact_lock('erased'::regclass::oid::bigint)";
  private static final String FIRST =
      "SELECT pg_try_advisory_xact_lock('erasure'::regclass::oid::bigint)";
  private static final String AFTER_ANOTHER =
      "SELECT pg_advisory_xact_lock('erasure'::regclass::oid::bigint)";

  /// The longest wait for writes that are under way.
  private static final int GRACE_SECONDS = 60;

  private final DatabaseSessions sessions;
  private final BlobTable table;
  private final HoldRows holds;
  private final InstantSource clock;
  private final UUID storeId;

  DatabaseErasures(
      DatabaseSessions sessions,
      BlobTable table,
      HoldRows holds,
      InstantSource clock,
      UUID storeId) {
    this.sessions = sessions;
    this.table = table;
    this.holds = holds;
    this.clock = clock;
    this.storeId = storeId;
  }

  @Override
  public ErasePlan plan(EraseRequest request, ReadProgress progress) {
    return sessions.askTogether(
        (connection, _) -> {
          execute(connection, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
          TableSurvey blobs = TableSurvey.of(connection);
          return select(connection, blobs, request, progress).plan();
        });
  }

  private ErasureSelection select(
      Connection connection, TableSurvey blobs, EraseRequest request, ReadProgress progress)
      throws SQLException {
    try {
      return new ErasurePlanner(
              blobs, PathSurvey.of(connection, blobs), request, holds.lasting(connection), progress)
          .select();
    } catch (TableSurvey.Interruption e) {
      throw e.failure();
    }
  }

  @Override
  public EraseReceipt erase(EraseRequest request, BlobHash digest, ReadProgress progress) {
    UUID attempt = UUID.randomUUID();
    EraseReceipt[] prepared = new EraseReceipt[1];
    return sessions.askTogether(
        (connection, repeated) -> {
          beAlone(connection, repeated);
          ErasureRows rows = new ErasureRows(connection, storeId);
          if (prepared[0] != null && rows.hasAttempt(attempt)) {
            return prepared[0]; // the answer was lost, and not the erasure
          }
          TableSurvey blobs = TableSurvey.of(connection);
          ErasureSelection selection = select(connection, blobs, request, progress);
          selection.requirePlan(digest);
          try {
            prepared[0] = rows.erase(blobs, selection, clock.instant(), attempt);
          } catch (TableSurvey.Interruption e) {
            throw e.failure();
          }
          return prepared[0];
        });
  }

  /// Waits until no write is under way; none begins until the transaction ends.
  ///
  /// @param repeated whether an erasure that is under way may be this one, whose answer was lost
  /// @throws StoreException.Conflict if another erasure is under way, or a write does not end
  private static void beAlone(Connection connection, boolean repeated) throws SQLException {
    execute(connection, "SET LOCAL lock_timeout = '" + GRACE_SECONDS + "s'");
    try {
      if (repeated) {
        execute(connection, AFTER_ANOTHER);
      } else if (!isTrue(connection, FIRST)) {
        throw new StoreException.Conflict("erase", "no other erasure", "one that is under way");
      }
      execute(connection, ALONE);
    } catch (SQLException e) {
      if (DatabaseErrors.isErasureUnderWay(e)) { // the same state stands for every lock
        throw new StoreException.Conflict(
            "erase", "changes that end within " + GRACE_SECONDS + " s", "one that does not");
      }
      throw e;
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static boolean isTrue(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getBoolean(1);
    }
  }

  @Override
  public int last() {
    return table.erasures();
  }

  @Override
  public Optional<EraseReceipt> receipt(int run) {
    return sessions.askTogether(
        (connection, _) -> new ErasureRows(connection, storeId).receipt(run));
  }

  @Override
  public int readmit(Payload content) {
    Set<BlobHash> names = PieceNames.withWhole(content, DatabaseBlobs.SIZES);
    return sessions.askToWrite(
        (connection, _) -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  "UPDATE erased SET readmitted = true WHERE hash = ANY(?)")) {
            statement.setArray(1, BlobTable.array(connection, names));
            int count = statement.executeUpdate();
            if (count == 0) {
              throw new StoreException.NotFound(
                  StoreException.NotFound.ERASED_BLOB, names.iterator().next().toString());
            }
            return count;
          }
        });
  }
}
