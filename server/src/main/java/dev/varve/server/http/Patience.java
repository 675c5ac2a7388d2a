// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.server.load.Watched;
import org.jspecify.annotations.Nullable;

/// How long a peer of the HTTP port has kept its connection waiting, and whether that is too long.
///
/// A header must be whole some time after its first byte. Bodies may come, and answers be taken, as
/// slowly as the limits say a second and then some; only the time counts in which nobody else than
/// the peer could do anything. The connection's thread tells of what it does; [#checkPatience] may
/// be asked by any.
final class Patience implements Watched {

  private static final ThreadLocal<@Nullable Patience> CURRENT = new ThreadLocal<>();

  private enum Phase {
    BETWEEN,
    HEADER,
    BODY
  }

  private final HttpLimits limits;
  private final Runnable end;
  private volatile Phase phase = Phase.BETWEEN;
  private volatile boolean reading;
  private volatile long sinceNanos = System.nanoTime();
  private volatile long waitedNanos;
  private volatile long bodyBytes;
  private volatile long writeDeadlineNanos;
  private volatile boolean writing;
  private volatile boolean ended;

  /// @param end ends the connection, from any thread
  Patience(HttpLimits limits, Runnable end) {
    this.limits = limits;
    this.end = end;
  }

  /// That of the connection which this thread serves; null for another thread.
  static @Nullable Patience current() {
    return CURRENT.get();
  }

  /// This thread serves the connection from now on.
  void attach() {
    CURRENT.set(this);
  }

  /// It does no longer.
  void detach() {
    CURRENT.remove();
  }

  // ---- what the connection's thread tells

  /// It waits for bytes from now on.
  void reads() {
    if (phase != Phase.HEADER) {
      sinceNanos = System.nanoTime();
    }
    reading = true;
  }

  /// Some have come.
  void came(int bytes) {
    reading = false;
    switch (phase) {
      case BETWEEN -> {
        sinceNanos = System.nanoTime();
        phase = Phase.HEADER;
      }
      case HEADER -> {}
      case BODY -> {
        long waited = waitedNanos + System.nanoTime() - sinceNanos; // written by this thread only
        long come = bodyBytes + bytes;
        waitedNanos = waited;
        bodyBytes = come;
      }
    }
  }

  /// The header is whole.
  void headerRead() {
    waitedNanos = 0;
    bodyBytes = 0;
    phase = Phase.BODY;
  }

  /// The request is answered.
  void answered() {
    phase = Phase.BETWEEN;
  }

  /// It wants to send bytes.
  void writes(int bytes) {
    writeDeadlineNanos = System.nanoTime() + limits.write().toNanos() + nanosFor(bytes);
    writing = true;
  }

  /// The peer took them.
  void wrote() {
    writing = false;
  }

  private static long nanosFor(long bytes) {
    return bytes * (1_000_000_000L / HttpLimits.BYTES_PER_SECOND_MIN);
  }

  // ---- what others ask

  /// How long nothing was asked; 0 while something is.
  long idleNanos(long nowNanos) {
    return phase == Phase.BETWEEN && reading ? Math.max(0, nowNanos - sinceNanos) : 0;
  }

  /// Whether it was ended for being too slow, or for the sake of others.
  boolean isEnded() {
    return ended;
  }

  @Override
  public void checkPatience(long nowNanos) {
    if (isLate(nowNanos)) {
      end();
    }
  }

  private boolean isLate(long nowNanos) {
    if (ended) {
      return false;
    }
    if (writing && nowNanos - writeDeadlineNanos > 0) {
      return true;
    }
    long waited = nowNanos - sinceNanos;
    return reading
        && switch (phase) {
          case BETWEEN -> waited > limits.idle().toNanos();
          case HEADER -> waited > limits.header().toNanos();
          case BODY -> waitedNanos + waited > limits.body().toNanos() + nanosFor(bodyBytes);
        };
  }

  /// Ends the connection.
  void end() {
    ended = true;
    end.run();
  }
}
