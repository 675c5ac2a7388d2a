// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import dev.varve.BlobHash;
import dev.varve.CheckReport;
import dev.varve.ReadProgress;
import dev.varve.TurnId;
import dev.varve.database.DatabaseBlobs;
import dev.varve.database.EncodedBlob;
import dev.varve.database.FoundProblems;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A full reading of a store in a database: each blob is decompressed and hashed, each link is
/// followed. Sees the store as it was when the check began; commits go on meanwhile.
final class DatabaseCheck {

  private static final int ROWS_AT_ONCE = 64;

  /// Links that lead nowhere, and turns that do not stand one below their parents; a row each.
  private static final String BAD_LINKS =
      """
      SELECT 'turn', t.id, 'parent ' || t.parent FROM turn t LEFT JOIN turn p ON p.id = t.parent
        WHERE t.parent <> 0 AND (p.id IS NULL OR p.depth + 1 <> t.depth OR p.id >= t.id)
      UNION ALL
      SELECT 'turn', t.id, 'depth ' || t.depth FROM turn t WHERE t.parent = 0 AND t.depth <> 0
      UNION ALL
      SELECT 'turn', t.id, 'jump ' || t.jump FROM turn t LEFT JOIN turn j ON j.id = t.jump
        WHERE j.id IS NULL OR j.depth > t.depth
      UNION ALL
      SELECT 'turn', t.id, 'payload ' || encode(t.payload, 'hex') FROM turn t
        LEFT JOIN blob b ON b.hash = t.payload
        WHERE b.raw_bytes <> t.payload_bytes
          OR b.hash IS NULL AND NOT EXISTS (SELECT 1 FROM erased e WHERE e.hash = t.payload)
      UNION ALL
      SELECT 'turn', t.id, 'file tree ' || encode(t.fs_root, 'hex') FROM turn t
        WHERE t.fs_root IS NOT NULL AND NOT EXISTS (SELECT 1 FROM blob b WHERE b.hash = t.fs_root)
          AND NOT EXISTS (SELECT 1 FROM erased e WHERE e.hash = t.fs_root)
      UNION ALL
      SELECT 'context', c.id, 'description ' || encode(c.about, 'hex') FROM context c
        WHERE c.about IS NOT NULL AND NOT EXISTS (SELECT 1 FROM blob b WHERE b.hash = c.about)
          AND NOT EXISTS (SELECT 1 FROM erased e WHERE e.hash = c.about)
      UNION ALL
      SELECT 'overlay', o.seq, 'blob ' || encode(o.blob, 'hex') FROM overlay o
        WHERE o.blob IS NOT NULL AND NOT EXISTS (SELECT 1 FROM blob b WHERE b.hash = o.blob)
          AND NOT EXISTS (SELECT 1 FROM erased e WHERE e.hash = o.blob)
      UNION ALL
      SELECT 'erasure', e.run, 'blob ' || encode(e.hash, 'hex') || ', which is there again,'
        FROM erased e JOIN blob b ON b.hash = e.hash WHERE NOT e.readmitted
      UNION ALL
      SELECT 'context', c.id, 'head ' || c.head FROM context c LEFT JOIN turn t ON t.id = c.head
        WHERE c.head <> 0 AND (t.id IS NULL OR t.depth <> c.head_depth)
      UNION ALL
      SELECT 'overlay', o.seq, 'turn ' || o.turn FROM overlay o LEFT JOIN turn t ON t.id = o.turn
        WHERE t.id IS NULL
      """;

  private final DatabaseBlobs blobs;
  private final ReadProgress progress;
  private final FoundProblems problems = new FoundProblems();
  private final List<EncodedBlob> chunked = new ArrayList<>();

  DatabaseCheck(DatabaseBlobs blobs, ReadProgress progress) {
    this.blobs = blobs;
    this.progress = progress;
  }

  CheckReport run(DatabaseSessions sessions) {
    CheckReport counted = sessions.askTogether((connection, _) -> read(connection));
    // Behind the transaction: each chunk is asked for by itself.
    problems.readChunked(chunked, blobs);
    return new CheckReport(
        counted.blobs(),
        counted.turns(),
        counted.contexts(),
        counted.overlays(),
        counted.newest(),
        problems.list());
  }

  private CheckReport read(Connection connection) throws SQLException {
    problems.clear();
    chunked.clear();
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    }
    long blobCount = count(connection, "blob");
    readBlobs(connection, blobCount);
    readLinks(connection);
    return new CheckReport(
        blobCount,
        count(connection, "turn"),
        count(connection, "context"),
        count(connection, "overlay"),
        newest(connection),
        List.of());
  }

  private static long count(Connection connection, String table) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
      row.next();
      return row.getLong(1);
    }
  }

  private void readBlobs(Connection connection, long total) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(ROWS_AT_ONCE);
      long done = 0;
      try (ResultSet row =
          statement.executeQuery("SELECT hash, raw_bytes, codec, data FROM blob")) {
        while (row.next()) {
          readBlob(row);
          progress.reached(++done, total);
        }
      }
    }
  }

  private void readBlob(ResultSet row) throws SQLException {
    byte[] name = row.getBytes(1);
    if (name.length != BlobHash.SIZE_BYTES) {
      problems.add("table blob: a name of " + name.length + " bytes");
      return;
    }
    EncodedBlob blob =
        new EncodedBlob(BlobHash.of(name), row.getLong(2), row.getInt(3), row.getBytes(4));
    if (blob.isChunked()) {
      chunked.add(blob);
      return;
    }
    problems.readPiece(blob);
  }

  private void readLinks(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(ROWS_AT_ONCE);
      try (ResultSet row = statement.executeQuery(BAD_LINKS)) {
        while (row.next()) {
          problems.add(
              "table %s, row %d: %s does not fit"
                  .formatted(row.getString(1), row.getLong(2), row.getString(3)));
        }
      }
    }
  }

  private static CheckReport.@Nullable NewestTurn newest(Connection connection)
      throws SQLException {
    try (PreparedStatement statement =
            connection.prepareStatement(
                "SELECT id, created_ms FROM turn ORDER BY id DESC LIMIT 1");
        ResultSet row = statement.executeQuery()) {
      return row.next()
          ? new CheckReport.NewestTurn(
              new TurnId(row.getLong(1)), Instant.ofEpochMilli(row.getLong(2)))
          : null;
    }
  }
}
