// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.jp;

import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.Terminal;
import dev.varve.jp.WorkspaceCheck;
import dev.varve.jp.place.Workspace;
import dev.varve.jp.place.WorkspaceRoot;
import dev.varve.json.JsonLine;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `varve jp verify`
@Command(
    name = "verify",
    description = {
      "Reads every blob and follows every reference. Changes nothing.",
      "",
      "Two branches may bring the same blob in different compression. Either file is right: only"
          + " the hash of the content counts."
    },
    footer = {"  varve jp verify             exit status 3 if anything is damaged or missing"})
final class JpVerify implements Callable<Integer> {

  private final CommandSession command;

  @Mixin private final WorkspaceOption place = new WorkspaceOption();
  @Mixin private final JsonOption output = new JsonOption();

  JpVerify(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    Workspace workspace = place.find(terminal);
    boolean sound = true;
    for (WorkspaceRoot root : workspace.roots()) {
      AtomicLong read = new AtomicLong();
      WorkspaceCheck.Report report;
      try (ProgressIndicator _ =
          ProgressIndicator.on(() -> HumanText.count(read.get(), "blob") + " read", terminal)) {
        report = WorkspaceCheck.of(workspace, root, terminal.clock(), read::set);
      }
      sound &= report.problems().isEmpty();
      if (output.json()) {
        printJson(report, terminal);
      } else {
        print(report, terminal);
      }
    }
    return sound ? ExitCodes.OK : ExitCodes.DAMAGED;
  }

  private static void print(WorkspaceCheck.Report report, Terminal terminal) {
    for (String problem : report.problems()) {
      terminal.println(new StyledLine().add(StyledLine.Style.RED, problem));
    }
    report.odd().forEach(odd -> terminal.say(odd));
    terminal.println(
        report.root().kind().words()
            + ": verified "
            + HumanText.count(report.blobs(), "blob")
            + " ("
            + HumanText.number(report.blobBytes())
            + " bytes), "
            + HumanText.count(report.references(), "reference")
            + " in "
            + HumanText.count(report.conversations(), "conversation")
            + (report.unreferenced() > 0
                ? ", " + HumanText.number(report.unreferenced()) + " without a reference"
                : ""));
    terminal.println(
        report.problems().isEmpty()
            ? new StyledLine().add(StyledLine.Style.GREEN, "no problems")
            : new StyledLine()
                .add(StyledLine.Style.RED, HumanText.count(report.problems().size(), "problem")));
  }

  private static void printJson(WorkspaceCheck.Report report, Terminal terminal) {
    new JsonLine()
        .text("root", report.root().kind().words())
        .text("folder", report.root().folder().toString())
        .bool("sound", report.problems().isEmpty())
        .number("blobs", report.blobs())
        .number("blob_bytes", report.blobBytes())
        .number("conversations", report.conversations())
        .number("references", report.references())
        .number("unreferenced", report.unreferenced())
        .objects("problems", report.problems(), (line, problem) -> line.text("what", problem))
        .objects("odd", report.odd(), (line, odd) -> line.text("what", odd))
        .print(terminal);
  }
}
