// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import dev.varve.StoreException;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.terminal.Terminal;
import dev.varve.files.WholeFile;
import dev.varve.json.JsonLine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;

/// `varve sync --install`: prints what makes a supervisor keep a watch running, and on request
/// writes it. Starts nothing.
///
/// @param unit the unit for this system
record SyncInstallation(WatchUnit unit, Terminal terminal) {

  /// Prints the unit.
  ///
  /// @param json as one JSON object
  int print(boolean json) {
    Path file = unit.file();
    if (json) {
      printJson("printed");
      return ExitCodes.OK;
    }
    terminal.print(unit.content());
    terminal.flush();
    if (file != null) {
      terminal.say("");
      terminal.say("Nothing was installed. 'varve sync --install --write' writes this to");
      terminal.say("  " + file);
    }
    sayStart();
    return ExitCodes.OK;
  }

  /// Writes the unit where the supervisor looks for it.
  ///
  /// @param json reports as one JSON object
  /// @throws CommandException if another file lies there, or there is no file to write
  int write(boolean json) {
    Path file = unit.file();
    if (file == null) {
      throw new CommandException(
          ExitCodes.USAGE,
          "--write: cron has no file that can be written",
          "'crontab -e' adds the line that 'varve sync --install' prints.");
    }
    boolean same = isThere(file);
    if (!same) {
      create(file);
    }
    if (json) {
      printJson(same ? "same" : "written");
    } else {
      terminal.println((same ? "already there: " : "written: ") + file);
      sayStart();
    }
    return ExitCodes.OK;
  }

  /// Returns whether the file is there already as it would be written.
  private boolean isThere(Path file) {
    try {
      if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        return false;
      }
      byte[] content = unit.content().getBytes(StandardCharsets.UTF_8);
      if (Files.isRegularFile(file)
          && Files.size(file) == content.length
          && Arrays.equals(Files.readAllBytes(file), content)) {
        return true;
      }
    } catch (IOException e) {
      throw new StoreException.Io(file.toString(), "cannot be read", e);
    }
    throw taken(file);
  }

  private static CommandException taken(Path file) {
    return new CommandException(
        ExitCodes.USAGE, file + ": another file is there", "Move it away, then try again.");
  }

  private void create(Path file) {
    try {
      Path folder = file.getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      WholeFile.at(file).create(unit.content().getBytes(StandardCharsets.UTF_8));
    } catch (StoreException.Conflict e) {
      throw taken(file);
    } catch (IOException e) {
      throw new StoreException.Io(file.toString(), "cannot be written", e);
    }
  }

  private void sayStart() {
    terminal.say("");
    terminal.say("These commands start it:");
    unit.start().forEach(line -> terminal.say("  " + line));
  }

  private void printJson(String state) {
    Path file = unit.file();
    new JsonLine()
        .text("kind", unit.kind())
        .text("file", file == null ? null : file.toString())
        .text("state", state)
        .text("content", unit.content())
        .ids("start", unit.start())
        .print(terminal);
  }
}
