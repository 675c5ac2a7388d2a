// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.BulkStore;
import dev.varve.StoreException;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.session.StoreAddress;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.Terminal;
import dev.varve.copy.StoreCopy;
import dev.varve.copy.StoreCopyReport;
import dev.varve.json.JsonLine;
import dev.varve.server.types.TypeBundleFiles;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve copy`
@Command(
    name = "copy",
    description = {
      "Copies the store into another store of any kind, with all numbers and times.",
      "",
      "Later runs copy only what is new. A run that broke off is completed by the next.",
      "The store may be in use meanwhile; nobody else may write to the copy."
    },
    footer = {
      "  varve copy --to postgresql://db.example/team           into a team's database",
      "  varve copy --from postgresql://db.example/team --to ./here"
    })
final class CopyCommand implements Callable<Integer> {

  private final CommandSession command;
  private volatile String progress = "copying the store";

  @Option(
      names = "--from",
      paramLabel = "STORE",
      description = "The store to copy (default: the store of --store).")
  private @Nullable String from;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "STORE",
      description = "A copy of the store, or a place where there is no store yet.")
  private String to = "";

  @Mixin private final JsonOption output = new JsonOption();

  CopyCommand(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    StoreAddress source =
        from == null ? command.address() : StoreAddress.parse("--from", from, terminal);
    StoreAddress target = StoreAddress.parse("--to", to, terminal);
    if (source.shown().equals(target.shown())) {
      throw new CommandException(
          ExitCodes.USAGE, "--to: expected another store, found the same: " + target.shown(), null);
    }
    StoreCopyReport report;
    Map<String, String> bundles;
    try (BulkStore original = command.accessTo(source).openExisting();
        BulkStore copy = command.accessTo(target).openForImport();
        ProgressIndicator _ = ProgressIndicator.on(() -> progress, terminal)) {
      report = new StoreCopy(original, copy, this::reached).run();
      bundles = TypeBundleFiles.copy(source.folder(), target.folder(), false).problems();
    } catch (StoreException.Conflict e) {
      throw new CommandException(
          ExitCodes.of(e),
          String.valueOf(e.getMessage()),
          "Copy into a store that is empty, or that only this command has written.");
    }
    bundles.forEach((file, what) -> terminal.say(file + ": " + what));
    if (output.json()) {
      printJson(report, terminal);
    } else {
      print(report, terminal);
    }
    return bundles.isEmpty() ? ExitCodes.OK : ExitCodes.DAMAGED;
  }

  private void reached(String what, long done, long total) {
    progress = "copying " + what + ", " + HumanText.percent(done, total);
  }

  private static void printJson(StoreCopyReport report, Terminal terminal) {
    new JsonLine()
        .number("blobs", report.blobs())
        .number("blob_bytes", report.blobBytes())
        .number("turns", report.turns())
        .number("erased_turns", report.erasedTurns())
        .number("contexts", report.contexts())
        .number("moved_contexts", report.movedContexts())
        .number("overlays", report.overlays())
        .bool("complete", report.complete())
        .print(terminal);
  }

  private static void print(StoreCopyReport report, Terminal terminal) {
    terminal.println(
        "copied "
            + HumanText.count(report.blobs(), "blob")
            + " ("
            + HumanText.size(report.blobBytes())
            + "), "
            + HumanText.count(report.turns(), "turn")
            + ", "
            + HumanText.count(report.contexts(), "context")
            + ", "
            + HumanText.count(report.overlays(), "overlay"));
    if (report.movedContexts() > 0) {
      terminal.println(HumanText.count(report.movedContexts(), "context") + " went on");
    }
    if (report.erasedTurns() > 0) {
      terminal.say(
          "The payloads of "
              + HumanText.count(report.erasedTurns(), "turn")
              + " were erased; in the copy these turns are deleted.");
    }
    if (!report.complete()) {
      terminal.say("The store was written to meanwhile: the next run copies what is new.");
    }
  }
}
