// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.server.limits.PeerTimeouts;
import dev.varve.server.limits.WatchedConnection;
import org.jspecify.annotations.Nullable;

/// The time that a peer of the HTTP port has kept its connection waiting, compared with the limits.
///
/// A header must be complete some time after its first byte. Bodies may arrive, and answers may be
/// read, at the slowest rate of the limits and some time beyond; only time that the connection
/// spends waiting for the peer counts. The connection's thread reports its states; [#checkTimeout]
/// may be called by any thread.
final class PeerTimeout implements WatchedConnection {

  private static final ThreadLocal<@Nullable PeerTimeout> CURRENT = new ThreadLocal<>();

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
  private volatile boolean spoken;
  private volatile boolean ended;

  /// @param end ends the connection, from any thread
  PeerTimeout(HttpLimits limits, Runnable end) {
    this.limits = limits;
    this.end = end;
  }

  /// The timeout of the connection that this thread serves; null for another thread.
  static @Nullable PeerTimeout current() {
    return CURRENT.get();
  }

  /// Binds this timeout to the current thread, which serves the connection.
  void attach() {
    CURRENT.set(this);
  }

  /// Releases the current thread.
  void detach() {
    CURRENT.remove();
  }

  // ---- reports of the connection's thread

  /// The thread waits for bytes.
  void reads() {
    if (phase != Phase.HEADER) {
      sinceNanos = System.nanoTime();
    }
    reading = true;
  }

  /// Bytes have arrived.
  void came(int bytes) {
    reading = false;
    spoken = true;
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

  /// The header is complete.
  void headerRead() {
    waitedNanos = 0;
    bodyBytes = 0;
    phase = Phase.BODY;
  }

  /// The request is answered.
  void answered() {
    phase = Phase.BETWEEN;
  }

  /// The thread is about to send bytes.
  void writes(int bytes) {
    writeDeadlineNanos =
        System.nanoTime() + limits.timeouts().write().toNanos() + PeerTimeouts.nanosFor(bytes);
    writing = true;
  }

  /// The peer took the bytes.
  void wrote() {
    writing = false;
  }

  // ---- questions of other threads

  /// The time for which the connection has been without a request; 0 while it has one.
  long idleNanos(long nowNanos) {
    return phase == Phase.BETWEEN && reading ? Math.max(0, nowNanos - sinceNanos) : 0;
  }

  /// Returns whether the peer has sent anything.
  boolean hasSpoken() {
    return spoken;
  }

  /// Returns whether this end closed the connection, for a slow peer or to make room.
  boolean isEnded() {
    return ended;
  }

  @Override
  public void checkTimeout(long nowNanos) {
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
          case BETWEEN ->
              waited > (spoken ? limits.timeouts().idle() : limits.timeouts().first()).toNanos();
          case HEADER -> waited > limits.timeouts().header().toNanos();
          case BODY ->
              waitedNanos + waited
                  > limits.timeouts().body().toNanos() + PeerTimeouts.nanosFor(bodyBytes);
        };
  }

  /// Ends the connection.
  void end() {
    ended = true;
    end.run();
  }
}
