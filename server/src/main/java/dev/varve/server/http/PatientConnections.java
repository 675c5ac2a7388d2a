// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.server.load.Watch;
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

/// Stands around the connections of the HTTP library: counts them, ends those whose peers are too
/// slow, and where there are too many, those that have been idle the longest.
final class PatientConnections implements ServerConnectionSelector, AutoCloseable {

  private static final System.Logger LOG =
      System.getLogger(PatientConnections.class.getPackageName());

  /// A connection that was used just now is not taken for idle.
  private static final long IDLE_NANOS_MIN = 1_000_000_000;

  private final ServerConnectionSelector library;
  private final HttpLimits limits;
  private final RequestMeter meter;
  private final Set<Patience> open = ConcurrentHashMap.newKeySet();
  private final Watch watch = Watch.start(Ledger.PORT, open);

  PatientConnections(ServerConnectionSelector library, HttpLimits limits, RequestMeter meter) {
    this.library = library;
    this.limits = limits;
    this.meter = meter;
  }

  /// How many connections are open.
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
    Patience patience = new Patience(limits, () -> cut(context));
    open.add(patience);
    meter.connected(Ledger.PORT);
    if (open.size() > limits.connections() * 9L / 10) {
      makeRoom();
    }
    ServerConnection served = library.connection(new PatientContext(context, patience));
    return new ServerConnection() {
      @Override
      public void handle(Limit limit) throws InterruptedException {
        patience.attach();
        try {
          served.handle(limit);
        } finally {
          patience.detach();
          open.remove(patience);
          if (patience.isEnded()) {
            meter.turnedAway(Ledger.PORT, RequestMeter.Why.SLOW);
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

  /// Ends the connection that has been idle the longest, so that nobody has to wait for a place.
  private void makeRoom() {
    long now = System.nanoTime();
    open.stream()
        .filter(patience -> !patience.isEnded() && patience.idleNanos(now) > IDLE_NANOS_MIN)
        .max(Comparator.comparingLong(patience -> patience.idleNanos(now)))
        .ifPresent(Patience::end);
  }

  @Override
  public void close() {
    watch.close();
  }
}
