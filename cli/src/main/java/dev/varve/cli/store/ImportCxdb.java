// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.BulkStore;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.blob.Codec;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.Terminal;
import dev.varve.cxdb.CxdbImport;
import dev.varve.cxdb.CxdbReport;
import dev.varve.imports.ImportListener;
import dev.varve.imports.ImportProblem;
import dev.varve.imports.ImportReport;
import dev.varve.json.JsonLine;
import dev.varve.server.types.RegistryImport;
import dev.varve.server.types.TypeBundleFiles;
import dev.varve.server.types.TypeRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `varve import cxdb`
@Command(
    name = "cxdb",
    description = {
      "Imports the data directory of a cxdb server into an empty store.",
      "",
      "Turns and contexts keep their numbers and times. The directory is only read; stop the server"
          + " first, or take a copy."
    },
    footer = {"  varve import cxdb /var/lib/cxdb --store ./store"})
final class ImportCxdb implements Callable<Integer> {

  /// The most problems that are listed for a person.
  private static final int PROBLEMS_LISTED = 20;

  private final CommandSession command;
  private volatile String progress = "reading";

  @Parameters(paramLabel = "DIR", description = "The directory with blobs/ and turns/ in it.")
  private Path source = Path.of("");

  @Mixin private final JsonOption output = new JsonOption();

  ImportCxdb(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    if (!Files.isDirectory(source)) {
      throw new CommandException(ExitCodes.NOT_FOUND, source + ": no such folder", null);
    }
    Terminal terminal = command.terminal();
    CxdbReport report;
    RegistryImport.Report types;
    try (BulkStore store = store();
        ProgressIndicator _ = ProgressIndicator.on(() -> progress, terminal)) {
      report =
          CxdbImport.directory(
              source, store, StoreLimits.DEFAULTS, Codec.ZSTD::decode, new Progress());
      types =
          RegistryImport.take(
              source.resolve("registry"),
              TypeRegistry.open(TypeBundleFiles.of(command.storeFolder())));
    } catch (StoreException.Conflict e) {
      throw new CommandException(
          ExitCodes.of(e),
          String.valueOf(e.getMessage()),
          "Import the data into a store of its own: --store DIR.");
    }
    if (output.json()) {
      printJson(report, types, terminal);
    } else {
      print(report, types, terminal);
    }
    return report.problems().count() + types.problems().size() > 0
        ? ExitCodes.INPUT_OUTPUT
        : ExitCodes.OK;
  }

  /// Types are published into the store's folder, where a service would not notice them.
  private BulkStore store() {
    return Files.isDirectory(source.resolve("registry"))
        ? command.access().holdForImport()
        : command.openForImport();
  }

  private final class Progress implements ImportListener {

    @Override
    public void done(ImportReport report) {
      progress = "reading";
    }

    @Override
    public void reading(Path file, long doneBytes, long totalBytes) {
      progress =
          file.getFileName()
              + ": "
              + HumanText.size(doneBytes)
              + " of "
              + HumanText.size(totalBytes);
    }
  }

  private static void print(CxdbReport report, RegistryImport.Report types, Terminal terminal) {
    for (ImportProblem problem :
        report.problems().first().stream().limit(PROBLEMS_LISTED).toList()) {
      String where = problem.position() < 0 ? "" : " at byte " + problem.position();
      terminal.say(problem.place() + where + ": " + problem.what());
    }
    if (report.problems().count() > PROBLEMS_LISTED) {
      terminal.say(HumanText.count(report.problems().count() - PROBLEMS_LISTED, "more problem"));
    }
    terminal.report(
        HumanText.count(report.blobs(), "blob")
            + ", "
            + HumanText.count(report.turns(), "turn")
            + ", "
            + HumanText.count(report.contexts(), "context"));
    if (report.turnsSkipped() > 0) {
      terminal.report(
          "left out: "
              + HumanText.count(report.turnsSkipped(), "turn")
              + " whose blob or parent is missing");
    }
    if (report.contextsSetBack() > 0) {
      terminal.report(
          "ending earlier than they did: " + HumanText.count(report.contextsSetBack(), "context"));
    }
    if (types.bundles() > 0) {
      terminal.report("types: " + HumanText.count(types.bundles(), "bundle"));
    }
    for (RegistryImport.Problem problem : types.problems()) {
      terminal.say("registry/" + problem.file() + ": " + problem.what());
    }
  }

  private static void printJson(CxdbReport report, RegistryImport.Report types, Terminal terminal) {
    new JsonLine()
        .number("blobs", report.blobs())
        .number("turns", report.turns())
        .number("turns_skipped", report.turnsSkipped())
        .number("contexts", report.contexts())
        .number("contexts_set_back", report.contextsSetBack())
        .number("fs_roots", report.fsRoots())
        .number("problem_count", report.problems().count())
        .objects(
            "problems",
            report.problems().first(),
            (line, problem) ->
                line.text("file", problem.place())
                    .number("offset", problem.position())
                    .text("what", problem.what()))
        .number("bundles", types.bundles())
        .objects(
            "bundle_problems",
            types.problems(),
            (line, problem) -> line.text("file", problem.file()).text("what", problem.what()))
        .print(terminal);
  }
}
