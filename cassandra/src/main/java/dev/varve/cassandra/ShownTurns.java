// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.CqlStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The turns that readers may see: those that are or were the head of the context through which
/// they were appended, and restored turns. A turn of a writer that is still at work, that lost a
/// race or that was killed before the head moved is a draft, and no reader sees the draft by its
/// number, among the children of its parent, or in a count.
///
/// Whoever moves a head first marks the turn that was the head. So a turn without a mark is a turn
/// to show only if it is the head now, or was marked since: one SERIAL read decides.
final class ShownTurns {

  private static final int PARTS_AT_ONCE = 16;
  private static final int ROWS_AT_ONCE = 64;

  private static final String CHILDREN =
      "SELECT turn_id FROM ks.child WHERE store = ? AND parent = ? AND payload = ? AND turn_id > ?"
          + " LIMIT ?";
  private static final String NUMBERS =
      "SELECT turn_id, shown FROM ks.turn WHERE store = ? AND block = ? AND turn_id > ? LIMIT ?";
  private static final String NEWEST =
      "SELECT turn_id, shown FROM ks.turn WHERE store = ? AND block = ? AND turn_id < ?"
          + " ORDER BY turn_id DESC LIMIT ?";

  private final ClusterSession session;
  private final PartList parts;
  private final HeadRows heads;
  private final TurnRows turns;

  ShownTurns(ClusterSession session, PartList parts, HeadRows heads, TurnRows turns) {
    this.session = session;
    this.parts = parts;
    this.heads = heads;
    this.turns = turns;
  }

  // ---- one turn

  /// The record of a turn.
  ///
  /// @throws StoreException.NotFound if there is no such turn, or only a draft
  TurnRow require(TurnId id, String kind) {
    TurnRow row = turns.require(id, kind);
    if (!isShown(row)) {
      throw new StoreException.NotFound(kind, id.toString());
    }
    return row;
  }

  /// Returns whether a record is of a turn that readers may see.
  boolean isShown(TurnRow row) {
    return turns.isMarked(row.id()) || isHead(row) || turns.isMarked(row.id());
  }

  private boolean isHead(TurnRow row) {
    HeadRow head = heads.find(row.lane());
    return head != null && head.turnId() == row.id();
  }

  private boolean isShown(long id) {
    TurnRow row = turns.find(id);
    return row != null && isShown(row);
  }

  // ---- many turns

  /// The smallest child with a payload.
  Optional<TurnId> child(TurnId parent, BlobHash payload) {
    long after = 0;
    while (true) {
      List<Row> rows =
          session.read(CqlStatement.of(CHILDREN, parent.value(), payload, after, ROWS_AT_ONCE));
      for (Row row : rows) {
        after = row.getLong(0);
        if (isShown(after)) {
          return Optional.of(new TurnId(after));
        }
      }
      if (rows.size() < ROWS_AT_ONCE) {
        return Optional.empty();
      }
    }
  }

  /// The numbers above `after`, at most `limit` of them.
  List<TurnId> numbers(TurnId after, int limit) {
    List<TurnId> numbers = new ArrayList<>();
    long from = TurnRow.block(after.value() + 1);
    while (numbers.size() < limit) {
      List<Long> blocks = parts.up(PartList.Kind.TURN, from, PARTS_AT_ONCE);
      for (long block : blocks) {
        addNumbers(block, after.value(), limit, numbers);
      }
      if (blocks.size() < PARTS_AT_ONCE) {
        break;
      }
      from = blocks.getLast() + 1;
    }
    return numbers;
  }

  private void addNumbers(long block, long after, int limit, List<TurnId> numbers) {
    long last = after;
    while (numbers.size() < limit) {
      int asked = limit - numbers.size();
      List<Row> rows = session.read(CqlStatement.of(NUMBERS, block, last, asked));
      for (Row row : rows) {
        last = row.getLong(0);
        if (isShown(row)) {
          numbers.add(new TurnId(last));
        }
      }
      if (rows.size() < asked) {
        return;
      }
    }
  }

  /// Returns whether a row of a number and its mark is of a turn that readers may see.
  private boolean isShown(Row row) {
    return row.getBoolean(1) || isShown(row.getLong(0));
  }

  /// The number of turns of a block, of which some rows have no mark.
  long count(long block) {
    return session.read(CqlStatement.of(NUMBERS, block, 0L, Integer.MAX_VALUE)).stream()
        .filter(this::isShown)
        .count();
  }

  /// The greatest number that a turn has; [TurnId#NONE] if there are no turns.
  TurnId newest() {
    List<Long> blocks = parts.down(PartList.Kind.TURN, Long.MAX_VALUE, PARTS_AT_ONCE);
    while (!blocks.isEmpty()) {
      for (long block : blocks) {
        TurnId newest = newest(block);
        if (newest != null) {
          return newest;
        }
      }
      blocks = parts.down(PartList.Kind.TURN, blocks.getLast() - 1, PARTS_AT_ONCE);
    }
    return TurnId.NONE;
  }

  private @Nullable TurnId newest(long block) {
    long before = Long.MAX_VALUE;
    while (true) {
      List<Row> rows = session.read(CqlStatement.of(NEWEST, block, before, ROWS_AT_ONCE));
      for (Row row : rows) {
        before = row.getLong(0);
        if (isShown(row)) {
          return new TurnId(before);
        }
      }
      if (rows.size() < ROWS_AT_ONCE) {
        return null;
      }
    }
  }
}
