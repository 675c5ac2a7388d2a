// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.session;

import java.util.concurrent.CountDownLatch;

/// The signal that ends a command which runs until it is asked to stop: Control-C, or an init
/// system's. While this is open, the process waits for the command to close it, so that what is
/// under way is completed; then the exit status is that of success.
public final class StopSignal implements AutoCloseable {

  private final Runnable onStop;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook = Thread.ofPlatform().name("varve-end").unstarted(this::end);

  private StopSignal(Runnable onStop) {
    this.onStop = onStop;
  }

  /// @param onStop makes the command stop; called by another thread when the signal comes
  public static StopSignal on(Runnable onStop) {
    StopSignal signal = new StopSignal(onStop);
    Runtime.getRuntime().addShutdownHook(signal.hook);
    return signal;
  }

  /// A signal would make Java report 130 or 143 however well it ended.
  private void end() {
    onStop.run();
    try {
      ended.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(ExitCodes.OK);
  }

  /// The command has ended.
  @Override
  public void close() {
    ended.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // the signal came; the process ends now
    }
  }
}
