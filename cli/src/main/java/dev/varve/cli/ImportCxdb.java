// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.BulkStore;
import dev.varve.Limits;
import dev.varve.StoreException;
import dev.varve.blob.Codec;
import dev.varve.cxdb.CxdbImport;
import dev.varve.cxdb.CxdbReport;
import dev.varve.server.types.BundleFiles;
import dev.varve.server.types.RegistryFolder;
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

  /// How many problems are told to a person.
  private static final int PROBLEMS_TOLD = 20;

  private final Varve varve;
  private volatile String progress = "reading";

  @Parameters(paramLabel = "DIR", description = "The directory with blobs/ and turns/ in it.")
  private Path source = Path.of("");

  @Mixin private final JsonOption output = new JsonOption();

  ImportCxdb(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    if (!Files.isDirectory(source)) {
      throw new Refusal(ExitCodes.NOT_FOUND, source + ": no such folder", null);
    }
    Terminal terminal = varve.terminal();
    CxdbReport report;
    RegistryFolder.Report types;
    try (BulkStore store = varve.openForImport();
        Waiting _ = Waiting.on(() -> progress, terminal)) {
      report = CxdbImport.directory(source, store, Limits.DEFAULTS, Codec.ZSTD::decode, this::take);
      types =
          RegistryFolder.take(
              source.resolve("registry"), TypeRegistry.open(BundleFiles.of(varve.storeFolder())));
    } catch (StoreException.Conflict e) {
      throw new Refusal(
          ExitCodes.of(e),
          String.valueOf(e.getMessage()),
          "Import it into a store of its own: --store DIR.");
    }
    if (output.json()) {
      printJson(report, types, terminal);
    } else {
      print(report, types, terminal);
    }
    return report.problemCount() + types.problems().size() > 0
        ? ExitCodes.INPUT_OUTPUT
        : ExitCodes.OK;
  }

  private void take(String file, long doneBytes, long sizeBytes) {
    progress = file + ": " + Words.size(doneBytes) + " of " + Words.size(sizeBytes);
  }

  private static void print(CxdbReport report, RegistryFolder.Report types, Terminal terminal) {
    for (CxdbReport.Problem problem :
        report.problems().subList(0, Math.min(PROBLEMS_TOLD, report.problems().size()))) {
      String where = problem.offset() < 0 ? "" : " at byte " + problem.offset();
      terminal.say(problem.file() + where + ": " + problem.what());
    }
    if (report.problemCount() > PROBLEMS_TOLD) {
      terminal.say(Words.count(report.problemCount() - PROBLEMS_TOLD, "more problem"));
    }
    terminal.println(
        Words.count(report.blobs(), "blob")
            + ", "
            + Words.count(report.turns(), "turn")
            + ", "
            + Words.count(report.contexts(), "context"));
    if (report.turnsSkipped() > 0) {
      terminal.println(
          "left out: "
              + Words.count(report.turnsSkipped(), "turn")
              + " whose blob or parent is missing");
    }
    if (report.contextsSetBack() > 0) {
      terminal.println(
          "ending earlier than they did: " + Words.count(report.contextsSetBack(), "context"));
    }
    if (types.bundles() > 0) {
      terminal.println("types: " + Words.count(types.bundles(), "bundle"));
    }
    for (RegistryFolder.Problem problem : types.problems()) {
      terminal.say("registry/" + problem.file() + ": " + problem.what());
    }
  }

  private static void printJson(CxdbReport report, RegistryFolder.Report types, Terminal terminal) {
    new JsonLine()
        .number("blobs", report.blobs())
        .number("turns", report.turns())
        .number("turns_skipped", report.turnsSkipped())
        .number("contexts", report.contexts())
        .number("contexts_set_back", report.contextsSetBack())
        .number("fs_roots", report.fsRoots())
        .number("problem_count", report.problemCount())
        .objects(
            "problems",
            report.problems(),
            (line, problem) ->
                line.text("file", problem.file())
                    .number("offset", problem.offset())
                    .text("what", problem.what()))
        .number("bundles", types.bundles())
        .objects(
            "bundle_problems",
            types.problems(),
            (line, problem) -> line.text("file", problem.file()).text("what", problem.what()))
        .print(terminal);
  }
}
