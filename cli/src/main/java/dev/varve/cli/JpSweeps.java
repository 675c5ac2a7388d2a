// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.jp.sweep.SweepReport;
import dev.varve.jp.sweep.SweepReport.Candidate;
import dev.varve.jp.sweep.SweepReport.Fate;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Tells what sweeps did, and reads the times they are given.
final class JpSweeps {

  private static final Pattern DURATION = Pattern.compile("([0-9]{1,6})(s|m|h|d|w)?");

  private JpSweeps() {}

  /// `90s`, `15m`, `12h`, `7d`, `2w`; a number alone counts days, so 0 is 0.
  static Duration duration(String option, String text) {
    Matcher matcher = DURATION.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      try {
        Duration iso = Duration.parse(text);
        if (!iso.isNegative()) {
          return iso;
        }
      } catch (DateTimeParseException e) {
        // said below
      }
      throw new Refusal(
          ExitCodes.USAGE, option + ": expected a time like 12h or 7d, found '" + text + "'", null);
    }
    long number = Long.parseLong(matcher.group(1));
    String unit = matcher.group(2) == null ? "d" : matcher.group(2);
    return switch (unit) {
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      case "w" -> Duration.ofDays(7 * number);
      default -> Duration.ofDays(number);
    };
  }

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
      boolean told = list || candidate.fate() == Fate.REMOVED || candidate.fate() == Fate.REMOVABLE;
      if (told) {
        terminal.println(
            new Line()
                .add(word(candidate.fate()))
                .tab(14)
                .add(candidate.blob().hash().hex())
                .add("  " + Words.number(candidate.blob().state().sizeBytes()) + " bytes")
                .add(candidate.why().isEmpty() ? "" : "  " + candidate.why()));
      }
    }
    report.remarks().forEach(terminal::say);
    report.odd().forEach(odd -> terminal.say(odd.path() + ": " + odd.what() + ", left alone"));
    terminal.println(
        root
            + ": "
            + Words.count(report.blobs(), "blob")
            + ", "
            + Words.number(report.referenced())
            + " referred to; "
            + removed(report)
            + part(report, Fate.YOUNG, "too young")
            + part(report, Fate.KEPT_FOR_GIT, "kept for git")
            + part(report, Fate.WANTED_AGAIN, "wanted again")
            + part(report, Fate.LEFT, "left")
            + (report.restored() > 0
                ? "; " + Words.number(report.restored()) + " put back from the trash"
                : "")
            + (report.emptiedBytes() > 0
                ? "; trash gave back " + Words.number(report.emptiedBytes()) + " bytes"
                : ""));
    if (report.why() != null) {
      String word =
          switch (report.ending()) {
            case DONE -> "";
            case STOPPED -> "stopped: ";
            case BLOCKED -> "nothing was removed, for references could not be read: ";
            case BUSY -> "nothing was removed: ";
          };
      terminal.complain(new Line().add(Line.Style.RED, root + ": " + word + report.why()));
    }
  }

  private static String removed(SweepReport report) {
    Fate fate = report.count(Fate.REMOVABLE) > 0 ? Fate.REMOVABLE : Fate.REMOVED;
    return Words.number(report.count(fate))
        + (fate == Fate.REMOVABLE ? " to remove (" : " removed (")
        + Words.number(report.bytes(fate))
        + " bytes)";
  }

  private static String part(SweepReport report, Fate fate, String words) {
    long count = report.count(fate);
    return count > 0 ? ", " + Words.number(count) + " " + words : "";
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
        .number("restored", report.restored())
        .number("drafts", report.drafts())
        .number("emptied_bytes", report.emptiedBytes())
        .number("conversation_files", report.conversationFiles())
        .number("read_bytes", report.readBytes())
        .objects(
            "unreferenced",
            report.unreferenced(),
            (line, candidate) ->
                line.text("sha256", candidate.blob().hash().hex())
                    .text("file", candidate.blob().file().toString())
                    .number("size_bytes", candidate.blob().state().sizeBytes())
                    .text("fate", candidate.fate().name().toLowerCase(Locale.ROOT))
                    .text("reason", candidate.why().isEmpty() ? null : candidate.why()))
        .objects("remarks", report.remarks(), (line, remark) -> line.text("what", remark))
        .print(terminal);
  }
}
