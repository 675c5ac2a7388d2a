// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.StoreException;
import dev.varve.TurnId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The table `context`.
final class ContextTable {

  /// The bound of the numbers that contexts and turns have.
  static final long NUMBER_MAX = (1L << 62) - 1;

  private static final String COLUMNS =
      "id, head, head_depth, base, created_ms, active_ms, about FROM context ";

  private final DatabaseSessions sessions;

  ContextTable(DatabaseSessions sessions) {
    this.sessions = sessions;
  }

  // ---- to read

  ContextHead head(ContextId context) {
    return sessions.ask((connection, _) -> head(connection, context));
  }

  /// @throws StoreException.NotFound if there is no such context
  static ContextHead head(Connection connection, ContextId context) throws SQLException {
    return find(connection, context.value())
        .orElseThrow(() -> new StoreException.NotFound("context", context.toString()));
  }

  private static Optional<ContextHead> find(Connection connection, long context)
      throws SQLException {
    List<ContextHead> found = list(connection, "WHERE id = ?", context);
    return found.isEmpty() ? Optional.empty() : Optional.of(found.getFirst());
  }

  /// The contexts most recently active first.
  List<ContextHead> byActivity(@Nullable ContextId after, int limit) {
    return sessions.ask(
        (connection, _) -> {
          if (after == null) {
            return list(connection, "ORDER BY active_ms DESC, id DESC LIMIT ?", limit);
          }
          ContextHead last = head(connection, after);
          return list(
              connection,
              "WHERE (active_ms, id) < (?, ?) ORDER BY active_ms DESC, id DESC LIMIT ?",
              last.activeAt().toEpochMilli(),
              after.value(),
              limit);
        });
  }

  List<ContextHead> byNumber(@Nullable ContextId before, int limit) {
    return sessions.ask(
        (connection, _) ->
            list(
                connection,
                "WHERE id < ? ORDER BY id DESC LIMIT ?",
                before == null ? Long.MAX_VALUE : before.value(),
                limit));
  }

  private static List<ContextHead> list(Connection connection, String where, long... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("SELECT " + COLUMNS + where)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setLong(i + 1, parameters[i]);
      }
      List<ContextHead> heads = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          heads.add(read(row));
        }
      }
      return heads;
    }
  }

  private static ContextHead read(ResultSet row) throws SQLException {
    byte[] about = row.getBytes(7);
    return new ContextHead(
        new ContextId(row.getLong(1)),
        new TurnId(row.getLong(2)),
        row.getInt(3),
        new TurnId(row.getLong(4)),
        Instant.ofEpochMilli(row.getLong(5)),
        Instant.ofEpochMilli(row.getLong(6)),
        about == null ? null : BlobHash.of(about));
  }

  // ---- to write

  ContextHead create(TurnId base, @Nullable BlobHash about, long nowUnixMs) {
    long id = sessions.ask((connection, _) -> nextNumber(connection, "context_id"));
    return sessions.askToWrite(
        (connection, _) -> {
          requireBlob(connection, about, "blob");
          int depth = base.isNone() ? 0 : depth(connection, base, "base turn");
          insert(
              connection,
              new ContextHead(
                  new ContextId(id),
                  base,
                  depth,
                  base,
                  Instant.ofEpochMilli(nowUnixMs),
                  Instant.ofEpochMilli(nowUnixMs),
                  about));
          return head(connection, new ContextId(id));
        });
  }

  ContextHead describe(ContextId context, BlobHash about, long nowUnixMs) {
    return sessions.askToWrite(
        (connection, _) -> {
          head(connection, context);
          requireBlob(connection, about, "blob");
          try (PreparedStatement statement =
              connection.prepareStatement(
                  "UPDATE context SET about = ?, active_ms = greatest(active_ms, ?) WHERE id ="
                      + " ?")) {
            statement.setBytes(1, about.bytes());
            statement.setLong(2, nowUnixMs);
            statement.setLong(3, context.value());
            statement.executeUpdate();
          }
          return head(connection, context);
        });
  }

  /// Makes a context under a number that was given elsewhere.
  ContextHead restore(ContextHead restored) {
    long id = restored.id().value();
    if (id <= 0 || id > NUMBER_MAX) {
      throw new StoreException.Invalid(
          "context id", "expected 1 to " + NUMBER_MAX + ", found " + restored.id());
    }
    return sessions.askToWrite(
        (connection, repeated) -> {
          lockNumbers(connection);
          Optional<ContextHead> there = find(connection, id);
          int depth = restored.head().isNone() ? 0 : depth(connection, restored.head(), "turn");
          if (!restored.base().isNone()) {
            depth(connection, restored.base(), "base turn");
          }
          requireBlob(connection, restored.about(), "blob");
          ContextHead whole = withDepth(restored, depth);
          if (there.isPresent() && !(repeated && there.get().equals(whole))) {
            throw new StoreException.Conflict(
                "context " + restored.id(), "a free number", "a context");
          }
          insert(connection, whole);
          try (PreparedStatement statement =
              connection.prepareStatement("SELECT pass_number('context_id', ?)")) {
            statement.setLong(1, id);
            statement.execute();
          }
          return whole;
        });
  }

  /// Gives a context a later state that the context had elsewhere.
  ContextHead move(
      ContextId id, TurnId expectedHead, TurnId head, Instant activeAt, @Nullable BlobHash about) {
    return sessions.askToWrite(
        (connection, repeated) -> {
          ContextHead present = head(connection, id);
          int depth = head.isNone() ? 0 : depth(connection, head, "turn");
          requireBlob(connection, about, "blob");
          int moved;
          try (PreparedStatement statement =
              connection.prepareStatement(
                  "UPDATE context SET head = ?, head_depth = ?, active_ms = greatest(active_ms, ?),"
                      + " about = ? WHERE id = ? AND head = ?")) {
            statement.setLong(1, head.value());
            statement.setInt(2, depth);
            statement.setLong(3, activeAt.toEpochMilli());
            statement.setBytes(4, about == null ? null : about.bytes());
            statement.setLong(5, id.value());
            statement.setLong(6, expectedHead.value());
            moved = statement.executeUpdate();
          }
          if (moved == 0 && !(repeated && present.head().equals(head))) {
            throw new StoreException.Conflict(
                "head of context " + id,
                "turn " + expectedHead,
                "turn " + head(connection, id).head());
          }
          return head(connection, id);
        });
  }

  private static ContextHead withDepth(ContextHead head, int depth) {
    return new ContextHead(
        head.id(),
        head.head(),
        depth,
        head.base(),
        head.createdAt(),
        head.activeAt(),
        head.about());
  }

  private static void insert(Connection connection, ContextHead head) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT INTO context (id, head, head_depth, base, created_ms, active_ms, about)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING")) {
      statement.setLong(1, head.id().value());
      statement.setLong(2, head.head().value());
      statement.setInt(3, head.headDepth());
      statement.setLong(4, head.base().value());
      statement.setLong(5, head.createdAt().toEpochMilli());
      statement.setLong(6, head.activeAt().toEpochMilli());
      statement.setBytes(7, head.about() == null ? null : head.about().bytes());
      statement.executeUpdate();
    }
  }

  private static void lockNumbers(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("SELECT lock_numbers(true)")) {
      statement.execute();
    }
  }

  /// A number that was never given before.
  static long nextNumber(Connection connection, String sequence) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT next_number(?::regclass)")) {
      statement.setString(1, sequence);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  private static void requireBlob(Connection connection, @Nullable BlobHash hash, String kind)
      throws SQLException {
    if (hash == null) {
      return;
    }
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT 1 FROM blob WHERE hash = ?")) {
      statement.setBytes(1, hash.bytes());
      if (!statement.executeQuery().next()) {
        refuseErased(connection, hash);
        throw new StoreException.NotFound(kind, hash.toString());
      }
    }
  }

  private static void refuseErased(Connection connection, BlobHash hash) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("SELECT refuse_erased(?)")) {
      statement.setBytes(1, hash.bytes());
      statement.execute();
    }
  }

  private static int depth(Connection connection, TurnId turn, String kind) throws SQLException {
    return TurnDepth.find(connection, turn.value())
        .orElseThrow(() -> new StoreException.NotFound(kind, turn.toString()));
  }
}
