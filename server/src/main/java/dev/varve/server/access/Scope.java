// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.access;

/// A right of a client.
public enum Scope {
  /// Read everything.
  READ,
  /// Append, create, attach, put, publish types.
  WRITE,
  /// Restore foreign history under its own numbers.
  ADMIN,
  /// Restore files of the service's machine to a snapshot.
  RESTORE
}
