// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/// Runs each task at once, on the thread that brings it.
///
/// An `AsynchronousFileChannel` over this is a blocking channel which, unlike a `FileChannel`, is
/// not closed when a thread that uses it is interrupted. It is never shut down: it owns nothing.
final class CallerRuns extends AbstractExecutorService {

  static final CallerRuns INSTANCE = new CallerRuns();

  private CallerRuns() {}

  @Override
  public void execute(Runnable task) {
    task.run();
  }

  @Override
  public void shutdown() {}

  @Override
  public List<Runnable> shutdownNow() {
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return false;
  }
}
