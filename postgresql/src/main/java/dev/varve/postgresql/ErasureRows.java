// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import dev.varve.BlobHash;
import dev.varve.ErasePlan;
import dev.varve.EraseReceipt;
import dev.varve.ErasedBlob;
import dev.varve.TurnId;
import dev.varve.database.ErasedRecord;
import dev.varve.erasure.ErasureSelection;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// The tables `erasure`, `erasure_blob` and `erased`, within a transaction.
final class ErasureRows {

  private static final int ROWS_AT_ONCE = 1_000;

  private static final String REMEMBER =
      """
      INSERT INTO erased (hash, raw_bytes, cause, erased_ms, run, readmitted) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (hash) DO UPDATE SET raw_bytes = EXCLUDED.raw_bytes, cause = EXCLUDED.cause,
        erased_ms = EXCLUDED.erased_ms, run = EXCLUDED.run, readmitted = EXCLUDED.readmitted
      """;

  /// Pieces of a blob that the store does not have: they would bring its content back.
  private static final String REMEMBER_PIECE =
      REMEMBER.stripTrailing() + " WHERE erased.readmitted";

  private static final String KEEP_RECEIPT =
      """
      INSERT INTO erasure (run, attempt, erased_ms, digest, blobs, raw_bytes, staying, turns,
        bytes_before, bytes_after, turn_ids) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String RECEIPT =
      """
      SELECT erased_ms, digest, blobs, raw_bytes, staying, turns, bytes_before, bytes_after, turn_ids
        FROM erasure WHERE run = ?
      """;

  private final Connection connection;
  private final UUID storeId;

  ErasureRows(Connection connection, UUID storeId) {
    this.connection = connection;
    this.storeId = storeId;
  }

  /// Returns whether an erasure was committed.
  boolean hasAttempt(UUID attempt) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT 1 FROM erasure WHERE attempt = ?")) {
      statement.setObject(1, attempt);
      return statement.executeQuery().next();
    }
  }

  /// Deletes the rows that go, remembers their names, and keeps a receipt.
  EraseReceipt erase(TableSurvey blobs, ErasureSelection selection, Instant now, UUID attempt)
      throws SQLException {
    ErasedRecord record = ErasedRecord.of(blobs, selection, now, nextRun(), storeId);
    remember(record.going(), REMEMBER);
    remember(record.pieces(), REMEMBER_PIECE);
    keep(record.receipt(), attempt);
    eachPart(record.receipt().hashes(), "DELETE FROM blob WHERE hash = ANY(?)");
    return record.receipt();
  }

  private int nextRun() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT coalesce(max(run), 0) + 1 FROM erasure")) {
      row.next();
      return row.getInt(1);
    }
  }

  private void remember(List<ErasedBlob> erased, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int waiting = 0;
      for (ErasedBlob blob : erased) {
        statement.setBytes(1, blob.hash().bytes());
        statement.setLong(2, blob.sizeBytes());
        statement.setInt(3, blob.cause().number());
        statement.setLong(4, blob.erasedAt().toEpochMilli());
        statement.setInt(5, blob.run());
        statement.setBoolean(6, blob.readmitted());
        statement.addBatch();
        if (++waiting == ROWS_AT_ONCE) {
          statement.executeBatch();
          waiting = 0;
        }
      }
      statement.executeBatch();
    }
  }

  // ---- receipts

  private void keep(EraseReceipt receipt, UUID attempt) throws SQLException {
    ErasePlan.Counts counts = receipt.plan().counts();
    Long[] turns = receipt.plan().turns().stream().map(TurnId::value).toArray(Long[]::new);
    try (PreparedStatement statement = connection.prepareStatement(KEEP_RECEIPT)) {
      statement.setInt(1, receipt.run());
      statement.setObject(2, attempt);
      statement.setLong(3, receipt.erasedAt().toEpochMilli());
      statement.setBytes(4, receipt.plan().digest().bytes());
      statement.setLong(5, counts.blobs());
      statement.setLong(6, counts.rawBytes());
      statement.setLong(7, counts.staying());
      statement.setLong(8, counts.turns());
      statement.setLong(9, receipt.packBytes().before());
      statement.setLong(10, receipt.packBytes().after());
      statement.setArray(11, connection.createArrayOf("bigint", turns));
      statement.executeUpdate();
    }
    eachPart(
        receipt.hashes(),
        "INSERT INTO erasure_blob (run, hash) SELECT " + receipt.run() + ", unnest(?)");
  }

  private void eachPart(List<BlobHash> hashes, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int from = 0; from < hashes.size(); from += ROWS_AT_ONCE) {
        List<BlobHash> part = hashes.subList(from, Math.min(hashes.size(), from + ROWS_AT_ONCE));
        statement.setArray(1, BlobTable.array(connection, part));
        statement.executeUpdate();
      }
    }
  }

  /// The receipt of an erasure, without the lists of its plan that name blobs.
  Optional<EraseReceipt> receipt(int run) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(RECEIPT)) {
      statement.setInt(1, run);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return Optional.empty();
        }
        List<Long> turns = List.of((Long[]) row.getArray(9).getArray());
        EraseReceipt.PackBytes bytes = new EraseReceipt.PackBytes(row.getLong(7), row.getLong(8));
        ErasedRecord.KeptTurns kept =
            new ErasedRecord.KeptTurns(row.getLong(6), turns, BlobHash.of(row.getBytes(2)));
        return Optional.of(
            new EraseReceipt(
                storeId,
                run,
                Instant.ofEpochMilli(row.getLong(1)),
                ErasedRecord.plan(row.getLong(3), row.getLong(4), row.getLong(5), bytes, kept),
                hashes(run),
                bytes));
      }
    }
  }

  private List<BlobHash> hashes(int run) throws SQLException {
    List<BlobHash> hashes = new ArrayList<>();
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT hash FROM erasure_blob WHERE run = ? ORDER BY hash")) {
      statement.setFetchSize(ROWS_AT_ONCE);
      statement.setInt(1, run);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          hashes.add(BlobHash.of(row.getBytes(1)));
        }
      }
    }
    return hashes;
  }
}
