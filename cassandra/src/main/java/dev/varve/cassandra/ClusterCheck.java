// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.varve.BlobHash;
import dev.varve.CheckReport;
import dev.varve.ContextHead;
import dev.varve.ReadProgress;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.cassandra.OverlayRows.PlacedOverlay;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.database.DatabaseBlobs;
import dev.varve.database.EncodedBlob;
import dev.varve.database.FoundProblems;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A full reading of a store: each blob is decompressed and hashed, each link is followed. There is
/// no one moment that the check sees; commits go on meanwhile, and objects that were written since
/// the check began may be looked at or not.
final class ClusterCheck {

  private static final int ROWS_AT_ONCE = 64;

  private final ClusterSession session;
  private final BlobList names;
  private final BlobCells cells;
  private final DatabaseBlobs blobs;
  private final TurnRows turns;
  private final ShownTurns shown;
  private final ContextLists contexts;
  private final OverlayRows overlays;
  private final ErasedNames erased;
  private final FoundProblems problems = new FoundProblems();

  ClusterCheck(
      ClusterSession session,
      BlobList names,
      BlobCells cells,
      DatabaseBlobs blobs,
      TurnRows turns,
      ShownTurns shown,
      ContextLists contexts,
      OverlayRows overlays,
      ErasedNames erased) {
    this.session = session;
    this.names = names;
    this.cells = cells;
    this.blobs = blobs;
    this.turns = turns;
    this.shown = shown;
    this.contexts = contexts;
    this.overlays = overlays;
    this.erased = erased;
  }

  CheckReport run(ReadProgress progress) {
    long blobCount = readBlobs(progress);
    long contextCount = readContexts();
    Turn newest = null;
    long turnCount = 0;
    List<TurnId> page = shown.numbers(TurnId.NONE, ROWS_AT_ONCE);
    while (!page.isEmpty()) {
      turnCount += page.size();
      newest = readTurns(page);
      page = shown.numbers(page.getLast(), ROWS_AT_ONCE);
    }
    return new CheckReport(
        blobCount,
        turnCount,
        contextCount,
        readOverlays(),
        newest == null ? null : new CheckReport.NewestTurn(newest.id(), newest.createdAt()),
        problems.list());
  }

  private long readBlobs(ReadProgress progress) {
    long total = names.sum().blobs();
    long done = 0;
    List<EncodedBlob> chunked = new ArrayList<>();
    List<BlobHash> page = names.page(null, ROWS_AT_ONCE);
    while (!page.isEmpty()) {
      List<@Nullable EncodedBlob> rows = cells.findAll(page);
      for (int i = 0; i < page.size(); i++) {
        EncodedBlob row = rows.get(i);
        if (row == null && names.lists(page.get(i))) { // else erased beside the check
          problems.add("table blob, row " + page.get(i) + ": listed, and not there");
        } else if (row != null && row.isChunked()) {
          chunked.add(row);
        } else if (row != null) {
          problems.readPiece(row);
        }
        done++;
        progress.reached(done, Math.max(done, total));
      }
      page = names.page(page.getLast(), ROWS_AT_ONCE);
    }
    problems.readChunked(chunked, blobs);
    return done;
  }

  /// Looks at some turns; returns the last of them.
  private @Nullable Turn readTurns(List<TurnId> ids) {
    List<TurnRow> rows = new ArrayList<>();
    for (TurnId id : ids) {
      try {
        TurnRow row = turns.find(id.value());
        if (row != null) {
          readLinks(row);
          rows.add(row);
        }
      } catch (StoreException.Corrupt e) {
        problems.add(String.valueOf(e.getMessage()));
      }
    }
    readPayloads(rows);
    return rows.isEmpty() ? null : rows.getLast().turn();
  }

  private void readLinks(TurnRow row) {
    Turn turn = row.turn();
    boolean isRoot = turn.parent().isNone();
    TurnRow parent = turns.find(turn.parent().value());
    boolean fits =
        isRoot
            ? turn.depth() == 0
            : parent != null
                && parent.turn().depth() + 1 == turn.depth()
                && parent.id() < row.id()
                && parent.lane() == row.parentLane();
    if (!fits) {
      misfit(row.id(), "parent " + turn.parent());
    }
    TurnRow jump = turns.find(row.jump());
    if (jump == null || jump.turn().depth() > turn.depth()) {
      misfit(row.id(), "jump " + row.jump());
    }
  }

  private void readPayloads(List<TurnRow> rows) {
    List<List<Row>> sizes =
        session.readAll(rows.stream().map(row -> BlobList.size(row.turn().payloadHash())).toList());
    for (int i = 0; i < rows.size(); i++) {
      Turn turn = rows.get(i).turn();
      List<Row> found = sizes.get(i);
      if (found.isEmpty() && !erased.isErased(turn.payloadHash())) {
        problems.add(
            "table turn, row %s: payload %s is not listed in table blob_list"
                .formatted(turn.id(), turn.payloadHash()));
      } else if (!found.isEmpty() && found.getFirst().getLong(0) != turn.payloadSizeBytes()) {
        misfit(turn.id().value(), "payload " + turn.payloadHash());
      }
      BlobHash root = turn.fsRoot();
      if (root != null && !cells.has(root) && !erased.isErased(root)) {
        misfit(turn.id().value(), "file tree " + root);
      }
    }
  }

  private long readContexts() {
    long count = 0;
    List<ContextHead> page = contexts.byNumber(Long.MAX_VALUE, ROWS_AT_ONCE);
    while (!page.isEmpty()) {
      count += page.size();
      for (ContextHead head : page) {
        TurnRow turn = turns.find(head.head().value());
        boolean fits =
            head.head().isNone() || turn != null && turn.turn().depth() == head.headDepth();
        if (!fits) {
          problems.add(
              "table head, row %s: head %s does not fit".formatted(head.id(), head.head()));
        }
      }
      page = contexts.byNumber(page.getLast().id().value(), ROWS_AT_ONCE);
    }
    return count;
  }

  private long readOverlays() {
    long count = 0;
    List<PlacedOverlay> page = overlays.after(0, ROWS_AT_ONCE);
    while (!page.isEmpty()) {
      count += page.size();
      for (PlacedOverlay placed : page) {
        TurnRow turn = turns.find(placed.overlay().target().value());
        if (turn == null || turn.lane() != placed.lane() || turn.bucket() != placed.bucket()) {
          problems.add(
              "table overlay_log, row %d: turn %s does not fit"
                  .formatted(placed.overlay().seq(), placed.overlay().target()));
        }
      }
      page = overlays.after(page.getLast().overlay().seq(), ROWS_AT_ONCE);
    }
    return count;
  }

  private void misfit(long turn, String what) {
    problems.add("table turn, row %d: %s does not fit".formatted(turn, what));
  }
}
