// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.TurnPage;
import dev.varve.View;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.CqlStatement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// The reading of paths: a slice of a lane has many turns of a path at once. Where a path leaves
/// the lane, and at the end of a bucket, the next slice begins.
final class PathReader {

  /// The turns of a replay that are read at once.
  private static final int REPLAY_TURNS = 512;

  private static final String SLICE =
      "SELECT turn_id, rec FROM ks.turn_lane WHERE store = ? AND lane = ? AND bucket = ?"
          + " AND turn_id <= ? LIMIT ?";

  /// A place on a path; `id` is 0 behind the root.
  private record Place(long id, long lane, int depth) {

    static Place of(TurnRow row) {
      return new Place(row.id(), row.lane(), row.turn().depth());
    }

    static Place above(TurnRow row) {
      return new Place(row.turn().parent().value(), row.parentLane(), row.turn().depth() - 1);
    }
  }

  private final ClusterSession session;
  private final TurnRows turns;
  private final TurnViews views;

  PathReader(ClusterSession session, TurnRows turns, TurnViews views) {
    this.session = session;
    this.turns = turns;
    this.views = views;
  }

  // ---- pages

  TurnPage last(HeadRow head, int limit, View view) {
    Place end = new Place(head.head().head().value(), head.lane(), head.head().headDepth());
    return page(head, end, limit, view);
  }

  TurnPage before(HeadRow head, TurnId cursor, int limit, View view) {
    TurnRow at = turns.require(cursor, "turn");
    int depth = at.turn().depth();
    if (head.head().head().isNone()
        || depth > head.head().headDepth()
        || turns.ancestors().ancestor(head.head().head().value(), depth) != cursor.value()) {
      throw new StoreException.NotFound("turn", cursor.toString());
    }
    return page(head, Place.above(at), limit, view);
  }

  TurnPage range(HeadRow head, int startDepth, int limit, View view) {
    long end = Math.min(head.head().headDepth(), (long) startDepth + limit - 1);
    if (head.head().head().isNone() || end < startDepth) {
      return new TurnPage(head.head(), List.of(), null);
    }
    long last = turns.ancestors().ancestor(head.head().head().value(), (int) end);
    Place place = Place.of(turns.require(new TurnId(last), "turn"));
    return page(head, place, (int) (end - startDepth + 1), view);
  }

  private TurnPage page(HeadRow head, Place end, int limit, View view) {
    List<Turn> seen = views.seen(path(end, limit).reversed(), view);
    boolean reachesRoot = seen.isEmpty() || seen.getFirst().depth() == 0;
    return new TurnPage(head.head(), seen, reachesRoot ? null : seen.getFirst().id());
  }

  /// Hands over a whole path, the root first. Walks to the root, remembers a place in some hundred,
  /// and reads the path again from there.
  void replay(TurnId last, View view, Consumer<? super Turn> each) {
    if (last.isNone()) {
      return;
    }
    List<Place> ends = new ArrayList<>();
    Place at = Place.of(turns.require(last, "turn"));
    while (at.id() != 0) {
      ends.add(at);
      int rest = at.depth() % REPLAY_TURNS + 1;
      at = Place.above(path(at, rest).getLast());
    }
    for (Place end : ends.reversed()) {
      List<TurnRow> slice = path(end, end.depth() % REPLAY_TURNS + 1);
      views.seen(slice.reversed(), view).forEach(each);
    }
  }

  // ---- a path

  /// The turns of a path from `end` upwards, newest first.
  private List<TurnRow> path(Place end, int limit) {
    List<TurnRow> path = new ArrayList<>(Math.min(limit, 1024));
    Place at = end;
    while (path.size() < limit && at.id() != 0) {
      int before = path.size();
      Map<Long, TurnRow> slice = slice(at, limit - path.size());
      TurnRow row = slice.get(at.id());
      if (row == null) {
        row = turns.find(at.id()); // its place in the lane is missing: only the record counts
      }
      while (row != null && path.size() < limit) {
        path.add(row);
        at = Place.above(row);
        row = slice.get(at.id());
      }
      if (path.size() == before) {
        throw new StoreException.Corrupt(
            "table turn, row " + at.id(), 0, "a turn at depth " + at.depth(), "none");
      }
    }
    return path;
  }

  private Map<Long, TurnRow> slice(Place at, int limit) {
    int bucket = at.depth() >> TurnRow.BUCKET_BITS;
    int inBucket = at.depth() - (bucket << TurnRow.BUCKET_BITS) + 1;
    Map<Long, TurnRow> rows = new HashMap<>();
    CqlStatement statement =
        CqlStatement.of(SLICE, at.lane(), bucket, at.id(), Math.min(limit, inBucket));
    for (Row row : session.read(statement)) {
      long id = row.getLong(0);
      rows.put(id, TurnRow.read(id, row.getByteBuffer(1)));
    }
    return rows;
  }
}
