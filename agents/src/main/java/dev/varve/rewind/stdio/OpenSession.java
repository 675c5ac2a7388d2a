// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.stdio;

import dev.varve.rewind.Rewind;
import dev.varve.rewind.pi.LiveSession;
import dev.varve.rewind.pi.SessionNavigation;
import dev.varve.rewind.pi.SweepSchedule;
import org.jspecify.annotations.Nullable;

/// A session of Pi that requests are about, with the worktree it works on.
///
/// @param sweeps the sweeps beside the session; null if old snapshots are kept for ever
record OpenSession(
    Rewind rewind, LiveSession live, SessionNavigation moves, @Nullable SweepSchedule sweeps)
    implements AutoCloseable {

  /// Takes note of the entries that a request brings.
  OpenSession follow(RewindRequest request) {
    live.declare(request.entries());
    return this;
  }

  /// Waits for a sweep that is under way.
  @Override
  public void close() {
    if (sweeps != null) {
      sweeps.close();
    }
  }
}
