// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.terminal;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// A line at the terminal that shows what a long command does and for how long, renewed four times
/// a second.
public final class ProgressIndicator implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMillis(700);
  private static final Duration PERIOD = Duration.ofMillis(250);

  private final CountDownLatch done = new CountDownLatch(1);
  private final Terminal terminal;
  private final Supplier<String> what;
  private final Thread thread;

  private ProgressIndicator(Supplier<String> what, Terminal terminal) {
    this.what = what;
    this.terminal = terminal;
    this.thread = Thread.ofPlatform().daemon().name("waiting").unstarted(this::run);
  }

  public static ProgressIndicator on(String what, Terminal terminal) {
    return on(() -> what, terminal);
  }

  /// @param what describes the progress; called from another thread
  public static ProgressIndicator on(Supplier<String> what, Terminal terminal) {
    ProgressIndicator waiting = new ProgressIndicator(what, terminal);
    if (terminal.showsStatus()) {
      waiting.thread.start();
    }
    return waiting;
  }

  private void run() {
    Instant start = terminal.clock().instant();
    Duration wait = PATIENCE;
    try {
      while (!done.await(wait.toMillis(), TimeUnit.MILLISECONDS)) {
        Duration taken = Duration.between(start, terminal.clock().instant());
        terminal.status(what.get() + ", " + taken.toSeconds() + " s …");
        wait = PERIOD;
      }
    } catch (InterruptedException e) {
      // nobody interrupts it but the end of the process
    }
  }

  @Override
  public void close() {
    done.countDown();
    if (terminal.showsStatus()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      terminal.status("");
    }
  }
}
