// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import dev.varve.StoreException;
import dev.varve.imports.SourceFolder;
import dev.varve.rewind.Rewind;
import dev.varve.rewind.pi.RewindSettings.Retention;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Sweeps while a session goes on, beside it: at its start, every fifty snapshots, and at its end.
/// Of a sweep that fails the next one knows nothing; [#trouble] does.
public final class SweepSchedule implements AutoCloseable {

  private static final int EVERY = 50;

  private final Rewind rewind;
  private final LiveSession session;
  private final Retention rules;
  private final Supplier<SourceFolder> sessions;
  private final InstantSource clock;
  private @Nullable Thread running;
  private volatile String trouble = "";
  private int sweptAt;

  /// @param sessions all session files there are, as they are then
  public SweepSchedule(
      Rewind rewind,
      LiveSession session,
      Retention rules,
      Supplier<SourceFolder> sessions,
      InstantSource clock) {
    this.rewind = rewind;
    this.session = session;
    this.rules = rules;
    this.sessions = sessions;
    this.clock = clock;
  }

  /// The session began.
  public void begun() {
    Long millis = rules.startBudgetMillis();
    long deadlineNanos =
        millis == null ? 0 : System.nanoTime() + Math.min(millis, 86_400_000L) * 1_000_000L;
    sweep(millis == null ? () -> false : () -> System.nanoTime() - deadlineNanos >= 0);
  }

  /// Something was answered: is it time?
  public void answered() {
    if (session.taken() - sweptAt >= EVERY) {
      sweptAt = session.taken();
      sweep(() -> false);
    }
  }

  /// The session ended.
  public void ended() {
    await();
    sweep(() -> false);
  }

  /// Why the last sweep failed or left everything as it was; empty if it did not.
  public String trouble() {
    return trouble;
  }

  private void sweep(BooleanSupplier outOfTime) {
    Thread before = running;
    if (before != null && before.isAlive()) {
      return;
    }
    Path self = session.file();
    Set<String> needs = session.needs();
    running =
        Thread.ofVirtual()
            .name("sweep")
            .start(
                () -> {
                  try {
                    trouble =
                        new SnapshotSweep(rewind, rules, clock.instant(), outOfTime)
                            .run(sessions.get(), self, needs, false)
                            .why();
                  } catch (StoreException e) {
                    trouble = String.valueOf(e.getMessage());
                  }
                });
  }

  private void await() {
    Thread before = running;
    try {
      if (before != null) {
        before.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Waits for a sweep that is on its way.
  @Override
  public void close() {
    await();
  }
}
