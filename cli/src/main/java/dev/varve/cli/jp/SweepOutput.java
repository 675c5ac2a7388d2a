// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.jp;

import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.Terminal;
import dev.varve.jp.sweep.SweepReport;
import dev.varve.jp.sweep.SweepReport.Candidate;
import dev.varve.jp.sweep.SweepReport.Fate;
import dev.varve.json.JsonLine;
import java.util.List;
import java.util.Locale;

/// The output of sweeps, as lines and as JSON.
final class SweepOutput {

  private SweepOutput() {}

  /// 0; 3 if references could not be read; 4 if the store was in use, or the sweep was stopped.
  static int status(List<SweepReport> reports) {
    int status = ExitCodes.OK;
    for (SweepReport report : reports) {
      int own =
          switch (report.ending()) {
            case DONE -> ExitCodes.OK;
            case BLOCKED -> ExitCodes.DAMAGED;
            case BUSY, STOPPED -> ExitCodes.UNAVAILABLE;
          };
      status = status == ExitCodes.DAMAGED ? status : Math.max(status, own);
      status = own == ExitCodes.DAMAGED ? own : status;
    }
    return status;
  }

  static void print(SweepReport report, boolean list, Terminal terminal) {
    String root = report.root().kind().words();
    for (Candidate candidate : report.unreferenced()) {
      boolean listed =
          list || candidate.fate() == Fate.REMOVED || candidate.fate() == Fate.REMOVABLE;
      if (listed) {
        terminal.println(
            new StyledLine()
                .add(word(candidate.fate()))
                .tab(14)
                .add(candidate.blob().hash().hex())
                .add("  " + HumanText.number(candidate.blob().state().sizeBytes()) + " bytes")
                .add(candidate.why().isEmpty() ? "" : "  " + candidate.why()));
      }
    }
    report.reading().remarks().forEach(terminal::say);
    report.odd().forEach(odd -> terminal.say(odd.path() + ": " + odd.what() + ", left alone"));
    terminal.println(
        root
            + ": "
            + HumanText.count(report.blobs(), "blob")
            + ", "
            + HumanText.number(report.referenced())
            + " referred to; "
            + removed(report)
            + part(report, Fate.YOUNG, "too young")
            + part(report, Fate.KEPT_FOR_GIT, "kept for git")
            + part(report, Fate.WANTED_AGAIN, "wanted again")
            + part(report, Fate.LEFT, "left")
            + (report.tidying().restored() > 0
                ? "; " + HumanText.number(report.tidying().restored()) + " put back from the trash"
                : "")
            + (report.tidying().emptiedBytes() > 0
                ? "; trash gave back "
                    + HumanText.number(report.tidying().emptiedBytes())
                    + " bytes"
                : ""));
    if (report.why() != null) {
      String word =
          switch (report.ending()) {
            case DONE -> "";
            case STOPPED -> "stopped: ";
            case BLOCKED -> "nothing was removed, for references could not be read: ";
            case BUSY -> "nothing was removed: ";
          };
      terminal.complain(
          new StyledLine().add(StyledLine.Style.RED, root + ": " + word + report.why()));
    }
  }

  private static String removed(SweepReport report) {
    Fate fate = report.count(Fate.REMOVABLE) > 0 ? Fate.REMOVABLE : Fate.REMOVED;
    return HumanText.number(report.count(fate))
        + (fate == Fate.REMOVABLE ? " to remove (" : " removed (")
        + HumanText.number(report.bytes(fate))
        + " bytes)";
  }

  private static String part(SweepReport report, Fate fate, String words) {
    long count = report.count(fate);
    return count > 0 ? ", " + HumanText.number(count) + " " + words : "";
  }

  private static String word(Fate fate) {
    return switch (fate) {
      case REMOVED -> "removed";
      case REMOVABLE -> "to remove";
      case YOUNG -> "too young";
      case KEPT_FOR_GIT -> "kept for git";
      case WANTED_AGAIN -> "wanted again";
      case LEFT -> "left";
    };
  }

  static void printJson(SweepReport report, Terminal terminal) {
    new JsonLine()
        .text("root", report.root().kind().words())
        .text("folder", report.root().folder().toString())
        .text("ending", report.ending().name().toLowerCase(Locale.ROOT))
        .text("why", report.why())
        .number("blobs", report.blobs())
        .number("referenced", report.referenced())
        .number("removed", report.count(Fate.REMOVED))
        .number("removed_bytes", report.bytes(Fate.REMOVED))
        .number("restored", report.tidying().restored())
        .number("drafts", report.tidying().drafts())
        .number("emptied_bytes", report.tidying().emptiedBytes())
        .number("conversation_files", report.reading().files())
        .number("read_bytes", report.reading().sizeBytes())
        .objects(
            "unreferenced",
            report.unreferenced(),
            (line, candidate) ->
                line.text("sha256", candidate.blob().hash().hex())
                    .text("file", candidate.blob().file().toString())
                    .number("size_bytes", candidate.blob().state().sizeBytes())
                    .text("fate", candidate.fate().name().toLowerCase(Locale.ROOT))
                    .text("reason", candidate.why().isEmpty() ? null : candidate.why()))
        .objects("remarks", report.reading().remarks(), (line, remark) -> line.text("what", remark))
        .print(terminal);
  }
}
