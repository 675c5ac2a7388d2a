// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra.cql;

/// The permission of a thread's operation to send writes.
public interface SendPermit {

  /// The permission of the operation under way.
  ScopedValue<SendPermit> CURRENT = ScopedValue.newInstance();

  /// Makes sure that a write may be sent now.
  ///
  /// @throws dev.varve.StoreException.Io if the permission is over
  void requireToSend();

  /// Makes sure that the answer to a write came in time.
  ///
  /// @throws dev.varve.StoreException.Io if the permission is over for longer than an answer may
  ///   take
  void requireAnswered();
}
