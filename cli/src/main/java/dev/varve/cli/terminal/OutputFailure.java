// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.terminal;

import java.io.IOException;

/// A failed write to standard output: the reader went away, or the disk is full.
public final class OutputFailure extends RuntimeException {

  private static final long serialVersionUID = 1;

  OutputFailure(IOException cause) {
    super(cause.getMessage(), cause);
  }

  /// Returns whether the reader stopped reading, which is no error.
  public boolean readerLeft() {
    String message = String.valueOf(getMessage());
    return message.contains("Broken pipe") || message.contains("pipe is being closed");
  }
}
