// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.CheckReport;
import dev.varve.local.LocalStore;
import dev.varve.server.types.BundleFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve check`
@Command(
    name = "check",
    description = "Reads the whole store and verifies every checksum, hash and link.",
    footer = {
      "  varve check              exit status 3 if anything is damaged",
      "  varve check --rebuild    makes the indexes again from the data, then verifies"
    })
final class Check implements Callable<Integer> {

  private final Varve varve;

  @Option(
      names = "--rebuild",
      description = "First throws away what can be made again from the rest, and makes it again.")
  private boolean rebuild;

  @Mixin private final JsonOption output = new JsonOption();

  Check(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    CheckReport report;
    BundleFiles.Checked bundles;
    try (Waiting _ = Waiting.on("verifying the store", terminal)) {
      if (rebuild) {
        varve.openExisting().close(); // refuses what is no store before anything is thrown away
        LocalStore.forgetDerived(varve.storeFolder());
      }
      try (LocalStore store = varve.openExisting()) {
        report = store.check();
        bundles = BundleFiles.check(varve.storeFolder());
      }
    }
    report = withBundles(report, bundles);
    if (output.json()) {
      printJson(report, bundles.bundles(), terminal);
    } else {
      print(report, bundles.bundles(), terminal);
    }
    return report.sound() ? ExitCodes.OK : ExitCodes.DAMAGED;
  }

  private static CheckReport withBundles(CheckReport report, BundleFiles.Checked bundles) {
    List<CheckReport.Problem> problems = new ArrayList<>(report.problems());
    bundles
        .problems()
        .forEach((file, what) -> problems.add(new CheckReport.Problem(file, 0, what, false)));
    return new CheckReport(
        report.blobs(), report.turns(), report.contexts(), report.overlays(), problems);
  }

  private static void printJson(CheckReport report, int bundles, Terminal terminal) {
    new JsonLine()
        .bool("sound", report.sound())
        .number("blobs", report.blobs())
        .number("turns", report.turns())
        .number("contexts", report.contexts())
        .number("overlays", report.overlays())
        .number("bundles", bundles)
        .objects(
            "problems",
            report.problems(),
            (line, problem) ->
                line.text("file", problem.file())
                    .number("offset", problem.offset())
                    .text("what", problem.what())
                    .bool("can_be_rebuilt", problem.derived()))
        .print(terminal);
  }

  private static void print(CheckReport report, int bundles, Terminal terminal) {
    for (CheckReport.Problem problem : report.problems()) {
      String end = problem.derived() ? " (can be rebuilt)" : "";
      terminal.println(new Line().add(Line.Style.RED, problem.what() + end));
    }
    terminal.println(
        "verified "
            + Words.count(report.blobs(), "blob")
            + ", "
            + Words.count(report.turns(), "turn")
            + ", "
            + Words.count(report.contexts(), "context")
            + ", "
            + Words.count(report.overlays(), "overlay")
            + (bundles == 0 ? "" : ", " + Words.count(bundles, "bundle")));
    if (report.sound()) {
      terminal.println(new Line().add(Line.Style.GREEN, "no problems"));
      return;
    }
    boolean lost = report.problems().stream().anyMatch(problem -> !problem.derived());
    terminal.println(
        new Line().add(Line.Style.RED, Words.count(report.problems().size(), "problem")));
    terminal.say(
        lost
            ? "What is named above is damaged; all the rest was verified. Copy the folder before"
                + " you try to mend it."
            : "Nothing is lost: 'varve check --rebuild' makes again what is damaged.");
  }
}
