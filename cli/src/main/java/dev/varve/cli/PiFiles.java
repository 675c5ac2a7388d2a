// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a user names a session.
final class PiFiles {

  private PiFiles() {}

  /// The session that an argument means: a file, an id, or how one begins; without an argument the
  /// newest session of the folder where the command runs.
  static Path session(@Nullable String argument, PiOptions pi, Terminal terminal) {
    List<String> named = argument == null ? List.of() : List.of(argument);
    return demandFile(pi.sessions(named, Path.of(""), terminal).getFirst());
  }

  /// A session file that the user named.
  static Path demandFile(Path file) {
    if (!Files.exists(file)) {
      throw new Refusal(
          ExitCodes.NOT_FOUND,
          file + ": no such file",
          "'varve pi sessions --json' lists the files of all sessions.");
    }
    if (Files.isDirectory(file)) {
      throw new Refusal(ExitCodes.USAGE, file + ": a folder; name one session file in it", null);
    }
    if (!Files.isReadable(file)) {
      throw new Refusal(ExitCodes.INPUT_OUTPUT, file + ": cannot be read: permission denied", null);
    }
    return file;
  }

  /// `text` on one line.
  static String line(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }
}
