// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.imports;

import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.ExitCodes;
import java.nio.file.Files;
import java.nio.file.Path;

/// The files and folders that the arguments of an import name.
public final class ImportSources {

  private ImportSources() {}

  /// Refuses a path at which nothing is that can be read.
  public static void demandReadable(Path source) {
    if (!Files.exists(source)) {
      throw new CommandException(ExitCodes.NOT_FOUND, source + ": no such file or folder", null);
    }
    if (!Files.isReadable(source)) {
      throw new CommandException(
          ExitCodes.INPUT_OUTPUT, source + ": cannot be read: permission denied", null);
    }
  }
}
