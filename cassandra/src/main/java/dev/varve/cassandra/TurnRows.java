// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.turn.AncestorSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The tables `turn`, `turn_lane` and `child`. A row of `turn` is written last, so that a turn that
/// is there has its payload, its place in its lane and its entry among the children.
final class TurnRows {

  private static final int RECENT_MAX = 20_000;
  private static final int PARTS_AT_ONCE = 16;

  private static final String READ =
      "SELECT rec FROM ks.turn WHERE store = ? AND block = ? AND turn_id = ?";
  private static final String INSERT =
      "INSERT INTO ks.turn (store, block, turn_id, rec) VALUES (?, ?, ?, ?)";
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
  private static final String CHILDREN =
      "SELECT turn_id FROM ks.child WHERE store = ? AND parent = ? AND payload = ?";
  private static final String NUMBERS =
      "SELECT turn_id FROM ks.turn WHERE store = ? AND block = ? AND turn_id > ? LIMIT ?";
  private static final String NEWEST =
      "SELECT turn_id FROM ks.turn WHERE store = ? AND block = ? ORDER BY turn_id DESC LIMIT 1";

  private final ClusterSession session;
  private final PartList parts;
  private final RecentMap<Long, TurnRow> recent = new RecentMap<>(RECENT_MAX);
  private final AncestorSearch ancestors = new AncestorSearch(this::link);

  TurnRows(ClusterSession session, PartList parts) {
    this.session = session;
    this.parts = parts;
  }

  // ---- one turn

  /// The record of a turn; null if there is no such turn. Records never change.
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
    return read;
  }

  TurnRow require(TurnId id, String kind) {
    TurnRow row = find(id.value());
    if (row == null) {
      throw new StoreException.NotFound(kind, id.toString());
    }
    return row;
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

  // ---- many turns

  /// The smallest child with a payload. An entry without a turn is of a writer that ended early.
  Optional<TurnId> child(TurnId parent, BlobHash payload) {
    for (Row row : session.read(CqlStatement.of(CHILDREN, parent.value(), payload))) {
      if (find(row.getLong(0)) != null) {
        return Optional.of(new TurnId(row.getLong(0)));
      }
    }
    return Optional.empty();
  }

  /// The numbers above `after`, at most `limit` of them.
  List<TurnId> numbers(TurnId after, int limit) {
    List<TurnId> numbers = new ArrayList<>();
    long from = TurnRow.block(after.value() + 1);
    while (numbers.size() < limit) {
      List<Long> blocks = parts.up(PartList.Kind.TURN, from, PARTS_AT_ONCE);
      for (long block : blocks) {
        int left = limit - numbers.size();
        if (left > 0) {
          session
              .read(CqlStatement.of(NUMBERS, block, after.value(), left))
              .forEach(row -> numbers.add(new TurnId(row.getLong(0))));
        }
      }
      if (blocks.size() < PARTS_AT_ONCE) {
        break;
      }
      from = blocks.getLast() + 1;
    }
    return numbers;
  }

  /// The greatest number that a turn has; [TurnId#NONE] if there are no turns.
  TurnId newest() {
    List<Long> blocks = parts.down(PartList.Kind.TURN, Long.MAX_VALUE, PARTS_AT_ONCE);
    while (!blocks.isEmpty()) {
      for (long block : blocks) {
        Row row = session.readOne(CqlStatement.of(NEWEST, block));
        if (row != null) {
          return new TurnId(row.getLong(0));
        }
      }
      blocks = parts.down(PartList.Kind.TURN, blocks.getLast() - 1, PARTS_AT_ONCE);
    }
    return TurnId.NONE;
  }
}
