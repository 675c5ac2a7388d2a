// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.jp.Verification;
import dev.varve.jp.place.Root;
import dev.varve.jp.place.Workspace;
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
      "Where two branches brought the same blob in different compression, either file is right:"
          + " what counts is the hash of its content."
    },
    footer = {"  varve jp verify             exit status 3 if anything is damaged or missing"})
final class JpVerify implements Callable<Integer> {

  private final Varve varve;

  @Mixin private final JpWorkspace place = new JpWorkspace();
  @Mixin private final JsonOption output = new JsonOption();

  JpVerify(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    Workspace workspace = place.find(terminal);
    boolean sound = true;
    for (Root root : workspace.roots()) {
      AtomicLong read = new AtomicLong();
      Verification.Report report;
      try (Waiting _ = Waiting.on(() -> Words.count(read.get(), "blob") + " read", terminal)) {
        report = Verification.of(workspace, root, terminal.clock(), read::set);
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

  private static void print(Verification.Report report, Terminal terminal) {
    for (String problem : report.problems()) {
      terminal.println(new Line().add(Line.Style.RED, problem));
    }
    report.odd().forEach(odd -> terminal.say(odd));
    terminal.println(
        report.root().kind().words()
            + ": verified "
            + Words.count(report.blobs(), "blob")
            + " ("
            + Words.number(report.blobBytes())
            + " bytes), "
            + Words.count(report.references(), "reference")
            + " in "
            + Words.count(report.conversations(), "conversation")
            + (report.unreferenced() > 0
                ? ", " + Words.number(report.unreferenced()) + " without a reference"
                : ""));
    terminal.println(
        report.problems().isEmpty()
            ? new Line().add(Line.Style.GREEN, "no problems")
            : new Line().add(Line.Style.RED, Words.count(report.problems().size(), "problem")));
  }

  private static void printJson(Verification.Report report, Terminal terminal) {
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
