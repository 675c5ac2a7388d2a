// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.surveys;

import dev.varve.ReadProgress;
import dev.varve.StoreException;
import dev.varve.disk.QuietThread;
import dev.varve.server.limits.QuietWork;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// One reading of the whole store, on a thread of its own, with the last result. Safe for any
/// number of threads.
///
/// @param <T> the result
public final class StoreSurvey<T> implements AutoCloseable {

  private final String name;
  private final Function<ReadProgress, T> reading;
  private final LongSupplier turns;
  private final InstantSource clock;

  // ---- guarded by this
  private Progress progress = Progress.NONE;
  private @Nullable Outcome<T> last;
  private @Nullable String failure;
  private @Nullable Thread running;
  private boolean closed;

  /// The progress of a survey, in units of its own.
  record Progress(long done, long total) {
    static final Progress NONE = new Progress(0, 0);
  }

  /// A result.
  ///
  /// @param turns the number of turns in the store when the survey began
  /// @param ended when the survey ended
  public record Outcome<T>(T found, long turns, Instant ended) {}

  /// The state of a survey.
  ///
  /// @param isRunning whether a reading goes on
  /// @param progress of that reading
  /// @param last the result of the last reading; null if there is none since the service began
  /// @param failure why the reading after `last` ended without a result; null if none did
  record State<T>(
      boolean isRunning, Progress progress, @Nullable Outcome<T> last, @Nullable String failure) {}

  /// @param name of the thread
  /// @param reading may be called again and again; reports its progress
  /// @param turns the number of turns in the store
  StoreSurvey(
      String name, Function<ReadProgress, T> reading, LongSupplier turns, InstantSource clock) {
    this.name = name;
    this.reading = reading;
    this.turns = turns;
    this.clock = clock;
  }

  synchronized State<T> state() {
    return new State<>(running != null, progress, last, failure);
  }

  /// Begins a reading; does nothing while one goes on.
  synchronized void start() {
    if (running == null && !closed) {
      progress = Progress.NONE;
      failure = null;
      running = Thread.ofPlatform().daemon().name("varve-" + name).start(this::run);
    }
  }

  private void run() {
    Outcome<T> outcome = null;
    String wrong = null;
    try {
      long turnsBefore = turns.getAsLong();
      T found = QuietWork.run(this::reached, reading);
      outcome = new Outcome<>(found, turnsBefore, clock.instant());
    } catch (StoreException e) {
      wrong = String.valueOf(e.getMessage());
    } catch (CancellationException e) {
      wrong = "the service ends";
    } finally {
      end(outcome, wrong == null && outcome == null ? "an error that the log describes" : wrong);
    }
  }

  private synchronized void reached(long done, long total) {
    if (closed) {
      throw new CancellationException();
    }
    progress = new Progress(done, total);
  }

  private synchronized void end(@Nullable Outcome<T> outcome, @Nullable String wrong) {
    running = null;
    failure = wrong;
    if (outcome != null) {
      last = outcome;
    }
  }

  /// Notes a result that somebody else came to.
  public synchronized void found(Outcome<T> outcome) {
    last = outcome;
    failure = null;
  }

  /// Gives a reading up that goes on, and waits for its end.
  @Override
  public void close() {
    Thread thread;
    synchronized (this) {
      closed = true;
      thread = running;
    }
    if (thread != null) {
      QuietThread.join(thread); // the store is closed next
    }
  }
}
