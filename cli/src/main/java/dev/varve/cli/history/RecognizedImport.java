// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.cli.imports.ImportOutput;
import dev.varve.cli.imports.ImportSources;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.Terminal;
import dev.varve.history.HistoryProfile;
import dev.varve.imports.SourceFormat;
import dev.varve.pi.store.PiImport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The import of files whose format is found from their content.
public final class RecognizedImport {

  private final CommandSession command;
  private final boolean json;

  public RecognizedImport(CommandSession command, boolean json) {
    this.command = command;
    this.json = json;
  }

  /// Imports all files; a file of a format that is not known is refused before anything is written.
  ///
  /// @return the exit status
  public int run(List<Path> files) {
    Terminal terminal = command.terminal();
    for (Path file : files) {
      ImportSources.demandReadable(file);
      SourceFormat _ = format(file);
    }
    ImportOutput listener = new ImportOutput(terminal, json);
    try (Store store = command.openForImport();
        ProgressIndicator _ = ProgressIndicator.on(listener::progress, terminal)) {
      for (Path file : files) {
        Optional<HistoryProfile> profile = profile(file, format(file));
        if (profile.isPresent()) {
          new HistorySources(store, profile.get(), terminal.clock(), listener).read(file);
        } else {
          new PiImport(store).session(file, listener);
        }
      }
    }
    listener.printSummary();
    return listener.failed() > 0 ? ExitCodes.INPUT_OUTPUT : ExitCodes.OK;
  }

  private static SourceFormat format(Path file) {
    if (Files.isDirectory(file)) {
      throw new CommandException(
          ExitCodes.USAGE,
          file + ": a folder",
          "Name the agent: varve import codex " + file + ", for instance.");
    }
    try {
      Optional<SourceFormat> found = SourceFormat.of(file);
      SourceFormat format = found.orElse(null);
      if (format == SourceFormat.PI || format != null && profile(file, format).isPresent()) {
        return format;
      }
      throw new CommandException(
          ExitCodes.USAGE,
          file
              + ": expected a session of a known agent, found "
              + (format == null ? "no record of one" : format.description()),
          "'varve import --help' lists the formats.");
    } catch (IOException e) {
      throw new StoreException.Io(file.toString(), "cannot be read", e);
    }
  }

  private static Optional<HistoryProfile> profile(Path file, SourceFormat format) {
    return HistoryProfiles.ALL.stream().filter(each -> each.owns(file, format)).findFirst();
  }
}
