// SPDX-License-Identifier: Apache-2.0
package dev.varve.git;

import java.io.IOException;
import java.nio.file.Path;

/// Somebody else writes to a file that is being read.
public final class ChangedWhileRead extends IOException {

  private static final long serialVersionUID = 1;

  public ChangedWhileRead(Path file) {
    super(file + " changed while it was read");
  }
}
