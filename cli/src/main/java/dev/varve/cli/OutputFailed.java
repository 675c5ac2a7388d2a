// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import java.io.IOException;

/// Standard output takes no more: its reader went away, or its disk is full.
final class OutputFailed extends RuntimeException {

  private static final long serialVersionUID = 1;

  OutputFailed(IOException cause) {
    super(cause.getMessage(), cause);
  }

  /// Whether the reader merely stopped reading, which is no fault of anybody.
  boolean readerLeft() {
    String message = String.valueOf(getMessage());
    return message.contains("Broken pipe") || message.contains("pipe is being closed");
  }
}
