// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import java.util.Collection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Looks at all connections now and then, and ends those whose peers are too slow. One thread for all: a socket's own timeout
/// would start anew with each byte.
final class Watch implements AutoCloseable {

  private static final long PERIOD_MS = 100;

  private final Collection<Connection> connections;
  private final CountDownLatch over = new CountDownLatch(1);

  Watch(Collection<Connection> connections) {
    this.connections = connections;
  }

  void start() {
    Thread.ofPlatform().daemon().name("varve-binary-watch").start(this::watch);
  }

  private void watch() {
    try {
      while (!over.await(PERIOD_MS, TimeUnit.MILLISECONDS)) {
        long now = System.nanoTime();
        connections.forEach(connection -> connection.checkPatience(now));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nobody interrupts it; if somebody does, it ends
    }
  }

  @Override
  public void close() {
    over.countDown();
  }
}
