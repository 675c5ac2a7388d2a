// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.varve.BlobHash;
import dev.varve.ErasePlan;
import dev.varve.EraseReceipt;
import dev.varve.ErasedBlob;
import dev.varve.ErasedBlob.Cause;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.CqlStatement;
import dev.varve.database.ErasedRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/// The tables `erasure`, `erasure_blob` and `erasure_run`. The record of an erasure is written
/// before the erasure is decided, under the name of the attempt, and says nothing until then; with
/// its run the record is the receipt.
final class ErasureRecords {

  private static final int ROWS_AT_ONCE = 128;
  private static final int PART_NAMES = 10_000;

  private static final String KEEP =
      "INSERT INTO ks.erasure (store, attempt, run, erased_ms, digest, blobs, raw_bytes, staying,"
          + " turns, bytes_before, bytes_after, turn_ids, names)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
  private static final String READ =
      "SELECT run, erased_ms, digest, blobs, raw_bytes, staying, turns, bytes_before, bytes_after,"
          + " turn_ids, names FROM ks.erasure WHERE store = ? AND attempt = ?";
  private static final String KEEP_NAME =
      "INSERT INTO ks.erasure_blob (store, attempt, part, number, hash, raw_bytes, cause,"
          + " readmitted, piece) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
  private static final String NAMES =
      "SELECT hash, raw_bytes, cause, readmitted, piece FROM ks.erasure_blob"
          + " WHERE store = ? AND attempt = ? AND part = ?";
  private static final String KEEP_RUN =
      "INSERT INTO ks.erasure_run (store, run, attempt) VALUES (?, ?, ?)";
  private static final String FIND_RUN =
      "SELECT attempt FROM ks.erasure_run WHERE store = ? AND run = ?";

  /// A name of a record.
  ///
  /// @param isPiece whether the store does not have the blob, and refuses it alone
  record Name(ErasedBlob blob, boolean isPiece) {}

  private final ClusterSession session;
  private final UUID storeId;

  ErasureRecords(ClusterSession session, UUID storeId) {
    this.session = session;
    this.storeId = storeId;
  }

  // ---- to write

  /// Keeps the record of an attempt that is not decided.
  void keep(UUID attempt, ErasedRecord record, Runnable alive) {
    List<CqlStatement> waiting = new ArrayList<>();
    int number = 0;
    for (ErasedBlob blob : record.going()) {
      waiting.add(naming(attempt, number++, blob, false));
      flush(waiting, ROWS_AT_ONCE, alive);
    }
    for (ErasedBlob blob : record.pieces()) {
      waiting.add(naming(attempt, number++, blob, true));
      flush(waiting, ROWS_AT_ONCE, alive);
    }
    EraseReceipt receipt = record.receipt();
    ErasePlan.Counts counts = receipt.plan().counts();
    waiting.add(
        CqlStatement.of(
            KEEP,
            attempt,
            receipt.run(),
            receipt.erasedAt().toEpochMilli(),
            receipt.plan().digest(),
            counts.blobs(),
            counts.rawBytes(),
            counts.staying(),
            counts.turns(),
            receipt.packBytes().before(),
            receipt.packBytes().after(),
            receipt.plan().turns().stream().map(TurnId::value).toList(),
            number));
    flush(waiting, 1, alive);
  }

  private static CqlStatement naming(UUID attempt, int number, ErasedBlob blob, boolean isPiece) {
    return CqlStatement.of(
        KEEP_NAME,
        attempt,
        number / PART_NAMES,
        number,
        blob.hash(),
        blob.sizeBytes(),
        blob.cause().number(),
        blob.readmitted(),
        isPiece);
  }

  /// Writes statements that wait, if there are as many.
  private void flush(List<CqlStatement> waiting, int least, Runnable alive) {
    if (waiting.size() >= least) {
      alive.run();
      session.writeFreely(waiting);
      waiting.clear();
    }
  }

  /// Makes the record of a decided attempt the receipt of a run.
  void keepRun(int run, UUID attempt) {
    session.writeFreely(List.of(CqlStatement.of(KEEP_RUN, run, attempt)));
  }

  // ---- to read

  /// The receipt of an attempt.
  EraseReceipt receipt(UUID attempt) {
    Row row = require(attempt);
    List<BlobHash> hashes = new ArrayList<>();
    each(
        attempt,
        some ->
            some.stream()
                .filter(name -> !name.isPiece())
                .forEach(name -> hashes.add(name.blob().hash())));
    List<Long> turns = Objects.requireNonNullElse(row.getList(9, Long.class), List.of());
    EraseReceipt.PackBytes bytes = new EraseReceipt.PackBytes(row.getLong(7), row.getLong(8));
    ErasedRecord.KeptTurns kept =
        new ErasedRecord.KeptTurns(row.getLong(6), turns, BlobList.hash(row.getByteBuffer(2)));
    return new EraseReceipt(
        storeId,
        row.getInt(0),
        Instant.ofEpochMilli(row.getLong(1)),
        ErasedRecord.plan(row.getLong(3), row.getLong(4), row.getLong(5), bytes, kept),
        hashes,
        bytes);
  }

  private Row require(UUID attempt) {
    Row row = session.readOne(CqlStatement.of(READ, attempt));
    if (row == null) {
      throw new StoreException.Corrupt("table erasure, row " + attempt, 0, "a row", "none");
    }
    return row;
  }

  /// The attempt that became a run.
  Optional<UUID> attempt(int run) {
    Row row = session.readOne(CqlStatement.of(FIND_RUN, run));
    return row == null ? Optional.empty() : Optional.ofNullable(row.getUuid(0));
  }

  /// Hands over the names of a record, some at a time, in the order in which they were kept.
  void each(UUID attempt, Consumer<List<Name>> visitor) {
    Row record = require(attempt);
    int names = record.getInt(10);
    for (int part = 0; part * PART_NAMES < names; part++) {
      List<Name> all = new ArrayList<>();
      for (Row row : session.read(CqlStatement.of(NAMES, attempt, part))) {
        all.add(
            new Name(
                new ErasedBlob(
                    BlobList.hash(row.getByteBuffer(0)),
                    row.getLong(1),
                    Cause.of(row.getInt(2)).orElse(Cause.BLOB),
                    Instant.ofEpochMilli(record.getLong(1)),
                    record.getInt(0),
                    row.getBoolean(3)),
                row.getBoolean(4)));
      }
      int expected = Math.min(PART_NAMES, names - part * PART_NAMES);
      if (all.size() != expected) {
        throw new StoreException.Corrupt(
            "table erasure_blob, part " + part, 0, expected + " names", all.size() + " names");
      }
      for (int from = 0; from < all.size(); from += ROWS_AT_ONCE) {
        visitor.accept(all.subList(from, Math.min(all.size(), from + ROWS_AT_ONCE)));
      }
    }
  }
}
