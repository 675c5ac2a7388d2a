// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.query;

/// Carries an error out of the reading of a query. Never leaves the room.
final class CqlRefusal extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient CqlError error;

  CqlRefusal(CqlError error) {
    super(error.message(), null, false, false);
    this.error = error;
  }

  static CqlRefusal syntax(String message, CqlError.Position position) {
    return new CqlRefusal(new CqlError(CqlError.Kind.SYNTAX_ERROR, message, null, position));
  }

  CqlError error() {
    return error;
  }
}
