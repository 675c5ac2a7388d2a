// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.session;

import org.jspecify.annotations.Nullable;

/// An error that the command itself found, rather than the store. Ends the command with an exit
/// status and a sentence.
public final class CommandException extends RuntimeException {

  private static final long serialVersionUID = 1;
  private final int status;
  private final @Nullable String hint;

  public CommandException(int status, String message, @Nullable String hint) {
    super(message);
    this.status = status;
    this.hint = hint;
  }

  public int status() {
    return status;
  }

  @Nullable String hint() {
    return hint;
  }
}
