// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.blob.Codec;
import dev.varve.database.DatabaseBlobs;
import dev.varve.database.EncodedBlob;
import dev.varve.database.FirstAppend;
import dev.varve.turn.KeyHash;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Appends: the number is taken first, and the turn is written under the number by one function of
/// the database, which may be repeated when its answer is lost.
final class TurnWriter {

  private static final String APPEND =
      "SELECT * FROM append_turn(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
  private static final String RESTORE =
      "SELECT * FROM restore_turn(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

  /// The answer of a function of the database; `schema.sql` lists the outcomes.
  private record Outcome(int status, long found, int depth) {}

  private final DatabaseSessions sessions;
  private final DatabaseBlobs blobs;
  private final TurnTable turns;
  private final StoreLimits limits;

  TurnWriter(DatabaseSessions sessions, DatabaseBlobs blobs, TurnTable turns, StoreLimits limits) {
    this.sessions = sessions;
    this.blobs = blobs;
    this.turns = turns;
    this.limits = limits;
  }

  Turn append(ContextId context, NewTurn turn, long nowUnixMs) {
    EncodedBlob payload = prepared(turn.payload());
    long createdAtUnixMs = turn.createdAt() == null ? nowUnixMs : turn.createdAt().toEpochMilli();
    while (true) {
      long id = sessions.ask((connection, _) -> ContextTable.nextNumber(connection, "turn_id"));
      EncodedBlob row = payload;
      Outcome done =
          sessions.ask(
              (connection, _) -> append(connection, id, context, turn, row, createdAtUnixMs));
      switch (done.status()) {
        case 0 -> {
          return written(id, context, turn, payload, done, createdAtUnixMs);
        }
        case 2 -> {
          return FirstAppend.require(
              turns.turn(new TurnId(done.found()), View.AS_WRITTEN.withoutPayloads()),
              turn,
              payload.hash());
        }
        case 10 -> payload = prepared(turn.payload()); // an erasure took what was just put
        case 6, 7 -> {
          // Another service was faster: the number lies before the parent's. The next one will do.
        }
        default -> throw refusal(done, context, turn);
      }
    }
  }

  private Outcome append(
      Connection connection,
      long id,
      ContextId context,
      NewTurn turn,
      EncodedBlob payload,
      long createdAtUnixMs)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(APPEND)) {
      statement.setLong(1, id);
      statement.setLong(2, context.value());
      statement.setObject(3, turn.parent() == null ? null : turn.parent().value());
      statement.setObject(4, turn.expectedHead() == null ? null : turn.expectedHead().value());
      bind(statement, 5, context, turn, payload, createdAtUnixMs);
      return outcome(statement);
    }
  }

  Turn restore(TurnId id, ContextId context, NewTurn turn, Instant createdAt) {
    TurnId parent = turn.parent();
    if (parent == null) {
      throw new IllegalArgumentException("turn " + id + " to restore names no parent");
    }
    if (id.value() <= 0 || id.value() > ContextTable.NUMBER_MAX) {
      throw new StoreException.Invalid(
          "turn id", "expected 1 to " + ContextTable.NUMBER_MAX + ", found " + id);
    }
    EncodedBlob payload = prepared(turn.payload());
    long createdAtUnixMs = createdAt.toEpochMilli();
    boolean[] lost = new boolean[1];
    Outcome done =
        sessions.ask(
            (connection, repeated) -> {
              lost[0] = repeated;
              try (PreparedStatement statement = connection.prepareStatement(RESTORE)) {
                statement.setLong(1, id.value());
                statement.setLong(2, context.value());
                statement.setLong(3, parent.value());
                bind(statement, 4, context, turn, payload, createdAtUnixMs);
                return outcome(statement);
              }
            });
    return switch (done.status()) {
      case 10 -> restore(id, context, turn, createdAt); // an erasure took what was just put
      case 0 -> written(id.value(), context, turn, payload, done, createdAtUnixMs);
      case 2 ->
          throw new StoreException.Conflict(
              "idempotency key of turn " + id, "a new key", "the key of turn " + done.found());
      case 7 -> {
        if (lost[0] && done.found() == id.value()) {
          Turn there = turns.turn(id, View.AS_WRITTEN.withoutPayloads());
          if (there.context().equals(context)
              && there.parent().equals(parent)
              && there.payloadHash().equals(payload.hash())) {
            yield there;
          }
        }
        throw new StoreException.Conflict(
            "turn id", "a number above " + done.found(), id.toString());
      }
      default -> throw refusal(done, context, turn);
    };
  }

  /// The row of a payload. A payload of many chunks is kept at once; the row then has no data.
  private EncodedBlob prepared(Payload payload) {
    limits.checkPayload(payload.sizeBytes());
    if (blobs.isInOnePiece(payload)) {
      return blobs.encoded(payload);
    }
    BlobHash hash = blobs.put(payload).hash();
    return new EncodedBlob(hash, payload.sizeBytes(), Codec.CHUNKS.number(), new byte[0]);
  }

  /// Sets the parameters that both functions have, from the key on.
  private void bind(
      PreparedStatement statement,
      int first,
      ContextId context,
      NewTurn turn,
      EncodedBlob payload,
      long createdAtUnixMs)
      throws SQLException {
    int at = first;
    statement.setBytes(at++, turn.key() == null ? null : KeyHash.of(context, turn.key()).bytes());
    statement.setBytes(at++, turn.type().id().getBytes(StandardCharsets.UTF_8));
    statement.setInt(at++, turn.type().version());
    statement.setInt(at++, limits.types());
    statement.setInt(at++, turn.encoding().tag());
    statement.setInt(at++, turn.declaredCompression());
    BlobTable.bind(statement, at, payload);
    if (payload.isChunked()) {
      statement.setBytes(at + 3, null);
    }
    at += 4;
    statement.setBytes(at++, turn.fsRoot() == null ? null : turn.fsRoot().bytes());
    statement.setLong(at, createdAtUnixMs);
  }

  private static Outcome outcome(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      return new Outcome(row.getInt(1), row.getLong(2), row.getInt(3));
    }
  }

  private static Turn written(
      long id,
      ContextId context,
      NewTurn turn,
      EncodedBlob payload,
      Outcome done,
      long createdAtUnixMs) {
    TurnId parent = turn.parent();
    return new Turn(
        new TurnId(id),
        parent != null ? parent : new TurnId(done.found()),
        done.depth(),
        context,
        turn.type(),
        turn.encoding(),
        turn.declaredCompression(),
        payload.hash(),
        payload.rawBytes(),
        Instant.ofEpochMilli(createdAtUnixMs),
        turn.fsRoot(),
        false,
        0,
        null);
  }

  private static StoreException refusal(Outcome done, ContextId context, NewTurn turn) {
    return switch (done.status()) {
      case 1 -> new StoreException.NotFound("context", context.toString());
      case 3 ->
          new StoreException.Conflict(
              "head of context " + context,
              "turn " + shown(turn.expectedHead()),
              "turn " + done.found());
      case 4 -> new StoreException.NotFound("parent turn", Long.toUnsignedString(done.found()));
      case 5 -> new StoreException.NotFound("file tree root", String.valueOf(turn.fsRoot()));
      case 8 -> new StoreException.TooLarge("depth", Integer.MAX_VALUE + 1L, Integer.MAX_VALUE);
      case 9 -> new StoreException.TooLarge("types", done.found() + 1, done.found());
      default -> throw new AssertionError("outcome " + done);
    };
  }

  private static String shown(@Nullable TurnId turn) {
    return String.valueOf(turn);
  }
}
