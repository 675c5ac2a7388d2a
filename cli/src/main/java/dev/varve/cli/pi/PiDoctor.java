// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.Terminal;
import dev.varve.json.JsonLine;
import dev.varve.pi.doctor.FileExamination;
import dev.varve.pi.doctor.ProblemPlace;
import dev.varve.pi.doctor.RepairReport;
import dev.varve.pi.doctor.RepairWriter;
import dev.varve.pi.doctor.SessionDiagnosis;
import dev.varve.pi.doctor.SessionProblem;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve pi doctor`
@Command(
    name = "doctor",
    description = {
      "Explains what is wrong with a session of Pi, and can write a repaired copy.",
      "",
      "The file itself is never changed. A journal beside the copy, FILE.repair, has all bytes that"
          + " are not in the copy."
    },
    exitCodeList = {
      " 0:healthy: nothing is wrong, or notes only",
      " 1:there is no such session",
      " 2:the request is wrong, a copy's file exists, or there is nothing to repair",
      " 3:something is wrong, as reported; also when a copy was written",
      "74:a file or standard output could not be read or written"
    },
    footer = {
      "  varve pi doctor session.jsonl",
      "  varve pi doctor 01a21ebe",
      "  varve pi doctor session.jsonl --repair-to repaired.jsonl",
      "  varve pi doctor session.jsonl --json"
    })
final class PiDoctor implements Callable<Integer> {

  /// The most places of one kind of damage that are listed for a person.
  private static final int PLACES_LISTED = 5;

  private final CommandSession command;
  private volatile String progress = "";

  @Mixin private final SessionArgument session = new SessionArgument();

  @Option(
      names = "--repair-to",
      paramLabel = "COPY",
      description = "Writes a repaired copy into this file, which must not exist.")
  private @Nullable Path copy;

  @Option(
      names = "--cwd",
      paramLabel = "DIR",
      description = "The working folder for a header that the repair makes.")
  private @Nullable String cwd;

  @Mixin private final PiOptions pi = new PiOptions();
  @Mixin private final JsonOption output = new JsonOption();

  PiDoctor(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    Path file = session.file(pi, terminal);
    SessionDiagnosis found;
    RepairReport repaired = null;
    SessionDiagnosis after = null;
    try (ProgressIndicator _ = ProgressIndicator.on(() -> progress, terminal)) {
      found = examine(file);
      if (copy != null) {
        repaired =
            RepairWriter.write(found, copy, bytes -> progress = "copied " + HumanText.size(bytes));
        after = examine(copy);
      }
    }
    if (output.json()) {
      json(found, repaired, after).print(terminal);
    } else {
      print(found, terminal);
      if (repaired != null && after != null) {
        print(repaired, after, terminal);
      } else if (!found.healthy() && found.repairable()) {
        terminal.say("--repair-to COPY writes a repaired copy; the file itself stays the same.");
      }
    }
    return found.healthy() ? ExitCodes.OK : ExitCodes.DAMAGED;
  }

  private SessionDiagnosis examine(Path what) {
    return FileExamination.of(
        what,
        cwd,
        command.terminal().clock().instant(),
        bytes -> progress = "read " + HumanText.size(bytes));
  }

  private static void print(SessionDiagnosis found, Terminal terminal) {
    for (SessionProblem problem : SessionProblem.values()) {
      long count = found.counts().getOrDefault(problem, 0L);
      if (count == 0) {
        continue;
      }
      terminal.println(
          new StyledLine()
              .add(style(problem), problem.severity().name().toLowerCase(Locale.ROOT))
              .tab(9)
              .add(StyledLine.Style.BOLD, problem.words())
              .add(count > 1 ? ", " + HumanText.number(count) + " times" : ""));
      paragraph(problem.meaning(), terminal);
      if (problem.severity() != SessionProblem.Severity.NOTE) {
        paragraph("A repair: " + lowerFirst(problem.remedy()), terminal);
      }
      List<ProblemPlace> places =
          found.findings().stream().filter(finding -> finding.problem() == problem).toList();
      places.stream().limit(PLACES_LISTED).forEach(place -> print(place, terminal));
      if (count > PLACES_LISTED) {
        terminal.println(
            new StyledLine()
                .tab(0)
                .add("           … and " + HumanText.number(count - PLACES_LISTED) + " more"));
      }
      terminal.println("");
    }
    String size = HumanText.number(found.sizeBytes()) + " bytes, " + found.entries() + " entries: ";
    terminal.println(
        new StyledLine()
            .add(size)
            .add(
                found.healthy() ? StyledLine.Style.GREEN : StyledLine.Style.RED,
                found.healthy() ? "healthy" : "not healthy"));
  }

  private static StyledLine.Style style(SessionProblem problem) {
    return switch (problem.severity()) {
      case DAMAGE -> StyledLine.Style.RED;
      case WARNING -> StyledLine.Style.YELLOW;
      case NOTE -> StyledLine.Style.FAINT;
    };
  }

  private static void print(ProblemPlace place, Terminal terminal) {
    String where =
        place.line() == 0
            ? ""
            : "line "
                + HumanText.number(place.line())
                + ", byte "
                + HumanText.number(place.offset())
                + ", "
                + HumanText.count(place.sizeBytes(), "byte");
    String gap = where.isEmpty() || place.detail().isEmpty() ? "" : ": ";
    terminal.println(
        new StyledLine()
            .add("         • ")
            .add(StyledLine.Style.CYAN, where)
            .add(gap + place.detail()));
  }

  private static String lowerFirst(String text) {
    return text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
  }

  private static void paragraph(String text, Terminal terminal) {
    int room = Math.clamp(terminal.columns() - 9, 40, 100);
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (line.length() + word.length() + 1 > room) {
        terminal.println("         " + line);
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    terminal.println("         " + line);
  }

  private static void print(RepairReport repaired, SessionDiagnosis after, Terminal terminal) {
    terminal.println("");
    terminal.println("copy     " + repaired.copy() + ": " + repaired.entries() + " entries");
    terminal.println(
        "journal  "
            + repaired.journal()
            + ": "
            + HumanText.count(repaired.leftOutBytes(), "byte")
            + " of the original that the copy lacks");
    terminal.println("verified: the original was made again from both, with the same hash");
    terminal.println(
        after.healthy()
            ? "the copy is healthy"
            : "the copy is not healthy: examine it for what is left");
  }

  private static JsonLine json(
      SessionDiagnosis found, @Nullable RepairReport repaired, @Nullable SessionDiagnosis after) {
    return new JsonLine()
        .text("file", found.file().toString())
        .bool("healthy", found.healthy())
        .bool("repairable", found.repairable())
        .number("size_bytes", found.sizeBytes())
        .hash("hash", found.hash())
        .number("entries", found.entries())
        .objects(
            "problems",
            found.counts().entrySet(),
            (line, problem) ->
                line.text("problem", name(problem.getKey()))
                    .text("severity", problem.getKey().severity().name().toLowerCase(Locale.ROOT))
                    .number("count", problem.getValue())
                    .text("words", problem.getKey().words())
                    .text("meaning", problem.getKey().meaning())
                    .text("remedy", problem.getKey().remedy()))
        .objects(
            "findings",
            found.findings(),
            (line, finding) ->
                line.text("problem", name(finding.problem()))
                    .numberOrNull("line", finding.line() == 0 ? null : finding.line())
                    .number("offset", finding.offset())
                    .number("size_bytes", finding.sizeBytes())
                    .text("detail", finding.detail()))
        .text("copy", repaired == null ? null : repaired.copy().toString())
        .text("journal", repaired == null ? null : repaired.journal().toString())
        .hash("copy_hash", repaired == null ? null : repaired.hash())
        .numberOrNull("copy_entries", repaired == null ? null : repaired.entries())
        .numberOrNull("left_out_bytes", repaired == null ? null : repaired.leftOutBytes())
        .text("copy_healthy", after == null ? null : Boolean.toString(after.healthy()));
  }

  private static String name(SessionProblem problem) {
    return problem.name().toLowerCase(Locale.ROOT);
  }
}
