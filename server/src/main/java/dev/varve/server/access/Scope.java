// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.access;

/// What a client may do.
public enum Scope {
  /// Ask for anything.
  READ,
  /// Append, create, attach, put, publish types.
  WRITE,
  /// Bring in foreign history under its own numbers.
  ADMIN
}
