// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.CqlStatement;
import dev.varve.database.DatabaseBlobs;
import dev.varve.database.EncodedBlob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The checks and the writes that an append and a restored turn have in common.
final class TurnDraft {

  private final ClusterSession session;
  private final BlobCells cells;
  private final DatabaseBlobs blobs;
  private final TurnRows turns;
  private final ShownTurns shown;
  private final TypeRows types;
  private final StoreLimits limits;

  TurnDraft(
      ClusterSession session,
      BlobCells cells,
      DatabaseBlobs blobs,
      TurnRows turns,
      ShownTurns shown,
      TypeRows types,
      StoreLimits limits) {
    this.session = session;
    this.cells = cells;
    this.blobs = blobs;
    this.turns = turns;
    this.shown = shown;
    this.types = types;
    this.limits = limits;
  }

  void checkPayload(NewTurn turn) {
    limits.checkPayload(turn.payload().sizeBytes());
  }

  /// @throws StoreException.Erased if the payload was erased
  void refuseErased(BlobHash payload) {
    cells.refuseErased(payload);
  }

  /// The parent of a new turn; null for a root.
  ///
  /// @throws StoreException.NotFound if there is no such turn
  @Nullable TurnRow parent(TurnId id) {
    if (id.isNone()) {
      return null;
    }
    TurnRow parent = shown.require(id, "parent turn");
    if (parent.turn().depth() == Integer.MAX_VALUE) {
      throw new StoreException.TooLarge("depth", Integer.MAX_VALUE + 1L, Integer.MAX_VALUE);
    }
    return parent;
  }

  /// @throws StoreException.NotFound if the file tree's root is not in the store
  void checkFsRoot(NewTurn turn, BlobHash payload) {
    BlobHash root = turn.fsRoot();
    if (root != null && !root.equals(payload)) {
      cells.require(root, "file tree root");
    }
  }

  /// The record of a turn under its number.
  TurnRow row(
      long id,
      ContextId context,
      NewTurn turn,
      BlobHash payload,
      @Nullable TurnRow parent,
      long createdAtUnixMs) {
    Turn written =
        new Turn(
            new TurnId(id),
            parent == null ? TurnId.NONE : parent.turn().id(),
            parent == null ? 0 : parent.turn().depth() + 1,
            context,
            turn.type(),
            turn.encoding(),
            turn.declaredCompression(),
            payload,
            turn.payload().sizeBytes(),
            Instant.ofEpochMilli(createdAtUnixMs),
            turn.fsRoot(),
            false,
            0,
            null);
    long jump = parent == null ? id : turns.ancestors().jumpOfChild(parent.link());
    return new TurnRow(written, jump, parent == null ? 0 : parent.lane());
  }

  /// Writes a turn and all that it needs. The turn's own row comes last.
  ///
  /// @param beside to be written with the first half
  /// @param behind to be written with the turn's own row
  void write(
      TurnRow row,
      Payload payload,
      Optional<CqlStatement> type,
      List<CqlStatement> beside,
      List<CqlStatement> behind) {
    List<CqlStatement> first = new ArrayList<>(beside);
    List<CqlStatement> second = new ArrayList<>(behind);
    EncodedBlob blob = null;
    if (!blobs.isInOnePiece(payload)) {
      blobs.put(payload);
    } else if (!cells.isRecent(row.turn().payloadHash())) {
      blob = blobs.encoded(payload);
      BlobCells.CellWrite write = cells.admitted(blob);
      first.add(write.cell());
      second.add(write.listing());
    }
    type.ifPresent(first::add);
    first.addAll(TurnRows.preparations(row));
    second.add(TurnRows.insertion(row));
    session.write(first);
    session.write(second);
    if (blob != null) {
      cells.kept(blob);
    }
    types.kept(row.turn().type());
    turns.remember(row);
  }
}
