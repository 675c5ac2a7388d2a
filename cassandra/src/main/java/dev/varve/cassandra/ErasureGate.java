// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.varve.StoreException;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.ClusterSession.Condition;
import dev.varve.cassandra.cql.CqlStatement;
import dev.varve.cassandra.cql.QuietPause;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;

/// The table `erasure_gate`, which is touched by conditional statements and SERIAL reads only. The
/// gate is closed while an erasure is under way, and writers look at the gate ([WriteLease]).
final class ErasureGate {

  private static final String READ =
      "SELECT " + GateRow.COLUMNS + " FROM ks.erasure_gate WHERE store = ?";
  private static final String CLOSE =
      "UPDATE ks.erasure_gate SET phase = 1, owner = ?, beat = 0, closings = ?, attempt = null"
          + " WHERE store = ? IF phase = 0 AND closings = ?";
  private static final String BEAT =
      "UPDATE ks.erasure_gate SET owner = ?, beat = ? WHERE store = ?"
          + " IF owner = ? AND beat = ? AND closings = ? AND phase = ?";
  private static final String DECIDE =
      "UPDATE ks.erasure_gate SET phase = 2, attempt = ?, at_us = ? WHERE store = ?"
          + " IF owner = ? AND beat = ? AND closings = ? AND phase = 1";
  private static final String OPEN =
      "UPDATE ks.erasure_gate SET phase = 0, owner = null, run = ? WHERE store = ?"
          + " IF owner = ? AND closings = ? AND phase = ?";

  private final ClusterSession session;

  ErasureGate(ClusterSession session) {
    this.session = session;
  }

  /// The gate behind all changes that are done or under way.
  GateRow read() {
    Row row = session.readSerial(CqlStatement.of(READ));
    if (row == null || row.isNull(0)) {
      throw new StoreException.Corrupt("table erasure_gate", 0, "a row of the store", "none");
    }
    return GateRow.read(row);
  }

  /// Closes the gate.
  ///
  /// @param open the gate as it was read
  /// @throws StoreException.Conflict if somebody else closed the gate
  GateRow close(GateRow open) {
    UUID owner = UUID.randomUUID();
    return changed(
        CqlStatement.of(CLOSE, owner, open.closings() + 1, open.closings()),
        now -> owner.equals(now.owner()));
  }

  /// Shows that the owner lives.
  ///
  /// @throws StoreException.Conflict if somebody else took the erasure over
  GateRow beat(GateRow closed) {
    return own(closed, Objects.requireNonNull(closed.owner()));
  }

  /// Makes the caller the owner of an erasure whose owner gave no sign of life.
  ///
  /// @throws StoreException.Conflict if the owner lives, or somebody else was faster
  GateRow takeOver(GateRow closed) {
    return own(closed, UUID.randomUUID());
  }

  private GateRow own(GateRow closed, UUID owner) {
    return changed(
        CqlStatement.of(
            BEAT,
            owner,
            closed.beat() + 1,
            closed.owner(),
            closed.beat(),
            closed.closings(),
            closed.phase()),
        now -> owner.equals(now.owner()) && now.beat() > closed.beat());
  }

  /// Decides that what the record of an attempt names goes.
  ///
  /// @param atMicros the time of the deletions
  GateRow decide(GateRow closed, UUID attempt, long atMicros) {
    return changed(
        CqlStatement.of(
            DECIDE, attempt, atMicros, closed.owner(), closed.beat(), closed.closings()),
        now -> now.phase() == GateRow.DECIDED && attempt.equals(now.attempt()));
  }

  /// Opens the gate.
  ///
  /// @param run the number of the last erasure that is done
  void open(GateRow closed, int run) {
    changed(
        CqlStatement.of(OPEN, run, closed.owner(), closed.closings(), closed.phase()),
        now -> now.closings() > closed.closings() || now.isOpen() && now.run() == run);
  }

  /// Makes a change, and finds out whether the change was made where the answer is lost.
  private GateRow changed(CqlStatement change, Predicate<GateRow> isMade) {
    QuietPause pause = session.pauses();
    while (true) {
      Condition done = session.writeIfFreely(change);
      GateRow now = read();
      if (isMade.test(now)) {
        return now;
      }
      if (done == Condition.FAILED) {
        throw new StoreException.Conflict("erase", "no other erasure", "one that is under way");
      }
      pause.take();
    }
  }
}
