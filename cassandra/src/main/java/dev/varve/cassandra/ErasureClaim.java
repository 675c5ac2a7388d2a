// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import dev.varve.StoreException;
import java.util.UUID;

/// The closed gate of the erasure that this process carries out. The claim shows from time to time
/// that its process lives, on the thread that works.
final class ErasureClaim implements Runnable {

  private final ErasureGate gate;
  private final long pauseNanos;
  private GateRow closed;
  private long beatNanos = System.nanoTime();

  ErasureClaim(ErasureGate gate, GateRow closed, GateTimes times) {
    this.gate = gate;
    this.closed = closed;
    this.pauseNanos = times.silence().toNanos() / 10;
  }

  /// Shows that the process lives, unless it did so just before.
  ///
  /// @throws StoreException.Conflict if somebody else took the erasure over
  @Override
  public void run() {
    if (System.nanoTime() - beatNanos > pauseNanos) {
      closed = gate.beat(closed);
      beatNanos = System.nanoTime();
    }
  }

  GateRow closed() {
    return closed;
  }

  void decide(UUID attempt, long atMicros) {
    closed = gate.decide(closed, attempt, atMicros);
  }

  void open(int run) {
    gate.open(closed, run);
  }
}
