// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.TurnPage;
import dev.varve.View;
import dev.varve.database.DatabaseBlobs;
import dev.varve.database.EncodedBlob;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The reading of turns: a part of a path is one statement, which walks from turn to parent inside
/// the database and applies the overlays.
final class TurnTable {

  /// The turns of a replay that are read at once.
  private static final int SLICE_TURNS = 512;

  private static final String PATH =
      """
      WITH RECURSIVE path AS (
        SELECT t.*, 1 AS place FROM turn t WHERE t.id = ?
        UNION ALL
        SELECT t.*, p.place + 1 FROM path p JOIN turn t ON t.id = p.parent WHERE p.place < ?
      )
      SELECT p.id, p.parent, p.depth, p.context, y.id, y.version, p.encoding, p.compression,
        p.created_ms, p.fs_root, p.payload, o.seq, o.patch, o.deleted, o.root, b.raw_bytes, b.codec, e.raw_bytes,
      """;

  private static final String SEEN =
      """
      FROM path p JOIN declared_type y ON y.tag = p.type
      LEFT JOIN LATERAL (
        SELECT max(seq) AS seq,
          (array_agg(blob ORDER BY seq DESC) FILTER (WHERE kind = 0))[1] AS patch,
          (array_agg(kind ORDER BY seq DESC) FILTER (WHERE kind < 2))[1] = 1 AS deleted,
          (array_agg(blob ORDER BY seq DESC) FILTER (WHERE kind = 2))[1] AS root
        FROM overlay WHERE turn = p.id AND seq <= ?
      ) o ON true
      LEFT JOIN blob b ON b.hash = coalesce(o.patch, p.payload)
      LEFT JOIN erased e ON b.hash IS NULL AND e.hash = coalesce(o.patch, p.payload)
      ORDER BY p.depth
      """;

  private final DatabaseSessions sessions;
  private final DatabaseBlobs blobs;

  TurnTable(DatabaseSessions sessions, DatabaseBlobs blobs) {
    this.sessions = sessions;
    this.blobs = blobs;
  }

  // ---- one turn

  /// The numbers above `after`, at most `limit` of them.
  List<TurnId> numbers(TurnId after, int limit) {
    return sessions.ask(
        (connection, _) -> {
          try (PreparedStatement statement =
              connection.prepareStatement("SELECT id FROM turn WHERE id > ? ORDER BY id LIMIT ?")) {
            statement.setLong(1, after.value());
            statement.setInt(2, limit);
            List<TurnId> numbers = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
              while (row.next()) {
                numbers.add(new TurnId(row.getLong(1)));
              }
            }
            return numbers;
          }
        });
  }

  Turn turn(TurnId id, View view) {
    List<Turn> found = complete(sessions.ask((c, _) -> path(c, id.value(), 1, view)), view);
    if (found.isEmpty()) {
      throw new StoreException.NotFound("turn", id.toString());
    }
    return found.getFirst();
  }

  // ---- pages

  /// A part of the path of a context: the turns that end at some depth.
  private record Part(ContextHead head, List<SeenTurn> turns) {}

  TurnPage last(ContextId context, int limit, View view) {
    return page(
        sessions.ask(
            (connection, _) -> {
              ContextHead head = ContextTable.head(connection, context);
              return new Part(head, path(connection, head.head().value(), limit, view));
            }),
        view);
  }

  TurnPage before(ContextId context, TurnId cursor, int limit, View view) {
    return page(
        sessions.ask(
            (connection, _) -> {
              ContextHead head = ContextTable.head(connection, context);
              int depth =
                  TurnDepth.find(connection, cursor.value())
                      .orElseThrow(() -> new StoreException.NotFound("turn", cursor.toString()));
              if (head.head().isNone()
                  || depth > head.headDepth()
                  || ancestor(connection, head.head().value(), depth) != cursor.value()) {
                throw new StoreException.NotFound("turn", cursor.toString());
              }
              long end = depth == 0 ? 0 : ancestor(connection, cursor.value(), depth - 1);
              return new Part(head, path(connection, end, limit, view));
            }),
        view);
  }

  TurnPage range(ContextId context, int startDepth, int limit, View view) {
    return page(
        sessions.ask(
            (connection, _) -> {
              ContextHead head = ContextTable.head(connection, context);
              long end = Math.min(head.headDepth(), (long) startDepth + limit - 1);
              if (head.head().isNone() || end < startDepth) {
                return new Part(head, List.of());
              }
              long last = ancestor(connection, head.head().value(), (int) end);
              return new Part(head, path(connection, last, (int) (end - startDepth + 1), view));
            }),
        view);
  }

  private TurnPage page(Part part, View view) {
    List<Turn> turns = complete(part.turns(), view);
    boolean reachesRoot = turns.isEmpty() || turns.getFirst().depth() == 0;
    return new TurnPage(part.head(), turns, reachesRoot ? null : turns.getFirst().id());
  }

  void replay(TurnId last, View view, Consumer<? super Turn> each) {
    if (last.isNone()) {
      return;
    }
    int depth = requireDepth(last);
    for (int start = 0; start <= depth; start += SLICE_TURNS) {
      int end = (int) Math.min(depth, (long) start + SLICE_TURNS - 1);
      int from = start;
      List<SeenTurn> slice =
          sessions.ask(
              (connection, _) ->
                  path(connection, ancestor(connection, last.value(), end), end - from + 1, view));
      complete(slice, view).forEach(each);
    }
  }

  private int requireDepth(TurnId turn) {
    return sessions
        .ask((connection, _) -> TurnDepth.find(connection, turn.value()))
        .orElseThrow(() -> new StoreException.NotFound("turn", turn.toString()));
  }

  // ---- ancestors and children

  TurnId ancestor(TurnId turn, int depth) {
    int own = requireDepth(turn);
    if (depth < 0 || depth > own) {
      throw new StoreException.Invalid("depth", "expected from 0 to " + own + ", found " + depth);
    }
    return new TurnId(sessions.ask((connection, _) -> ancestor(connection, turn.value(), depth)));
  }

  private static long ancestor(Connection connection, long turn, int depth) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("SELECT ancestor_at(?, ?)")) {
      statement.setLong(1, turn);
      statement.setInt(2, depth);
      return number(statement);
    }
  }

  Optional<TurnId> commonAncestor(TurnId a, TurnId b) {
    requireDepth(a);
    requireDepth(b);
    long common =
        sessions.ask(
            (connection, _) -> {
              try (PreparedStatement statement =
                  connection.prepareStatement("SELECT common_ancestor(?, ?)")) {
                statement.setLong(1, a.value());
                statement.setLong(2, b.value());
                return number(statement);
              }
            });
    return common == 0 ? Optional.empty() : Optional.of(new TurnId(common));
  }

  Optional<TurnId> child(TurnId parent, BlobHash payload) {
    long child =
        sessions.ask(
            (connection, _) -> {
              try (PreparedStatement statement =
                  connection.prepareStatement(
                      "SELECT coalesce(min(id), 0) FROM turn WHERE parent = ? AND payload = ?")) {
                statement.setLong(1, parent.value());
                statement.setBytes(2, payload.bytes());
                return number(statement);
              }
            });
    return child == 0 ? Optional.empty() : Optional.of(new TurnId(child));
  }

  private static long number(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  // ---- a path

  /// A turn whose payload, if it is kept as chunks, is still to be read.
  private record SeenTurn(Turn turn, @Nullable EncodedBlob payload) {}

  /// The turns that end with `last`, oldest first; none if there is no such turn.
  private static List<SeenTurn> path(Connection connection, long last, int limit, View view)
      throws SQLException {
    if (last == 0 || limit == 0) {
      return List.of();
    }
    String sql = PATH + (view.payloads() ? "b.data " : "NULL::bytea ") + SEEN;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, last);
      statement.setInt(2, limit);
      statement.setLong(3, view.overlaySeqMax());
      List<SeenTurn> turns = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          turns.add(read(row, view));
        }
      }
      if (!turns.isEmpty() && turns.size() < limit && turns.getFirst().turn().depth() != 0) {
        Turn first = turns.getFirst().turn();
        throw new StoreException.Corrupt(
            "table turn, row " + first.id(), 0, "a parent " + first.parent(), "none");
      }
      return turns;
    }
  }

  private static SeenTurn read(ResultSet row, View view) throws SQLException {
    TurnId id = new TurnId(row.getLong(1));
    byte[] written = row.getBytes(11);
    byte[] patch = row.getBytes(13);
    boolean deleted = row.getBoolean(14);
    byte[] attached = row.getBytes(15);
    byte[] fsRoot = attached != null ? attached : row.getBytes(10);
    BlobHash payload = BlobHash.of(patch != null ? patch : written);
    long sizeBytes = row.getLong(16);
    if (row.wasNull()) {
      sizeBytes = row.getLong(18);
      deleted = true; // the payload was erased
    }
    if (row.wasNull()) {
      throw new StoreException.Corrupt(
          "table turn, row " + id, 0, "a payload " + payload, "no such blob");
    }
    byte[] data = row.getBytes(19);
    EncodedBlob stored =
        data == null || deleted ? null : new EncodedBlob(payload, sizeBytes, row.getInt(17), data);
    Turn turn =
        new Turn(
            id,
            new TurnId(row.getLong(2)),
            row.getInt(3),
            new ContextId(row.getLong(4)),
            new DeclaredType(new String(row.getBytes(5), StandardCharsets.UTF_8), row.getInt(6)),
            new Encoding(row.getInt(7)),
            row.getInt(8),
            payload,
            sizeBytes,
            Instant.ofEpochMilli(row.getLong(9)),
            fsRoot == null ? null : BlobHash.of(fsRoot),
            deleted,
            row.getLong(12),
            null);
    return new SeenTurn(turn, view.payloads() ? stored : null);
  }

  /// Adds the payloads. Outside the statement, since a payload in chunks takes more statements.
  private List<Turn> complete(List<SeenTurn> seen, View view) {
    if (!view.payloads()) {
      return seen.stream().map(SeenTurn::turn).toList();
    }
    return seen.stream().map(this::complete).toList();
  }

  private Turn complete(SeenTurn seen) {
    Turn turn = seen.turn();
    if (seen.payload() == null) {
      return turn;
    }
    return turn.withPayload(blobs.content(seen.payload()));
  }
}
