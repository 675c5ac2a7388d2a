// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.ExitCodes;
import java.nio.file.Files;
import java.nio.file.Path;

/// Finds the session that a user names.
final class PiFiles {

  private PiFiles() {}

  /// A session file that the user named.
  static Path demandFile(Path file) {
    if (!Files.exists(file)) {
      throw new CommandException(
          ExitCodes.NOT_FOUND,
          file + ": no such file",
          "'varve pi sessions --json' lists the files of all sessions.");
    }
    if (Files.isDirectory(file)) {
      throw new CommandException(
          ExitCodes.USAGE, file + ": a folder; name one session file in it", null);
    }
    if (!Files.isRegularFile(file)) { // opening a pipe waits for a writer
      throw new CommandException(
          ExitCodes.USAGE, file + ": a pipe, a socket or a device; name a session file", null);
    }
    if (!Files.isReadable(file)) {
      throw new CommandException(
          ExitCodes.INPUT_OUTPUT, file + ": cannot be read: permission denied", null);
    }
    return file;
  }

  /// `text` on one line.
  static String line(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }
}
