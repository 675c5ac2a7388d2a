// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.limits;

import java.util.Collection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// A thread that looks at all connections of a port at intervals and ends those whose peers are too
/// slow. A socket's own timeout would not do, because it starts again with each byte.
public final class TimeoutWatch implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(TimeoutWatch.class.getPackageName());
  private static final long PERIOD_MS = 100;

  private final Collection<? extends WatchedConnection> connections;
  private final Runnable afterwards;
  private final CountDownLatch over = new CountDownLatch(1);

  private TimeoutWatch(Collection<? extends WatchedConnection> connections, Runnable afterwards) {
    this.connections = connections;
    this.afterwards = afterwards;
  }

  /// Starts the thread.
  ///
  /// @param port names the thread
  /// @param connections may change while the thread runs
  public static TimeoutWatch start(
      String port, Collection<? extends WatchedConnection> connections) {
    return start(port, connections, () -> {});
  }

  /// Starts the thread.
  ///
  /// @param port names the thread
  /// @param connections may change while the thread runs
  /// @param afterwards runs after each look at all connections
  public static TimeoutWatch start(
      String port, Collection<? extends WatchedConnection> connections, Runnable afterwards) {
    TimeoutWatch watch = new TimeoutWatch(connections, afterwards);
    Thread.ofPlatform().daemon().name("varve-" + port + "-watch").start(watch::look);
    return watch;
  }

  private void look() {
    try {
      while (!over.await(PERIOD_MS, TimeUnit.MILLISECONDS)) {
        long now = System.nanoTime();
        connections.forEach(connection -> check(connection, now));
        afterwards.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // not expected; the thread ends
    }
  }

  /// Checks one connection. A connection that cannot be ended must not keep the others from being
  /// checked.
  private static void check(WatchedConnection connection, long now) {
    try {
      connection.checkTimeout(now);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "a slow connection could not be ended", e);
    }
  }

  @Override
  public void close() {
    over.countDown();
  }
}
