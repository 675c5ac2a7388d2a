// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.TurnId;
import dev.varve.cassandra.OverlayRows.PlacedOverlay;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.CqlStatement;
import dev.varve.database.LinkSurvey;
import dev.varve.database.NameSurvey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// The turns, overlays and contexts of a store. Contexts are read first, so that the turns that
/// heads lead to are among the turns. Some 100 bytes of memory for each context.
///
/// Drafts are among the turns: the head of a killed writer may still move to its draft, which then
/// has its payload, unless the payload goes for the sake of the draft's own context.
final class PathSnapshot extends LinkSurvey {

  private static final int ROWS_AT_ONCE = 512;
  private static final int PARTS_AT_ONCE = 64;

  private static final String TURNS =
      "SELECT turn_id, rec FROM ks.turn WHERE store = ? AND block = ? AND turn_id > ? LIMIT ?";

  private final ClusterSession session;
  private final PartList parts;
  private final OverlayRows overlays;
  private final FormerAbouts abouts;
  private final Runnable alive;
  private final List<ContextHead> contexts = new ArrayList<>();
  private final long lastSeq;
  private int places;

  /// Reads all contexts and turns.
  ///
  /// @param alive is called from time to time, also when overlays are read
  PathSnapshot(
      ClusterSession session,
      PartList parts,
      ContextLists lists,
      OverlayRows overlays,
      NameSurvey blobs,
      Runnable alive) {
    super(blobs);
    this.session = session;
    this.parts = parts;
    this.overlays = overlays;
    this.abouts = new FormerAbouts(session);
    this.alive = alive;
    this.lastSeq = overlays.lastSeq();
    readContexts(lists);
    readTurns();
  }

  private void readContexts(ContextLists lists) {
    List<ContextHead> page = lists.byNumber(Long.MAX_VALUE, ROWS_AT_ONCE);
    while (!page.isEmpty()) {
      alive.run();
      contexts.addAll(page);
      page = lists.byNumber(page.getLast().id().value(), ROWS_AT_ONCE);
    }
  }

  private void readTurns() {
    long from = 0;
    while (true) {
      List<Long> blocks = parts.up(PartList.Kind.TURN, from, PARTS_AT_ONCE);
      blocks.forEach(this::readBlock);
      if (blocks.size() < PARTS_AT_ONCE) {
        return;
      }
      from = blocks.getLast() + 1;
    }
  }

  private void readBlock(long block) {
    alive.run();
    List<Row> rows;
    long last = 0;
    do {
      rows = session.read(CqlStatement.of(TURNS, block, last, ROWS_AT_ONCE));
      for (Row row : rows) {
        last = row.getLong(0);
        if (!row.isNull(1)) { // else the mark of a draft that was taken back
          add(TurnRow.read(last, row.getByteBuffer(1)));
        }
      }
    } while (rows.size() == ROWS_AT_ONCE);
  }

  private void add(TurnRow row) {
    if (turnCount() == places) {
      places = NameSurvey.places("turn", Math.max(ROWS_AT_ONCE, 3L * places / 2));
      reserve(places);
    }
    add(
        row.id(),
        row.turn().parent().value(),
        row.lane(),
        row.turn().payloadHash(),
        row.turn().fsRoot());
  }

  @Override
  public void eachOverlay(Consumer<SurveyedOverlay> visitor) {
    long seq = 0;
    while (seq < lastSeq) {
      alive.run();
      List<PlacedOverlay> page = overlays.after(seq, ROWS_AT_ONCE);
      if (page.isEmpty()) {
        return;
      }
      for (PlacedOverlay placed : page) {
        seq = placed.overlay().seq();
        TurnId target = placed.overlay().target();
        if (seq <= lastSeq) {
          visitor.accept(
              new SurveyedOverlay(
                  seq,
                  turnOf(target.value()),
                  target.value(),
                  placed.overlay().kind(),
                  ordinal(placed.overlay().blob())));
        }
      }
    }
  }

  @Override
  public boolean hasContext(ContextId context) {
    return contexts.stream().anyMatch(head -> head.id().equals(context));
  }

  @Override
  public void eachPlace(Consumer<ContextPlace> visitor) {
    for (ContextHead head : contexts) {
      visitor.accept(new ContextPlace(head.id(), head.head().value(), head.base().value()));
    }
  }

  @Override
  public void eachAbout(Consumer<ContextAbout> visitor) {
    for (ContextHead head : contexts) {
      if (head.about() != null) {
        visitor.accept(new ContextAbout(head.id(), ordinal(head.about())));
      }
    }
    long block = -1;
    for (ContextHead head : contexts) {
      if (TurnRow.block(head.id().value()) != block) {
        block = TurnRow.block(head.id().value());
        alive.run();
        abouts.each(
            block, (context, about) -> visitor.accept(new ContextAbout(context, ordinal(about))));
      }
    }
  }
}
