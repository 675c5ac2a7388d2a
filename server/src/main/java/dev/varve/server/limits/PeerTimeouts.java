// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.limits;

import java.time.Duration;

/// The times for which a peer may keep a connection waiting, in each state of the connection.
///
/// @param first from the connection's beginning to its first byte
/// @param idle between one request and the next
/// @param header from a header's first byte to its last
/// @param body for a body, beyond one second for each [#BYTES_PER_SECOND_MIN]
/// @param write while the peer takes none of the bytes that are sent to it
public record PeerTimeouts(
    Duration first, Duration idle, Duration header, Duration body, Duration write) {

  /// The slowest rate at which a body may arrive or an answer may be taken.
  public static final int BYTES_PER_SECOND_MIN = 64 << 10;

  public PeerTimeouts {
    if (first.isNegative()
        || idle.isNegative()
        || header.isNegative()
        || body.isNegative()
        || write.isNegative()) {
      throw new IllegalArgumentException("timeouts: expected no negative duration");
    }
  }

  /// The time, in nanoseconds, that `bytes` take at the slowest allowed rate.
  public static long nanosFor(long bytes) {
    return bytes * (1_000_000_000L / BYTES_PER_SECOND_MIN);
  }

  /// The same duration for every state.
  public static PeerTimeouts all(Duration value) {
    return new PeerTimeouts(value, value, value, value, value);
  }

  public PeerTimeouts withFirst(Duration value) {
    return new PeerTimeouts(value, idle, header, body, write);
  }

  public PeerTimeouts withIdle(Duration value) {
    return new PeerTimeouts(first, value, header, body, write);
  }

  public PeerTimeouts withWrite(Duration value) {
    return new PeerTimeouts(first, idle, header, body, value);
  }
}
