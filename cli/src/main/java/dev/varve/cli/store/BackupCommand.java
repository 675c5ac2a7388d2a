// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.BackupReport;
import dev.varve.CheckReport;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.Terminal;
import dev.varve.json.JsonLine;
import dev.varve.local.StoreBackup;
import dev.varve.server.types.TypeBundleFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `varve backup`
@Command(
    name = "backup",
    description = {
      "Copies the store into a folder; later runs copy only what is new.",
      "The store may be in use meanwhile. The folder is a store itself, of the",
      "moment at which the command began. Repeat a run that broke off."
    },
    footer = {
      "  varve backup /mnt/disk/varve            what is new since the last time",
      "  varve backup /mnt/disk/varve --verify   and compares all the rest as well"
    })
final class BackupCommand implements Callable<Integer> {

  private final CommandSession command;
  private volatile String progress = "copying the store";

  @Parameters(paramLabel = "DIR", description = "A backup of this store, or an empty folder.")
  private @Nullable Path folder;

  @Option(
      names = "--verify",
      description = "Also compares everything that was copied earlier, and mends the backup.")
  private boolean verify;

  @Mixin private final JsonOption output = new JsonOption();

  BackupCommand(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Path target = folder;
    if (target == null) {
      throw new AssertionError("the command line names no folder");
    }
    Path store = command.requireFolder();
    Payload point;
    try (Store open = command.openExisting()) {
      point = open.backupPoint();
    }
    Terminal terminal = command.terminal();
    BackupReport report;
    List<CheckReport.Problem> problems;
    try (ProgressIndicator _ = ProgressIndicator.on(() -> progress, terminal);
        StoreBackup backup = StoreBackup.begin(store, point, target)) {
      Map<String, String> bundles = TypeBundleFiles.copy(store, target, verify).problems();
      report = backup.run(verify, this::reached);
      problems = new ArrayList<>(report.problems());
      bundles.forEach((file, what) -> problems.add(new CheckReport.Problem(file, 0, what, false)));
    }
    if (output.json()) {
      printJson(report, problems, terminal);
    } else {
      print(report, problems, target, terminal);
    }
    return problems.isEmpty() ? ExitCodes.OK : ExitCodes.DAMAGED;
  }

  private void reached(long doneBytes, long totalBytes) {
    progress = "copying the store, " + HumanText.percent(doneBytes, totalBytes);
  }

  private static void printJson(
      BackupReport report, List<CheckReport.Problem> problems, Terminal terminal) {
    CheckReport.NewestTurn newest = report.newest();
    new JsonLine()
        .bool("sound", problems.isEmpty())
        .text("store_id", report.storeId().toString())
        .number("copied_bytes", report.copiedBytes())
        .number("mended_bytes", report.mendedBytes())
        .number("total_bytes", report.totalBytes())
        .number("turns", report.turns())
        .number("blobs", report.blobs())
        .text("newest_turn", newest == null ? null : newest.id().toString())
        .text("newest_created_at", newest == null ? null : newest.createdAt().toString())
        .objects(
            "problems",
            problems,
            (line, problem) ->
                line.text("file", problem.file())
                    .number("offset", problem.offset())
                    .text("what", problem.what()))
        .print(terminal);
  }

  private void print(
      BackupReport report, List<CheckReport.Problem> problems, Path target, Terminal terminal) {
    problems.forEach(
        problem -> terminal.println(new StyledLine().add(StyledLine.Style.RED, problem.what())));
    terminal.println(
        "backed up "
            + HumanText.count(report.turns(), "turn")
            + " and "
            + HumanText.count(report.blobs(), "blob")
            + ": "
            + HumanText.size(report.copiedBytes())
            + " new, "
            + HumanText.size(report.totalBytes())
            + " altogether");
    if (report.mendedBytes() > 0) {
      terminal.say("The backup was damaged, and was mended from the store.");
    }
    CheckReport.NewestTurn newest = report.newest();
    if (newest != null) {
      terminal.say("The newest turn is " + newest.id() + " of " + newest.createdAt() + ".");
    }
    if (!problems.isEmpty()) {
      terminal.say(
          "The places named above are damaged. Keep this backup, and copy the store's folder before"
              + " you try to mend the store.");
    }
    if (verify && problems.isEmpty()) {
      terminal.say("The copy was read back and is the same as the store: " + target);
    }
  }
}
