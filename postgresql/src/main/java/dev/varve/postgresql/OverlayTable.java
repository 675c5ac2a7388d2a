// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import dev.varve.BlobHash;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.database.DatabaseBlobs;
import dev.varve.database.EncodedBlob;
import dev.varve.database.OverlayNumber;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The table `overlay`.
final class OverlayTable {

  private final DatabaseSessions sessions;
  private final DatabaseBlobs blobs;

  OverlayTable(DatabaseSessions sessions, DatabaseBlobs blobs) {
    this.sessions = sessions;
    this.blobs = blobs;
  }

  long patch(TurnId turn, Payload payload) {
    if (blobs.isInOnePiece(payload)) {
      EncodedBlob row = blobs.encoded(payload);
      return add(turn, Overlay.Kind.PATCH, row.hash(), row);
    }
    list(turn); // refuses an unknown turn before anything is kept
    while (true) {
      BlobHash hash = blobs.put(payload).hash();
      try {
        return add(turn, Overlay.Kind.PATCH, hash, null);
      } catch (StoreException.NotFound e) {
        if (blobs.has(hash)) {
          throw e;
        }
        // an erasure took what was just put
      }
    }
  }

  /// Adds an overlay.
  ///
  /// @param row of a blob that is not kept yet, or null
  /// @return the overlay's sequence
  long add(TurnId turn, Overlay.Kind kind, @Nullable BlobHash blob, @Nullable EncodedBlob row) {
    UUID attempt = UUID.randomUUID();
    return sessions.ask(
        (connection, _) -> {
          try (PreparedStatement statement =
              connection.prepareStatement("SELECT * FROM add_overlay(?, ?, ?, ?, ?, ?, ?)")) {
            statement.setObject(1, attempt);
            statement.setLong(2, turn.value());
            statement.setShort(3, (short) OverlayNumber.of(kind));
            statement.setBytes(4, blob == null ? null : blob.bytes());
            statement.setLong(5, row == null ? 0 : row.rawBytes());
            statement.setShort(6, (short) (row == null ? 0 : row.codec()));
            statement.setBytes(7, row == null ? null : row.data());
            try (ResultSet answer = statement.executeQuery()) {
              answer.next();
              return switch (answer.getInt(1)) {
                case 0 -> answer.getLong(2);
                case 4 -> throw new StoreException.NotFound("turn", turn.toString());
                case 5 -> throw new StoreException.NotFound("blob", String.valueOf(blob));
                default -> throw new AssertionError("outcome " + answer.getInt(1));
              };
            }
          }
        });
  }

  /// The overlays of a turn, newest first.
  List<Overlay> list(TurnId turn) {
    return sessions.ask(
        (connection, _) -> {
          TurnDepth.find(connection, turn.value())
              .orElseThrow(() -> new StoreException.NotFound("turn", turn.toString()));
          try (PreparedStatement statement =
              connection.prepareStatement(
                  "SELECT seq, kind, blob FROM overlay WHERE turn = ? ORDER BY seq DESC")) {
            statement.setLong(1, turn.value());
            return read(turn, statement);
          }
        });
  }

  /// The overlays behind a sequence, the oldest first.
  List<Overlay> after(long seq, int limit) {
    return sessions.ask(
        (connection, _) -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  "SELECT seq, kind, blob, turn FROM overlay WHERE seq > ? ORDER BY seq LIMIT ?")) {
            statement.setLong(1, seq);
            statement.setInt(2, limit);
            return read(null, statement);
          }
        });
  }

  /// Reads rows.
  ///
  /// @param turn of all rows; null if each row names its own in column 4
  private static List<Overlay> read(@Nullable TurnId turn, PreparedStatement statement)
      throws SQLException {
    List<Overlay> overlays = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        byte[] blob = row.getBytes(3);
        overlays.add(
            new Overlay(
                row.getLong(1),
                turn == null ? new TurnId(row.getLong(4)) : turn,
                OverlayNumber.kind(row.getInt(2)),
                blob == null ? null : BlobHash.of(blob)));
      }
    }
    return overlays;
  }
}
