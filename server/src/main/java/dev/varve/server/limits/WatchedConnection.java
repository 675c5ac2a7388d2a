// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.limits;

/// A connection whose peer may be too slow.
public interface WatchedConnection {

  /// Ends the connection if the peer has kept it waiting for too long.
  ///
  /// @param nowNanos as by [System#nanoTime]
  void checkTimeout(long nowNanos);
}
