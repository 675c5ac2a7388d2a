// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.load;

import java.util.Collection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Looks at all connections of a port now and then, and ends those whose peers are too slow. One
/// thread for all: a socket's own timeout would start anew with each byte.
public final class Watch implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(Watch.class.getPackageName());
  private static final long PERIOD_MS = 100;

  private final Collection<? extends Watched> connections;
  private final CountDownLatch over = new CountDownLatch(1);

  private Watch(Collection<? extends Watched> connections) {
    this.connections = connections;
  }

  /// Begins to look.
  ///
  /// @param port names the thread
  /// @param connections may change meanwhile
  public static Watch start(String port, Collection<? extends Watched> connections) {
    Watch watch = new Watch(connections);
    Thread.ofPlatform().daemon().name("varve-" + port + "-watch").start(watch::look);
    return watch;
  }

  private void look() {
    try {
      while (!over.await(PERIOD_MS, TimeUnit.MILLISECONDS)) {
        long now = System.nanoTime();
        connections.forEach(connection -> check(connection, now));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nobody interrupts it; if somebody does, it ends
    }
  }

  /// One that cannot be ended must not keep the others from it.
  private static void check(Watched connection, long now) {
    try {
      connection.checkPatience(now);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "a slow connection could not be ended", e);
    }
  }

  @Override
  public void close() {
    over.countDown();
  }
}
