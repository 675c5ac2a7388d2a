// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.jp;

import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.Terminal;
import dev.varve.jp.CopyReport;
import dev.varve.json.JsonLine;
import java.util.List;
import java.util.Locale;

/// Tells what became of conversations that were rewritten, and adds it up.
final class RewriteOutput {

  private final Terminal terminal;
  private final boolean json;
  private final String did;
  private long conversations;
  private long changed;
  private long payloads;
  private long contentBytes;
  private long blobsNew;
  private long blobsPresent;
  private long blobsHealed;
  private long sizeBytesBefore;
  private long sizeBytesAfter;
  private long locked;
  private long notJson;
  private long failed;
  private long problems;

  /// @param did what was done to payloads, for people: `externalized`
  RewriteOutput(Terminal terminal, boolean json, String did) {
    this.terminal = terminal;
    this.json = json;
    this.did = did;
  }

  void add(List<CopyReport> reports) {
    conversations++;
    for (CopyReport report : reports) {
      count(report);
      if (json) {
        print(report);
      } else {
        describe(report);
      }
    }
  }

  private void count(CopyReport report) {
    switch (report.outcome()) {
      case CHANGED -> changed++;
      case UNCHANGED -> {}
      case LOCKED -> locked++;
      case NOT_JSON -> notJson++;
      case FAILED -> failed++;
    }
    payloads += report.payloads().count();
    contentBytes += report.payloads().contentBytes();
    blobsNew += report.blobs().added();
    blobsPresent += report.blobs().present();
    blobsHealed += report.blobs().healed();
    sizeBytesBefore += report.sizeBytesBefore();
    sizeBytesAfter += report.sizeBytesAfter();
    problems += report.problems().size();
  }

  private void describe(CopyReport report) {
    String file = report.copy().events().toString();
    if (report.refusal() != null) {
      String hint =
          report.outcome() == CopyReport.Outcome.NOT_JSON
              ? " ('varve jp fix " + report.copy().id() + "' may help)"
              : "";
      boolean names = report.refusal().startsWith("/");
      String separator = report.outcome() == CopyReport.Outcome.NOT_JSON ? ":" : ": ";
      terminal.complain(StyledLine.of((names ? "" : file + separator) + report.refusal() + hint));
      return;
    }
    if (report.payloads().count() > 0) {
      terminal.status("");
      terminal.println(
          new StyledLine()
              .add(StyledLine.Style.YELLOW, report.copy().id().toString())
              .tab(17)
              .add(report.copy().root().kind().words())
              .tab(29)
              .add(HumanText.count(report.payloads().count(), "payload"))
              .tab(44)
              .add(
                  HumanText.number(report.sizeBytesBefore())
                      + " → "
                      + HumanText.number(report.sizeBytesAfter())
                      + " bytes"));
    }
    if (report.payloads().urlSafe() > 0) {
      terminal.say(
          file
              + ": "
              + HumanText.count(report.payloads().urlSafe(), "payload")
              + " in URL-safe base64, which JP of today shows undecoded");
    }
    ProblemOutput.complain(file, report.problems(), terminal);
  }

  private void print(CopyReport report) {
    new JsonLine()
        .id("conversation", report.copy().id())
        .text("root", report.copy().root().kind().words())
        .text("file", report.copy().events().toString())
        .text("outcome", report.outcome().name().toLowerCase(Locale.ROOT))
        .number("payloads", report.payloads().count())
        .number("payload_bytes", report.payloads().contentBytes())
        .number("blobs_new", report.blobs().added())
        .number("blobs_present", report.blobs().present())
        .number("blobs_healed", report.blobs().healed())
        .number("references", report.references())
        .number("url_safe", report.payloads().urlSafe())
        .number("size_bytes_before", report.sizeBytesBefore())
        .number("size_bytes_after", report.sizeBytesAfter())
        .text("refusal", report.refusal())
        .objects(
            "problems",
            report.problems(),
            (line, problem) ->
                line.number("line", problem.position().line())
                    .number("column", problem.position().column())
                    .text("pointer", problem.pointer())
                    .text("what", problem.what()))
        .print(terminal);
  }

  /// The sum, for people.
  void sum(boolean dry) {
    if (json) {
      return;
    }
    String blobs = blobsNew + blobsPresent + blobsHealed == 0 ? "" : blobs();
    terminal.println(
        (dry ? "would be " + did + ": " : did + ": ")
            + HumanText.count(payloads, "payload")
            + (contentBytes > 0 ? " (" + HumanText.number(contentBytes) + " bytes)" : "")
            + " in "
            + HumanText.count(changed, "file")
            + " of "
            + HumanText.count(conversations, "conversation")
            + blobs
            + "; events.json "
            + HumanText.number(sizeBytesBefore)
            + " → "
            + HumanText.number(sizeBytesAfter)
            + " bytes");
    left(locked, "file", "left alone: in use by JP");
    left(notJson, "file", "left alone: not JSON");
    left(failed, "file", "left alone: could not be read or written");
    left(problems, "place", problems == 1 ? "left as it was" : "left as they were");
  }

  private String blobs() {
    return "; "
        + HumanText.count(blobsNew, "new blob")
        + (blobsPresent > 0 ? ", " + HumanText.number(blobsPresent) + " present" : "")
        + (blobsHealed > 0 ? ", " + HumanText.number(blobsHealed) + " healed" : "");
  }

  private void left(long count, String noun, String why) {
    if (count > 0) {
      terminal.complain(
          new StyledLine().add(StyledLine.Style.RED, HumanText.count(count, noun) + " " + why));
    }
  }

  /// 0; 4 if something is in use; 3 if something was left as it was.
  int status() {
    if (failed + notJson + problems > 0) {
      return ExitCodes.DAMAGED;
    }
    return locked > 0 ? ExitCodes.UNAVAILABLE : ExitCodes.OK;
  }

  /// The sum as a sentence for [ProgressIndicator].
  String progress(int of) {
    return "conversation " + Math.min(conversations + 1, of) + " of " + of;
  }
}
