// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.session;

import dev.varve.cli.terminal.Terminal;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;

/// The folder of a user's data of Varve, where the store is unless the user names a store.
final class DataFolder {

  private DataFolder() {}

  /// `varve` where this system keeps a user's data: in `$XDG_DATA_HOME` or `~/.local/share` (XDG
  /// Base Directory), `~/Library/Application Support`, `%LOCALAPPDATA%`.
  static Path of(Terminal terminal) {
    return of(terminal, System.getProperty("os.name", ""), System.getProperty("user.home", "."));
  }

  static Path of(Terminal terminal, String system, String home) {
    String name = system.toLowerCase(Locale.ROOT);
    String data = terminal.variable("XDG_DATA_HOME");
    if (!data.isEmpty() && path("XDG_DATA_HOME", data).isAbsolute()) {
      return Path.of(data, "varve");
    }
    String local = terminal.variable("LOCALAPPDATA");
    if (name.startsWith("windows") && !local.isEmpty()) {
      return path("LOCALAPPDATA", local).resolve("varve");
    }
    // HOME counts before user.home: Java asks the password file, a script sets HOME.
    String variable = terminal.variable("HOME");
    Path user = Path.of(variable.isEmpty() ? home : variable);
    if (name.startsWith("mac")) {
      return user.resolve("Library").resolve("Application Support").resolve("varve");
    }
    return user.resolve(".local").resolve("share").resolve("varve");
  }

  private static Path path(String variable, String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new CommandException(ExitCodes.USAGE, variable + ": not a path: " + text, null);
    }
  }
}
