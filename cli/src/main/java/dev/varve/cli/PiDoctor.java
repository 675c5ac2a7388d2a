// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.doctor.Ailment;
import dev.varve.doctor.Diagnosis;
import dev.varve.doctor.Examination;
import dev.varve.doctor.Finding;
import dev.varve.doctor.Repair;
import dev.varve.doctor.RepairReport;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `varve pi doctor`
@Command(
    name = "doctor",
    description = {
      "Explains what is wrong with a session of Pi, and can write a repaired copy.",
      "",
      "The file itself is never changed. Beside the copy goes a journal, FILE.repair, with all"
          + " bytes that are not in the copy."
    },
    exitCodeList = {
      " 0:healthy: nothing is wrong, or notes only",
      " 1:there is no such session",
      " 2:the request is wrong, a copy's file exists, or there is nothing to repair",
      " 3:something is wrong, as told; also when a copy was written",
      "74:a file or standard output could not be read or written"
    },
    footer = {
      "  varve pi doctor session.jsonl",
      "  varve pi doctor 01a21ebe",
      "  varve pi doctor session.jsonl --repair-to repaired.jsonl",
      "  varve pi doctor session.jsonl --json"
    })
final class PiDoctor implements Callable<Integer> {

  /// How many places of one ailment a person is told.
  private static final int PLACES_TOLD = 5;

  private final Varve varve;
  private volatile String progress = "";

  @Parameters(
      arity = "0..1",
      paramLabel = "SESSION",
      description = "A file, or an id (default: the newest session of this folder).")
  private @Nullable String session;

  @Option(
      names = "--repair-to",
      paramLabel = "COPY",
      description = "Writes a repaired copy into this file, which must not exist.")
  private @Nullable Path copy;

  @Option(
      names = "--cwd",
      paramLabel = "DIR",
      description = "The folder of work that a made header names.")
  private @Nullable String cwd;

  @Mixin private final PiOptions pi = new PiOptions();
  @Mixin private final JsonOption output = new JsonOption();

  PiDoctor(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    Path file = PiFiles.session(session, pi, terminal);
    Diagnosis found;
    RepairReport repaired = null;
    Diagnosis after = null;
    try (Waiting _ = Waiting.on(() -> progress, terminal)) {
      found = examine(file);
      if (copy != null) {
        repaired = Repair.write(found, copy, bytes -> progress = "copied " + Words.size(bytes));
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
        terminal.say("--repair-to COPY writes a repaired copy; this file stays as it is.");
      }
    }
    return found.healthy() ? ExitCodes.OK : ExitCodes.DAMAGED;
  }

  private Diagnosis examine(Path what) {
    return Examination.of(what, cwd, bytes -> progress = "read " + Words.size(bytes));
  }

  private static void print(Diagnosis found, Terminal terminal) {
    for (Ailment ailment : Ailment.values()) {
      long count = found.counts().getOrDefault(ailment, 0L);
      if (count == 0) {
        continue;
      }
      terminal.println(
          new Line()
              .add(style(ailment), ailment.severity().name().toLowerCase(Locale.ROOT))
              .tab(9)
              .add(Line.Style.BOLD, ailment.words())
              .add(count > 1 ? ", " + Words.number(count) + " times" : ""));
      paragraph(ailment.meaning(), terminal);
      if (ailment.severity() != Ailment.Severity.NOTE) {
        paragraph("A repair: " + lowerFirst(ailment.remedy()), terminal);
      }
      List<Finding> places =
          found.findings().stream().filter(finding -> finding.ailment() == ailment).toList();
      places.stream().limit(PLACES_TOLD).forEach(place -> print(place, terminal));
      if (count > PLACES_TOLD) {
        terminal.println(
            new Line()
                .tab(0)
                .add("           … and " + Words.number(count - PLACES_TOLD) + " more"));
      }
      terminal.println("");
    }
    String size = Words.number(found.sizeBytes()) + " bytes, " + found.entries() + " entries: ";
    terminal.println(
        new Line()
            .add(size)
            .add(
                found.healthy() ? Line.Style.GREEN : Line.Style.RED,
                found.healthy() ? "healthy" : "not healthy"));
  }

  private static Line.Style style(Ailment ailment) {
    return switch (ailment.severity()) {
      case DAMAGE -> Line.Style.RED;
      case WARNING -> Line.Style.YELLOW;
      case NOTE -> Line.Style.FAINT;
    };
  }

  private static void print(Finding place, Terminal terminal) {
    String where =
        place.line() == 0
            ? ""
            : "line "
                + Words.number(place.line())
                + ", byte "
                + Words.number(place.offset())
                + ", "
                + Words.count(place.sizeBytes(), "byte");
    String gap = where.isEmpty() || place.detail().isEmpty() ? "" : ": ";
    terminal.println(
        new Line().add("         • ").add(Line.Style.CYAN, where).add(gap + place.detail()));
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

  private static void print(RepairReport repaired, Diagnosis after, Terminal terminal) {
    terminal.println("");
    terminal.println("copy     " + repaired.copy() + ": " + repaired.entries() + " entries");
    terminal.println(
        "journal  "
            + repaired.journal()
            + ": "
            + Words.count(repaired.leftOutBytes(), "byte")
            + " of the original that the copy has not");
    terminal.println("verified: the original was made again from both, with the same hash");
    terminal.println(
        after.healthy()
            ? "the copy is healthy"
            : "the copy is not healthy: examine it for what is left");
  }

  private static JsonLine json(
      Diagnosis found, @Nullable RepairReport repaired, @Nullable Diagnosis after) {
    return new JsonLine()
        .text("file", found.file().toString())
        .bool("healthy", found.healthy())
        .bool("repairable", found.repairable())
        .number("size_bytes", found.sizeBytes())
        .hash("hash", found.hash())
        .number("entries", found.entries())
        .objects(
            "ailments",
            found.counts().entrySet(),
            (line, ailment) ->
                line.text("ailment", name(ailment.getKey()))
                    .text("severity", ailment.getKey().severity().name().toLowerCase(Locale.ROOT))
                    .number("count", ailment.getValue())
                    .text("words", ailment.getKey().words())
                    .text("meaning", ailment.getKey().meaning())
                    .text("remedy", ailment.getKey().remedy()))
        .objects(
            "findings",
            found.findings(),
            (line, finding) ->
                line.text("ailment", name(finding.ailment()))
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

  private static String name(Ailment ailment) {
    return ailment.name().toLowerCase(Locale.ROOT);
  }
}
