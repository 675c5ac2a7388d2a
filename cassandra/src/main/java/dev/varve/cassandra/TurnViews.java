// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.varve.BlobHash;
import dev.varve.Overlay;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.View;
import dev.varve.cassandra.OverlayRows.PlacedOverlay;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.CqlStatement;
import dev.varve.database.DatabaseBlobs;
import dev.varve.database.EncodedBlob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Turns as a reader sees them: with the overlays of the reader's view, and with payloads. All
/// overlays and all payloads of a page are asked for together.
final class TurnViews {

  private record Lane(long lane, int bucket) {}

  private record Span(long first, long last) {

    Span with(long id) {
      return new Span(Math.min(first, id), Math.max(last, id));
    }
  }

  private final ClusterSession session;
  private final BlobCells cells;
  private final DatabaseBlobs blobs;
  private final ErasedNames erased;

  TurnViews(ClusterSession session, BlobCells cells, DatabaseBlobs blobs, ErasedNames erased) {
    this.session = session;
    this.cells = cells;
    this.blobs = blobs;
    this.erased = erased;
  }

  List<Turn> seen(List<TurnRow> rows, View view) {
    Map<Long, List<PlacedOverlay>> overlays = view.overlaySeqMax() > 0 ? overlays(rows) : Map.of();
    List<Turn> turns = new ArrayList<>(rows.size());
    for (TurnRow row : rows) {
      turns.add(applied(row.turn(), overlays.getOrDefault(row.id(), List.of()), view));
    }
    return view.payloads() ? withPayloads(turns) : withoutPayloads(turns);
  }

  private Map<Long, List<PlacedOverlay>> overlays(List<TurnRow> rows) {
    Map<Lane, Span> lanes = new LinkedHashMap<>();
    for (TurnRow row : rows) {
      lanes.merge(
          new Lane(row.lane(), row.bucket()),
          new Span(row.id(), row.id()),
          (span, _) -> span.with(row.id()));
    }
    List<CqlStatement> statements = new ArrayList<>();
    lanes.forEach(
        (lane, span) ->
            statements.add(
                OverlayRows.ofLane(lane.lane(), lane.bucket(), span.first(), span.last())));
    Map<Long, List<PlacedOverlay>> overlays = new HashMap<>();
    for (List<Row> found : session.readAll(statements)) {
      for (Row row : found) {
        PlacedOverlay overlay = OverlayRows.read(row);
        overlays
            .computeIfAbsent(overlay.overlay().target().value(), _ -> new ArrayList<>())
            .add(overlay);
      }
    }
    return overlays;
  }

  private static Turn applied(Turn written, List<PlacedOverlay> overlays, View view) {
    BlobHash payload = written.payloadHash();
    long sizeBytes = written.payloadSizeBytes();
    BlobHash fsRoot = written.fsRoot();
    boolean deleted = false;
    long seq = 0;
    List<PlacedOverlay> rising =
        overlays.stream()
            .filter(one -> one.overlay().seq() <= view.overlaySeqMax())
            .sorted(Comparator.comparingLong(one -> one.overlay().seq()))
            .toList();
    for (PlacedOverlay placed : rising) {
      Overlay overlay = placed.overlay();
      seq = overlay.seq();
      switch (overlay.kind()) {
        case PATCH -> {
          payload = overlay.blob() == null ? payload : overlay.blob();
          sizeBytes = placed.blobBytes();
          deleted = false;
        }
        case TOMBSTONE -> deleted = true;
        case FS_ROOT -> fsRoot = overlay.blob();
      }
    }
    return new Turn(
        written.id(),
        written.parent(),
        written.depth(),
        written.context(),
        written.type(),
        written.encoding(),
        written.declaredCompression(),
        payload,
        sizeBytes,
        written.createdAt(),
        fsRoot,
        deleted,
        seq,
        null);
  }

  private List<Turn> withoutPayloads(List<Turn> turns) {
    if (!erased.hasAny()) {
      return turns;
    }
    Set<BlobHash> gone = erased.find(payloads(turns)).keySet();
    return turns.stream()
        .map(turn -> gone.contains(turn.payloadHash()) && isGone(turn) ? deleted(turn) : turn)
        .toList();
  }

  private boolean isGone(Turn turn) {
    return !turn.tombstone() && !cells.has(turn.payloadHash()); // else it was readmitted
  }

  private static List<BlobHash> payloads(List<Turn> turns) {
    return turns.stream()
        .filter(turn -> !turn.tombstone())
        .map(Turn::payloadHash)
        .distinct()
        .toList();
  }

  private static Turn deleted(Turn turn) {
    return new Turn(
        turn.id(),
        turn.parent(),
        turn.depth(),
        turn.context(),
        turn.type(),
        turn.encoding(),
        turn.declaredCompression(),
        turn.payloadHash(),
        turn.payloadSizeBytes(),
        turn.createdAt(),
        turn.fsRoot(),
        true,
        turn.overlaySeq(),
        null);
  }

  private List<Turn> withPayloads(List<Turn> turns) {
    List<BlobHash> wanted = payloads(turns);
    List<@Nullable EncodedBlob> found = cells.findAll(wanted);
    Map<BlobHash, EncodedBlob> rows = new HashMap<>();
    for (EncodedBlob row : found) {
      if (row != null) {
        rows.put(row.hash(), row);
      }
    }
    return turns.stream()
        .map(turn -> turn.tombstone() ? turn : withPayload(turn, rows.get(turn.payloadHash())))
        .toList();
  }

  private Turn withPayload(Turn turn, @Nullable EncodedBlob row) {
    if (row == null) {
      if (erased.isErased(turn.payloadHash())) {
        return deleted(turn);
      }
      throw new StoreException.Corrupt(
          "table turn, row " + turn.id(), 0, "a payload " + turn.payloadHash(), "no such blob");
    }
    return turn.withPayload(blobs.content(row));
  }
}
