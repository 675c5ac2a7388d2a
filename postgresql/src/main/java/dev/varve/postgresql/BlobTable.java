// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import dev.varve.BlobHash;
import dev.varve.PutOutcome;
import dev.varve.StoreException;
import dev.varve.database.BlobRows;
import dev.varve.database.EncodedBlob;
import dev.varve.database.RootPieces;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The table `blob`.
final class BlobTable implements BlobRows {

  private static final String PUT = "SELECT put_blob(?, ?, ?, ?)";
  private static final String FIND = "SELECT raw_bytes, codec, data FROM blob WHERE hash = ?";
  private static final String FIRST = "SELECT hash FROM blob ORDER BY hash LIMIT ?";
  private static final String NEXT = "SELECT hash FROM blob WHERE hash > ? ORDER BY hash LIMIT ?";
  private static final String THERE = "SELECT hash FROM blob WHERE hash = ANY(?)";
  private static final String SIZE = "SELECT raw_bytes FROM blob WHERE hash = ?";

  private final DatabaseSessions sessions;

  BlobTable(DatabaseSessions sessions) {
    this.sessions = sessions;
  }

  // ---- to keep

  /// Keeps rows in one transaction, ordered by hash, so that two callers with the same rows wait
  /// for each other instead of blocking each other for ever.
  @Override
  public List<PutOutcome> keep(List<EncodedBlob> rows) {
    if (rows.isEmpty()) {
      return List.of();
    }
    if (rows.size() == 1) {
      return sessions.ask((connection, _) -> List.of(keep(connection, rows.getFirst())));
    }
    List<EncodedBlob> ordered =
        rows.stream()
            .sorted(Comparator.comparing(row -> HexFormat.of().formatHex(row.hash().bytes())))
            .toList();
    List<PutOutcome> outcomes =
        sessions.askToWrite(
            (connection, _) -> {
              List<PutOutcome> all = new ArrayList<>();
              for (EncodedBlob row : ordered) {
                all.add(keep(connection, row));
              }
              return all;
            });
    BlobHash last = rows.getLast().hash();
    List<PutOutcome> own = new ArrayList<>(outcomes);
    own.sort(Comparator.comparing(outcome -> outcome.hash().equals(last))); // its own row is last
    return own;
  }

  private static PutOutcome keep(Connection connection, EncodedBlob row) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(PUT)) {
      bind(statement, 1, row);
      try (ResultSet answer = statement.executeQuery()) {
        answer.next();
        return new PutOutcome(row.hash(), answer.getBoolean(1));
      }
    }
  }

  @Override
  public int erasures() {
    return sessions.ask((connection, _) -> erasures(connection));
  }

  private static int erasures(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT coalesce(max(run), 0) FROM erasure")) {
      row.next();
      return row.getInt(1);
    }
  }

  @Override
  public PutOutcome keepRoot(EncodedBlob root, int since) {
    return sessions.askToWrite(
        (connection, _) -> {
          if (erasures(connection) != since) {
            RootPieces.require(root, pieces(connection));
          }
          return keep(connection, root);
        });
  }

  private static RootPieces<SQLException> pieces(Connection connection) {
    return new RootPieces<>() {
      @Override
      public Optional<EncodedBlob> find(BlobHash list) throws SQLException {
        return BlobTable.find(connection, list);
      }

      @Override
      public boolean hasAll(Set<BlobHash> chunks) throws SQLException {
        try (PreparedStatement statement =
            connection.prepareStatement("SELECT count(*) FROM blob WHERE hash = ANY(?)")) {
          statement.setArray(1, array(connection, chunks));
          try (ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1) == chunks.size();
          }
        }
      }
    };
  }

  /// Hashes as one parameter.
  static Array array(Connection connection, Collection<BlobHash> hashes) throws SQLException {
    return connection.createArrayOf(
        "bytea", hashes.stream().map(BlobHash::bytes).toArray(byte[][]::new));
  }

  /// Sets four parameters: hash, size, codec, data.
  static void bind(PreparedStatement statement, int first, EncodedBlob row) throws SQLException {
    statement.setBytes(first, row.hash().bytes());
    statement.setLong(first + 1, row.rawBytes());
    statement.setShort(first + 2, (short) row.codec());
    statement.setBytes(first + 3, row.data());
  }

  // ---- to read

  @Override
  public Optional<EncodedBlob> find(BlobHash hash) {
    return sessions.ask((connection, _) -> find(connection, hash));
  }

  private static Optional<EncodedBlob> find(Connection connection, BlobHash hash)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(FIND)) {
      statement.setBytes(1, hash.bytes());
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(new EncodedBlob(hash, row.getLong(1), row.getInt(2), row.getBytes(3)))
            : Optional.empty();
      }
    }
  }

  @Override
  public List<BlobHash> lacking(List<BlobHash> hashes) {
    Set<BlobHash> found =
        sessions.ask(
            (connection, _) -> {
              try (PreparedStatement statement = connection.prepareStatement(THERE)) {
                statement.setArray(1, array(connection, hashes));
                Set<BlobHash> there = new HashSet<>();
                try (ResultSet row = statement.executeQuery()) {
                  while (row.next()) {
                    there.add(BlobHash.of(row.getBytes(1)));
                  }
                }
                return there;
              }
            });
    return hashes.stream().filter(hash -> !found.contains(hash)).toList();
  }

  @Override
  public long sizeBytes(BlobHash hash) {
    return sizeIfThere(hash).orElseThrow(() -> absent(hash));
  }

  /// A page of all blobs, by their hashes.
  List<BlobHash> list(@Nullable BlobHash after, int limit) {
    if (after != null && !has(after)) {
      throw new StoreException.NotFound("blob", after.toString());
    }
    return sessions.ask(
        (connection, _) -> {
          try (PreparedStatement statement =
              connection.prepareStatement(after == null ? FIRST : NEXT)) {
            if (after != null) {
              statement.setBytes(1, after.bytes());
            }
            statement.setInt(after == null ? 1 : 2, limit);
            List<BlobHash> page = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
              while (row.next()) {
                page.add(BlobHash.of(row.getBytes(1)));
              }
            }
            return page;
          }
        });
  }

  @Override
  public StoreException.NotFound absent(BlobHash hash) {
    boolean erased =
        sessions.ask(
            (connection, _) -> {
              try (PreparedStatement statement =
                  connection.prepareStatement("SELECT 1 FROM erased WHERE hash = ?")) {
                statement.setBytes(1, hash.bytes());
                return statement.executeQuery().next();
              }
            });
    return new StoreException.NotFound(
        erased ? StoreException.NotFound.ERASED_BLOB : "blob", hash.toString());
  }

  @Override
  public boolean has(BlobHash hash) {
    return sizeIfThere(hash).isPresent();
  }

  private Optional<Long> sizeIfThere(BlobHash hash) {
    return sessions.ask(
        (connection, _) -> {
          try (PreparedStatement statement = connection.prepareStatement(SIZE)) {
            statement.setBytes(1, hash.bytes());
            try (ResultSet row = statement.executeQuery()) {
              return row.next() ? Optional.of(row.getLong(1)) : Optional.empty();
            }
          }
        });
  }
}
