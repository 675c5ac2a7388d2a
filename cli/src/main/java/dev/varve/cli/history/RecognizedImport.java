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
import dev.varve.imports.FileImports;
import dev.varve.imports.SourceFormat;
import dev.varve.pi.store.PiImport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

  /// Imports all files, and all sessions in the folders. A file of a format that is not known is
  /// refused before anything is written; in a folder it is listed.
  ///
  /// @return the exit status
  public int run(List<Path> sources) {
    Terminal terminal = command.terminal();
    List<MixedFolder> folders = new ArrayList<>();
    List<Path> files = new ArrayList<>();
    for (Path source : sources) {
      ImportSources.demandReadable(source);
      if (Files.isDirectory(source)) {
        folders.add(MixedFolder.of(source));
      } else {
        files.add(source);
        SourceFormat _ = format(source);
      }
    }
    ImportOutput listener = new ImportOutput(terminal, json);
    try (Store store = command.openForImport();
        ProgressIndicator _ = ProgressIndicator.on(listener::progress, terminal)) {
      for (Path file : files) {
        Optional<HistoryProfile> profile = HistoryProfiles.owner(file, format(file));
        if (profile.isPresent()) {
          RefusedFiles _ =
              new HistorySources(store, profile.get(), terminal.clock(), listener).read(file);
        } else {
          new PiImport(store).session(file, listener);
        }
      }
      for (MixedFolder folder : folders) {
        folder.failed().forEach(listener::done);
        folder
            .sessions()
            .forEach(
                (profile, sessions) ->
                    new HistorySources(store, profile, terminal.clock(), listener).all(sessions));
        FileImports pi = new FileImports(new PiImport(store), listener);
        folder.pi().forEach(pi::tolerant);
      }
    }
    listener.printSummary();
    folders.forEach(folder -> folder.listRefused(terminal));
    return listener.end();
  }

  private static SourceFormat format(Path file) {
    try {
      Optional<SourceFormat> found = SourceFormat.of(file);
      SourceFormat format = found.orElse(null);
      if (format == SourceFormat.PI
          || format != null && HistoryProfiles.owner(file, format).isPresent()) {
        return format;
      }
      throw new CommandException(
          ExitCodes.USAGE,
          file
              + ": expected a session of a known agent, found "
              + (format == null ? "no record of one" : format.description()),
          "'varve import --help' lists the formats; 'varve import jsonl' takes any lines.");
    } catch (IOException e) {
      throw new StoreException.Io(file.toString(), "cannot be read", e);
    }
  }
}
