// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.StoreException;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.ClusterSession.Condition;
import dev.varve.cassandra.cql.CqlStatement;
import dev.varve.cassandra.cql.QuietPause;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The table `head`, which is touched by conditional statements and SERIAL reads only.
final class HeadRows {

  private static final String READ =
      "SELECT " + HeadRow.COLUMNS + " FROM ks.head WHERE store = ? AND context_id = ?";
  private static final String INSERT =
      "INSERT INTO ks.head (store, "
          + HeadRow.COLUMNS
          + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) IF NOT EXISTS";
  private static final String MOVE =
      "UPDATE ks.head SET turn_id = ?, lane = ?, depth = ?, active_ms = ?"
          + " WHERE store = ? AND context_id = ? IF turn_id = ? AND active_ms = ?";
  private static final String MOVE_ABOUT =
      "UPDATE ks.head SET turn_id = ?, lane = ?, depth = ?, active_ms = ?, about = ?"
          + " WHERE store = ? AND context_id = ? IF turn_id = ? AND active_ms = ?";

  private final ClusterSession session;

  HeadRows(ClusterSession session) {
    this.session = session;
  }

  /// The head behind all changes that are done or under way.
  ///
  /// @throws StoreException.NotFound if there is no such context
  HeadRow require(ContextId context) {
    HeadRow row = find(context.value());
    if (row == null) {
      throw new StoreException.NotFound("context", context.toString());
    }
    return row;
  }

  @Nullable HeadRow find(long context) {
    Row row = session.readSerial(CqlStatement.of(READ, context));
    return row == null || row.isNull("turn_id") ? null : HeadRow.read(row);
  }

  /// The heads of several contexts; contexts that are absent are left out.
  List<HeadRow> findAll(List<Long> contexts) {
    List<HeadRow> found = new ArrayList<>();
    List<CqlStatement> statements =
        contexts.stream().map(context -> CqlStatement.of(READ, context)).toList();
    for (Row row : session.readAllSerial(statements)) {
      if (row != null && !row.isNull("turn_id")) {
        found.add(HeadRow.read(row));
      }
    }
    return found;
  }

  /// Makes a context under a number; returns whether this call made the context.
  boolean insert(HeadRow row) {
    ContextHead head = row.head();
    CqlStatement statement =
        CqlStatement.of(
            INSERT,
            head.id().value(),
            row.turnId(),
            row.lane(),
            head.headDepth(),
            head.base().value(),
            head.createdAt().toEpochMilli(),
            row.activeMs(),
            head.about());
    QuietPause pause = session.pauses();
    boolean wasUnknown = false;
    while (true) {
      Condition done = session.writeIf(statement);
      if (done == Condition.HELD) {
        return true;
      }
      HeadRow there = find(head.id().value());
      if (there != null) {
        return wasUnknown(wasUnknown, done) && there.equals(row);
      }
      wasUnknown = true;
      pause.take();
    }
  }

  private static boolean wasUnknown(boolean before, Condition now) {
    return before || now == Condition.UNKNOWN;
  }

  /// Asks once to move a head.
  Condition move(HeadRow from, HeadRow to) {
    return session.writeIf(
        CqlStatement.of(
            MOVE,
            to.turnId(),
            to.lane(),
            to.head().headDepth(),
            to.activeMs(),
            from.head().id().value(),
            from.turnId(),
            from.activeMs()));
  }

  /// Asks once to move a head and to change what the context is about.
  Condition moveAbout(HeadRow from, HeadRow to) {
    BlobHash about = to.head().about();
    return session.writeIf(
        CqlStatement.of(
            MOVE_ABOUT,
            to.turnId(),
            to.lane(),
            to.head().headDepth(),
            to.activeMs(),
            about,
            from.head().id().value(),
            from.turnId(),
            from.activeMs()));
  }
}
