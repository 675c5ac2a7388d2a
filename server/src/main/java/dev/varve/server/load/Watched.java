// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.load;

/// A connection whose peer may be too slow.
public interface Watched {

  /// Ends the connection if the peer has kept it waiting for too long.
  ///
  /// @param nowNanos as by [System#nanoTime]
  void checkPatience(long nowNanos);
}
