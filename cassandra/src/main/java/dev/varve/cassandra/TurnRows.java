// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.CqlStatement;
import dev.varve.turn.AncestorSearch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The records of turns, in the tables `turn`, `turn_lane` and `child`. A row of `turn` is written
/// last, so that a turn that is there has its payload, its place in its lane and its entry among
/// the children. The turn is a draft until its context's head has moved to it ([ShownTurns]).
final class TurnRows {

  private static final int RECENT_MAX = 20_000;

  private static final String READ =
      "SELECT rec, shown FROM ks.turn WHERE store = ? AND block = ? AND turn_id = ?";
  private static final String INSERT =
      "INSERT INTO ks.turn (store, block, turn_id, rec) VALUES (?, ?, ?, ?)";
  private static final String MARK =
      "UPDATE ks.turn SET shown = true WHERE store = ? AND block = ? AND turn_id = ?";
  private static final String IS_MARKED =
      "SELECT shown FROM ks.turn WHERE store = ? AND block = ? AND turn_id = ?";
  private static final String INSERT_LANE =
      "INSERT INTO ks.turn_lane (store, lane, bucket, turn_id, rec) VALUES (?, ?, ?, ?, ?)";
  private static final String INSERT_CHILD =
      "INSERT INTO ks.child (store, parent, payload, turn_id) VALUES (?, ?, ?, ?)";
  private static final String DELETE =
      "DELETE FROM ks.turn WHERE store = ? AND block = ? AND turn_id = ?";
  private static final String DELETE_LANE =
      "DELETE FROM ks.turn_lane WHERE store = ? AND lane = ? AND bucket = ? AND turn_id = ?";
  private static final String DELETE_CHILD =
      "DELETE FROM ks.child WHERE store = ? AND parent = ? AND payload = ? AND turn_id = ?";

  private final ClusterSession session;
  private final RecentMap<Long, TurnRow> recent = new RecentMap<>(RECENT_MAX);

  /// Turns of which this process knows that they are marked; a mark is never taken back.
  private final RecentMap<Long, Boolean> marked = new RecentMap<>(RECENT_MAX);

  private final AncestorSearch ancestors = new AncestorSearch(this::link);

  TurnRows(ClusterSession session) {
    this.session = session;
  }

  // ---- one turn

  /// The record of a turn or of a draft; null if there is none. Records never change.
  @Nullable TurnRow find(long id) {
    TurnRow known = recent.find(id);
    if (known != null || id <= 0) {
      return known;
    }
    Row row = session.readOne(CqlStatement.of(READ, TurnRow.block(id), id));
    if (row == null) {
      return null;
    }
    TurnRow read = TurnRow.read(id, row.getByteBuffer(0));
    recent.put(id, read);
    if (row.getBoolean(1)) {
      rememberMark(id);
    }
    return read;
  }

  /// The record of a turn or of a draft.
  ///
  /// @throws StoreException.NotFound if there is none
  TurnRow require(TurnId id, String kind) {
    TurnRow row = find(id.value());
    if (row == null) {
      throw new StoreException.NotFound(kind, id.toString());
    }
    return row;
  }

  /// Returns whether a turn is marked as one that readers may see.
  boolean isMarked(long id) {
    if (marked.find(id) != null) {
      return true;
    }
    Row row = session.readOne(CqlStatement.of(IS_MARKED, TurnRow.block(id), id));
    boolean isMarked = row != null && row.getBoolean(0);
    if (isMarked) {
      rememberMark(id);
    }
    return isMarked;
  }

  /// Remembers that a turn was marked.
  void rememberMark(long id) {
    marked.put(id, true);
  }

  /// The statement that marks a turn which is a head, before another turn becomes the head; none if
  /// there is no head or the head is known to be marked.
  List<CqlStatement> marking(long head) {
    return head == 0 || marked.find(head) != null ? List.of() : List.of(mark(head));
  }

  /// Remembers a record that was read or written elsewhere.
  void remember(TurnRow row) {
    recent.put(row.id(), row);
  }

  private AncestorSearch.Link link(long id) {
    TurnRow row = find(id);
    if (row == null) {
      throw new StoreException.Corrupt("table turn, row " + id, 0, "a turn", "none");
    }
    return row.link();
  }

  AncestorSearch ancestors() {
    return ancestors;
  }

  // ---- to write

  static CqlStatement insertion(TurnRow row) {
    return CqlStatement.of(INSERT, row.block(), row.id(), row.bytes());
  }

  /// The statement that marks a turn as one that readers may see.
  static CqlStatement mark(long id) {
    return CqlStatement.of(MARK, TurnRow.block(id), id);
  }

  /// The statements to do before the turn's own row.
  static List<CqlStatement> preparations(TurnRow row) {
    return List.of(
        CqlStatement.of(INSERT_LANE, row.lane(), row.bucket(), row.id(), row.bytes()),
        CqlStatement.of(
            INSERT_CHILD, row.turn().parent().value(), row.turn().payloadHash(), row.id()));
  }

  /// Takes back a turn that no head and no reader can have as its own.
  void delete(TurnRow row) {
    recent.remove(row.id());
    session.write(CqlStatement.of(DELETE, row.block(), row.id()));
    session.write(
        CqlStatement.of(DELETE_LANE, row.lane(), row.bucket(), row.id()),
        CqlStatement.of(
            DELETE_CHILD, row.turn().parent().value(), row.turn().payloadHash(), row.id()));
  }
}
