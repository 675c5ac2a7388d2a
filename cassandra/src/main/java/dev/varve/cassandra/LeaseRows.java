// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.varve.StoreException;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.CqlStatement;
import dev.varve.cassandra.cql.QuietPause;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/// The table `lease`: a row for each process that may be writing. A row is left by a process that
/// was killed, and the table forgets such a row after a day.
final class LeaseRows {

  private static final String ANNOUNCE =
      "INSERT INTO ks.lease (store, service, beat) VALUES (?, ?, ?)";
  private static final String WITHDRAW = "DELETE FROM ks.lease WHERE store = ? AND service = ?";
  private static final String ALL = "SELECT service, beat FROM ks.lease WHERE store = ?";

  private record Sign(long beat, long seenNanos) {}

  private final ClusterSession session;
  private final GateTimes times;

  LeaseRows(ClusterSession session, GateTimes times) {
    this.session = session;
    this.times = times;
  }

  static CqlStatement announcement(UUID service, long beat) {
    return CqlStatement.of(ANNOUNCE, service, beat);
  }

  /// Takes back the announcement of a process that has no operation under way. A process never
  /// takes the name of another, so that no later announcement is hidden by this deletion.
  static CqlStatement withdrawal(UUID service) {
    return CqlStatement.of(WITHDRAW, service);
  }

  /// Waits until no process has a lease, behind the closing of the gate: each was withdrawn, or was
  /// not renewed for longer than a lease lasts.
  ///
  /// @param alive is called from time to time
  /// @throws StoreException.Conflict if a process goes on to renew its lease
  void awaitNone(Runnable alive) {
    Map<UUID, Sign> signs = new HashMap<>();
    QuietPause pause = session.pauses();
    long overNanos = times.lease().plus(times.margin()).toNanos();
    while (true) {
      long askedNanos = System.nanoTime();
      Map<UUID, Sign> now = new HashMap<>();
      for (Row row : session.read(CqlStatement.of(ALL))) {
        UUID service = row.getUuid(0);
        Sign before = signs.get(service);
        long beat = row.getLong(1);
        if (before == null || before.beat() != beat) {
          now.put(service, new Sign(beat, System.nanoTime()));
        } else {
          now.put(service, before);
        }
      }
      if (now.values().stream().allMatch(sign -> askedNanos - sign.seenNanos() > overNanos)) {
        return;
      }
      if (pause.isOver()) {
        throw new StoreException.Conflict("erase", "writers that wait", "one that goes on");
      }
      signs = now;
      alive.run();
      pause.rest();
    }
  }
}
