// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.varve.ContextHold;
import dev.varve.ContextHolds;
import dev.varve.ContextId;
import dev.varve.StoreException;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.ClusterSession.Condition;
import dev.varve.cassandra.cql.CqlStatement;
import dev.varve.cassandra.cql.QuietPause;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The table `hold`, which is changed by conditions, so that no two clocks decide whether a hold
/// was placed before or behind a release.
final class ClusterHolds implements ContextHolds {

  private static final String COLUMNS = "context_id, since_ms, until_ms, reason";
  private static final String ALL = "SELECT " + COLUMNS + " FROM ks.hold WHERE store = ?";
  private static final String PLACE =
      "INSERT INTO ks.hold (store, " + COLUMNS + ") VALUES (?, ?, ?, ?, ?) IF NOT EXISTS";
  private static final String REPLACE =
      "UPDATE ks.hold SET since_ms = ?, until_ms = ?, reason = ? WHERE store = ? AND context_id = ?"
          + " IF EXISTS";
  private static final String RELEASE =
      "DELETE FROM ks.hold WHERE store = ? AND context_id = ? IF EXISTS";

  private final ClusterSession session;
  private final HeadRows heads;
  private final WriteLease lease;
  private final InstantSource clock;

  ClusterHolds(ClusterSession session, HeadRows heads, WriteLease lease, InstantSource clock) {
    this.session = session;
    this.heads = heads;
    this.lease = lease;
    this.clock = clock;
  }

  @Override
  public ContextHold hold(ContextId context, @Nullable Instant until, String reason) {
    ContextHold hold = ContextHold.placed(context, clock.instant(), until, reason);
    return lease.with(
        () -> {
          heads.require(context);
          place(hold);
          return hold;
        });
  }

  private void place(ContextHold hold) {
    QuietPause pause = session.pauses();
    while (true) {
      Optional<ContextHold> present = find(hold.context());
      if (present.isPresent() && present.get().equals(hold)) {
        return;
      }
      int count = all().size();
      if (present.isEmpty() && count >= HOLDS_MAX) {
        throw new StoreException.TooLarge("holds", count + 1, HOLDS_MAX);
      }
      long context = hold.context().value();
      long since = hold.since().toEpochMilli();
      Instant until = hold.until();
      Long untilUnixMs = until == null ? null : until.toEpochMilli();
      CqlStatement change =
          present.isEmpty()
              ? CqlStatement.of(PLACE, context, since, untilUnixMs, hold.reason())
              : CqlStatement.of(REPLACE, since, untilUnixMs, hold.reason(), context);
      if (session.writeIf(change) == Condition.HELD) {
        return;
      }
      pause.take();
    }
  }

  @Override
  public Optional<ContextHold> release(ContextId context) {
    return lease.with(
        () -> {
          heads.require(context);
          Optional<ContextHold> present = find(context);
          QuietPause pause = session.pauses();
          while (find(context).isPresent()
              && session.writeIf(CqlStatement.of(RELEASE, context.value())) != Condition.HELD) {
            pause.take();
          }
          return present;
        });
  }

  private Optional<ContextHold> find(ContextId context) {
    return all().stream().filter(hold -> hold.context().equals(context)).findFirst();
  }

  @Override
  public List<ContextHold> all() {
    return session.readAllSerial(CqlStatement.of(ALL)).stream().map(ClusterHolds::read).toList();
  }

  /// The holds that last now.
  List<ContextHold> lasting() {
    Instant now = clock.instant();
    return all().stream().filter(hold -> hold.lastsAt(now)).toList();
  }

  private static ContextHold read(Row row) {
    return new ContextHold(
        new ContextId(row.getLong(0)),
        Instant.ofEpochMilli(row.getLong(1)),
        row.isNull(2) ? null : Instant.ofEpochMilli(row.getLong(2)),
        String.valueOf(row.getString(3)));
  }
}
