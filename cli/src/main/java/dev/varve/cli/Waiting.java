// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Tells a person who watches a long command that it is alive: what it does and for how long, four
/// times a second.
final class Waiting implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMillis(700);
  private static final Duration PERIOD = Duration.ofMillis(250);

  private final CountDownLatch done = new CountDownLatch(1);
  private final Terminal terminal;
  private final Supplier<String> what;
  private final Thread thread;

  private Waiting(Supplier<String> what, Terminal terminal) {
    this.what = what;
    this.terminal = terminal;
    this.thread = Thread.ofPlatform().daemon().name("waiting").unstarted(this::run);
  }

  static Waiting on(String what, Terminal terminal) {
    return on(() -> what, terminal);
  }

  /// @param what says how far it is; asked from another thread
  static Waiting on(Supplier<String> what, Terminal terminal) {
    Waiting waiting = new Waiting(what, terminal);
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
