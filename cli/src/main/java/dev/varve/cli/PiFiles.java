// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import java.nio.file.Files;
import java.nio.file.Path;

/// Where Pi's sessions lie, and how a user names one.
final class PiFiles {

  private PiFiles() {}

  /// `$PI_CODING_AGENT_SESSION_DIR`, else `sessions` in `$PI_CODING_AGENT_DIR`, else in
  /// `~/.pi/agent`.
  static Path sessionFolder(Terminal terminal) {
    String own = terminal.variable("PI_CODING_AGENT_SESSION_DIR");
    if (!own.isEmpty()) {
      return home(own, terminal);
    }
    String agent = terminal.variable("PI_CODING_AGENT_DIR");
    return home(agent.isEmpty() ? "~/.pi/agent" : agent, terminal).resolve("sessions");
  }

  private static Path home(String path, Terminal terminal) {
    return path.equals("~") || path.startsWith("~/")
        ? Path.of(terminal.variable("HOME") + path.substring(1))
        : Path.of(path);
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
