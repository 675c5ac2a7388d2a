// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.varve.BlobHash;
import dev.varve.Overlay;
import dev.varve.TurnId;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.CqlStatement;
import dev.varve.cassandra.cql.QuietPause;
import dev.varve.database.OverlayNumber;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The tables `overlay_log` and `overlay`. The log gives each overlay its sequence by a condition,
/// so that sequences rise by one; the overlay is then written beside the turn's lane. A writer that
/// ends between the two is made good by the next writer.
final class OverlayRows {

  private static final int PART_BITS = 10;
  private static final String COLUMNS = "seq, turn_id, lane, bucket, kind, blob, blob_bytes";

  private static final String ADD =
      "INSERT INTO ks.overlay_log (store, part, "
          + COLUMNS
          + ", attempt) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) IF NOT EXISTS";
  private static final String ATTEMPT =
      "SELECT attempt FROM ks.overlay_log WHERE store = ? AND part = ? AND seq = ?";
  private static final String LAST =
      "SELECT "
          + COLUMNS
          + " FROM ks.overlay_log WHERE store = ? AND part = ? ORDER BY seq DESC LIMIT 1";
  private static final String LOG =
      "SELECT " + COLUMNS + " FROM ks.overlay_log WHERE store = ? AND part = ? AND seq > ? LIMIT ?";
  private static final String BESIDE =
      "INSERT INTO ks.overlay (store, turn_id, lane, bucket, seq, kind, blob, blob_bytes)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
  private static final String OF_LANE =
      "SELECT "
          + COLUMNS
          + " FROM ks.overlay WHERE store = ? AND lane = ? AND bucket = ? AND turn_id >= ?"
          + " AND turn_id <= ?";

  /// An overlay with the place of its turn.
  ///
  /// @param blobBytes the size of the blob's content
  record PlacedOverlay(Overlay overlay, long lane, int bucket, long blobBytes) {

    private CqlStatement beside() {
      return CqlStatement.of(
          BESIDE,
          overlay.target().value(),
          lane,
          bucket,
          overlay.seq(),
          OverlayNumber.of(overlay.kind()),
          overlay.blob(),
          blobBytes);
    }
  }

  private final ClusterSession session;
  private final PartList parts;

  OverlayRows(ClusterSession session, PartList parts) {
    this.session = session;
    this.parts = parts;
  }

  // ---- to write

  /// Adds an overlay to a turn that is there.
  ///
  /// @param blob in the store, or null
  /// @return the overlay's sequence
  long add(TurnRow turn, Overlay.Kind kind, @Nullable BlobHash blob, long blobBytes) {
    UUID attempt = UUID.randomUUID();
    PlacedOverlay before = last();
    long seq = before == null ? 1 : before.overlay().seq() + 1;
    QuietPause pause = session.pauses();
    while (true) {
      PlacedOverlay next =
          new PlacedOverlay(
              new Overlay(seq, turn.turn().id(), kind, blob),
              turn.lane(),
              turn.bucket(),
              blobBytes);
      if (before != null) {
        session.write(before.beside());
      }
      if (isAdded(next, attempt, pause)) {
        session.write(next.beside());
        return seq;
      }
      pause.take();
      before = last();
      seq = before == null ? seq : Math.max(seq, before.overlay().seq() + 1);
    }
  }

  private boolean isAdded(PlacedOverlay next, UUID attempt, QuietPause pause) {
    Overlay overlay = next.overlay();
    long part = overlay.seq() >> PART_BITS;
    parts.require(PartList.Kind.OVERLAY, part);
    CqlStatement adding =
        CqlStatement.of(
            ADD,
            part,
            overlay.seq(),
            overlay.target().value(),
            next.lane(),
            next.bucket(),
            OverlayNumber.of(overlay.kind()),
            overlay.blob(),
            next.blobBytes(),
            attempt);
    while (true) {
      switch (session.writeIf(adding)) {
        case HELD -> {
          return true;
        }
        case FAILED, UNKNOWN -> {
          Row row = session.readSerial(CqlStatement.of(ATTEMPT, part, overlay.seq()));
          if (row != null) {
            return attempt.equals(row.getUuid(0));
          }
          pause.take(); // not done, or not yet: the same row once more
        }
      }
    }
  }

  // ---- to read

  /// The newest overlay; null if there are none.
  @Nullable PlacedOverlay last() {
    for (long part : parts.down(PartList.Kind.OVERLAY, Long.MAX_VALUE, 4)) {
      Row row = session.readSerial(CqlStatement.of(LAST, part));
      if (row != null) {
        return read(row);
      }
    }
    return null;
  }

  /// The sequence of the newest overlay; 0 if there are none.
  long lastSeq() {
    PlacedOverlay last = last();
    return last == null ? 0 : last.overlay().seq();
  }

  /// The overlays behind a sequence, the oldest first.
  List<PlacedOverlay> after(long seq, int limit) {
    List<PlacedOverlay> overlays = new ArrayList<>();
    for (long part : parts.up(PartList.Kind.OVERLAY, (seq + 1) >> PART_BITS, 1 + limit)) {
      int left = limit - overlays.size();
      if (left <= 0) {
        break;
      }
      session.read(CqlStatement.of(LOG, part, seq, left)).forEach(row -> overlays.add(read(row)));
    }
    return overlays;
  }

  /// The statement that finds the overlays of a lane's turns.
  static CqlStatement ofLane(long lane, int bucket, long firstTurn, long lastTurn) {
    return CqlStatement.of(OF_LANE, lane, bucket, firstTurn, lastTurn);
  }

  /// The overlays of a turn, newest first.
  List<Overlay> of(TurnRow turn) {
    return session.read(ofLane(turn.lane(), turn.bucket(), turn.id(), turn.id())).stream()
        .map(row -> read(row).overlay())
        .toList()
        .reversed();
  }

  static PlacedOverlay read(Row row) {
    ByteBuffer blob = row.getByteBuffer("blob");
    return new PlacedOverlay(
        new Overlay(
            row.getLong("seq"),
            new TurnId(row.getLong("turn_id")),
            OverlayNumber.kind(row.getInt("kind")),
            blob == null ? null : BlobList.hash(blob)),
        row.getLong("lane"),
        row.getInt("bucket"),
        row.getLong("blob_bytes"));
  }
}
