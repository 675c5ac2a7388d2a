// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.session;

import dev.varve.cli.terminal.Terminal;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;

/// The store's folder, where the command line does not name a folder.
final class StoreFolder {

  private StoreFolder() {}

  /// `$VARVE_STORE`, else the place where this system keeps a user's data: `$XDG_DATA_HOME` or
  /// `~/.local/share` (XDG Base Directory), `~/Library/Application Support`, `%LOCALAPPDATA%`.
  static Path of(Terminal terminal) {
    return of(terminal, System.getProperty("os.name", ""), System.getProperty("user.home", "."));
  }

  static Path of(Terminal terminal, String system, String home) {
    String chosen = terminal.variable("VARVE_STORE");
    if (!chosen.isEmpty()) {
      return path("VARVE_STORE", chosen);
    }
    String name = system.toLowerCase(Locale.ROOT);
    String data = terminal.variable("XDG_DATA_HOME");
    if (!data.isEmpty() && path("XDG_DATA_HOME", data).isAbsolute()) {
      return Path.of(data, "varve", "store");
    }
    String local = terminal.variable("LOCALAPPDATA");
    if (name.startsWith("windows") && !local.isEmpty()) {
      return path("LOCALAPPDATA", local).resolve("varve").resolve("store");
    }
    // HOME counts before user.home: Java asks the password file, a script sets HOME.
    String variable = terminal.variable("HOME");
    Path user = Path.of(variable.isEmpty() ? home : variable);
    if (name.startsWith("mac")) {
      return user.resolve("Library")
          .resolve("Application Support")
          .resolve("varve")
          .resolve("store");
    }
    return user.resolve(".local").resolve("share").resolve("varve").resolve("store");
  }

  private static Path path(String variable, String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new CommandException(ExitCodes.USAGE, variable + ": not a path: " + text, null);
    }
  }
}
