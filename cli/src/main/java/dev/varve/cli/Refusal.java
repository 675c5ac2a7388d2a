// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import org.jspecify.annotations.Nullable;

/// Ends the command with a status and a sentence: for what the command itself refuses, not the
/// store.
final class Refusal extends RuntimeException {

  private static final long serialVersionUID = 1;
  private final int status;
  private final @Nullable String hint;

  Refusal(int status, String message, @Nullable String hint) {
    super(message);
    this.status = status;
    this.hint = hint;
  }

  int status() {
    return status;
  }

  @Nullable String hint() {
    return hint;
  }
}
