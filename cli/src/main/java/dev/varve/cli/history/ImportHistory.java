// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import dev.varve.Store;
import dev.varve.cli.imports.ImportOutput;
import dev.varve.cli.imports.ImportSources;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.Terminal;
import dev.varve.history.HistoryProfile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// The import of one agent's sessions, from files and folders that are named.
abstract class ImportHistory implements Callable<Integer> {

  private final CommandSession command;
  private final HistoryProfile profile;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE|DIR",
      description = "Transcripts, or folders with them.")
  private List<Path> sources = List.of();

  @Mixin private final JsonOption output = new JsonOption();

  ImportHistory(CommandSession command, HistoryProfile profile) {
    this.command = command;
    this.profile = profile;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    sources.forEach(ImportSources::demandReadable);
    ImportOutput listener = new ImportOutput(terminal, output.json());
    List<RefusedFiles> refused = new ArrayList<>();
    try (Store store = command.openForImport();
        ProgressIndicator _ = ProgressIndicator.on(listener::progress, terminal)) {
      HistorySources all = new HistorySources(store, profile, terminal.clock(), listener);
      for (Path source : sources) {
        listener.source(source, profile.agent(), () -> refused.add(all.read(source)));
      }
    }
    listener.printSummary();
    refused.forEach(files -> files.list(terminal));
    return listener.end();
  }
}
