// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.server.limits.TimeoutWatch;
import dev.varve.server.metrics.RequestMeter;
import io.helidon.common.buffers.BufferData;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// A wrapper around the connections of the HTTP library: counts them, ends those whose peers are
/// too slow, and ends idle ones when there are too many.
final class TimedConnections implements ServerConnectionSelector, AutoCloseable {

  private static final System.Logger LOG =
      System.getLogger(TimedConnections.class.getPackageName());

  /// A connection that was used just now does not count as idle.
  private static final long IDLE_NANOS_MIN = 1_000_000_000;

  private final ServerConnectionSelector library;
  private final HttpLimits limits;
  private final RequestMeter meter;
  private final Set<PeerTimeout> open = ConcurrentHashMap.newKeySet();
  private final TimeoutWatch watch = TimeoutWatch.start(AccessLog.PORT, open, this::makeRoom);

  TimedConnections(ServerConnectionSelector library, HttpLimits limits, RequestMeter meter) {
    this.library = library;
    this.limits = limits;
    this.meter = meter;
  }

  /// The number of open connections.
  int count() {
    return open.size();
  }

  @Override
  public int bytesToIdentifyConnection() {
    return library.bytesToIdentifyConnection();
  }

  @Override
  public Support supports(BufferData data) {
    return library.supports(data);
  }

  @Override
  public Set<String> supportedApplicationProtocols() {
    return library.supportedApplicationProtocols();
  }

  @Override
  public ServerConnection connection(ConnectionContext context) {
    PeerTimeout timeout = new PeerTimeout(limits, () -> cut(context));
    open.add(timeout);
    meter.connected(AccessLog.PORT);
    makeRoom();
    ServerConnection served = library.connection(new TimedContext(context, timeout));
    return new ServerConnection() {
      @Override
      public void handle(Limit limit) throws InterruptedException {
        timeout.attach();
        try {
          served.handle(limit);
        } finally {
          timeout.detach();
          open.remove(timeout);
          if (timeout.isEnded()) {
            meter.turnedAway(AccessLog.PORT, RequestMeter.EndReason.SLOW);
          }
        }
      }

      @Override
      public Duration idleTime() {
        return served.idleTime();
      }

      @Override
      public void close(boolean interrupt) {
        served.close(interrupt);
      }
    };
  }

  private static void cut(ConnectionContext context) {
    try {
      context.serverSocket().close();
    } catch (UncheckedIOException e) {
      LOG.log(System.Logger.Level.DEBUG, () -> "its peer was quicker: " + e);
    }
  }

  /// Ends idle connections while more than nine tenths of the places are taken, so that a new
  /// client does not have to wait: those of peers that never sent anything first, then those that
  /// have been idle longest. Runs for each new connection and at intervals, because a port without
  /// free places accepts no new one.
  private void makeRoom() {
    long places = limits.connections() * 9L / 10;
    if (open.size() <= places) {
      return;
    }
    long now = System.nanoTime();
    long excess = open.stream().filter(timeout -> !timeout.isEnded()).count() - places;
    open.stream()
        .filter(timeout -> !timeout.isEnded() && timeout.idleNanos(now) > IDLE_NANOS_MIN)
        .sorted(
            Comparator.comparing(PeerTimeout::hasSpoken)
                .thenComparingLong(timeout -> -timeout.idleNanos(now)))
        .limit(Math.max(0, excess))
        .forEach(PeerTimeout::end);
  }

  @Override
  public void close() {
    watch.close();
  }
}
