// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.access;

/// Receives every writing request of either port once it has been answered.
@FunctionalInterface
public interface AuditLog {

  /// Records nothing.
  AuditLog NONE = entry -> {};

  /// One request.
  ///
  /// @param port `http` or `binary`
  /// @param who the principal's name
  /// @param peer the client's `address:port`
  /// @param what the name of the operation
  /// @param target the object of the operation, for instance a path; may be empty
  /// @param status 200 or similar for success, otherwise the code of the refusal
  record Entry(String port, String who, String peer, String what, String target, int status) {}

  /// Called by any thread, several at a time. Must not throw.
  void wrote(Entry entry);
}
