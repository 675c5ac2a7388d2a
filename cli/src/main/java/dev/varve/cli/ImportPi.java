// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.pi.ImportListener;
import dev.varve.pi.ImportReport;
import dev.varve.pi.PiImport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `varve import pi`
@Command(
    name = "pi",
    description = {
      "Imports sessions of the Pi coding agent: each entry becomes a turn, each leaf a context.",
      "",
      "Files are only read. Importing again adds what is new and nothing else."
    },
    footer = {
      "  varve import pi ~/.pi/agent/sessions    all sessions below a folder",
      "  varve import pi session.jsonl           one session",
      "  varve import pi ~/.pi/agent/sessions --json"
    })
final class ImportPi implements Callable<Integer> {

  /// How many problems of a file are told to a person.
  private static final int PROBLEMS_TOLD = 3;

  private static final int CONTEXTS_TOLD = 2;

  private final Varve varve;
  private final Listener listener = new Listener();
  private volatile String progress = "looking for sessions";
  private long found;
  private long files;
  private long turns;
  private long contexts;
  private long unchanged;
  private long failed;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE|DIR",
      description = "Session files, or folders with them.")
  private List<Path> sources = List.of();

  @Mixin private final JsonOption output = new JsonOption();

  ImportPi(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    sources.forEach(ImportPi::demandReadable);
    try (Store store = varve.openForImport();
        Waiting _ = Waiting.on(() -> progress, terminal)) {
      PiImport pi = new PiImport(store);
      for (Path source : sources) {
        if (Files.isDirectory(source)) {
          pi.folder(source, listener);
        } else {
          pi.session(source, listener);
        }
      }
    }
    if (!output.json()) {
      terminal.println(
          Words.count(files, "session")
              + ", "
              + Words.count(turns, "new turn")
              + ", "
              + Words.count(contexts, "new context")
              + (unchanged > 0 ? ", " + Words.number(unchanged) + " unchanged" : ""));
    }
    return failed > 0 ? ExitCodes.INPUT_OUTPUT : ExitCodes.OK;
  }

  /// Counts, prints each report, and keeps the sentence that [Waiting] shows.
  private final class Listener implements ImportListener {

    @Override
    public void found(int more) {
      found += more;
    }

    @Override
    public void reading(Path file, long doneBytes, long totalBytes) {
      String part = totalBytes == 0 ? "" : ", " + 100 * doneBytes / totalBytes + " %";
      progress = "session " + (files + 1) + " of " + Math.max(found, files + 1) + part;
    }

    @Override
    public void done(ImportReport report) {
      files++;
      turns += report.turnsNew();
      contexts += report.contextsNew();
      failed += report.outcome() == ImportReport.Outcome.FAILED ? 1 : 0;
      unchanged += report.outcome() == ImportReport.Outcome.UNCHANGED ? 1 : 0;
      if (output.json()) {
        printJson(report);
      } else {
        print(report);
      }
    }
  }

  private static void demandReadable(Path source) {
    if (!Files.exists(source)) {
      throw new Refusal(ExitCodes.NOT_FOUND, source + ": no such file or folder", null);
    }
    if (!Files.isReadable(source)) {
      throw new Refusal(
          ExitCodes.INPUT_OUTPUT, source + ": cannot be read: permission denied", null);
    }
  }

  private void print(ImportReport report) {
    Terminal terminal = varve.terminal();
    String word =
        switch (report.outcome()) {
          case NEW -> "new";
          case GROWN -> "grown";
          case REWRITTEN -> "rewritten";
          case OLDER -> "older";
          case FAILED -> "FAILED";
          case UNCHANGED -> "";
        };
    if (!word.isEmpty()) {
      terminal.status("");
      terminal.println(
          new Line()
              .add(
                  report.outcome() == ImportReport.Outcome.FAILED
                      ? Line.Style.RED
                      : Line.Style.GREEN,
                  word)
              .tab(11)
              .add(Words.count(report.turnsNew(), "turn"))
              .tab(24)
              .add(contextWords(report))
              .tab(40)
              .add(
                  report.file().getFileName()
                      + (report.title().isEmpty() ? "" : "  " + report.title())));
    }
    List<ImportReport.Problem> problems = report.problems();
    for (ImportReport.Problem problem :
        problems.subList(0, Math.min(PROBLEMS_TOLD, problems.size()))) {
      String line = problem.line() > 0 ? ":" + problem.line() : "";
      terminal.say(report.file() + line + ": " + problem.what());
    }
    if (report.problemCount() > PROBLEMS_TOLD) {
      long more = report.problemCount() - PROBLEMS_TOLD;
      terminal.say(report.file() + ": " + Words.count(more, "more problem"));
    }
  }

  /// Where to go on from: the session's contexts, the first few.
  private static String contextWords(ImportReport report) {
    List<ContextId> contexts = report.contexts();
    if (contexts.isEmpty()) {
      return "";
    }
    String first =
        contexts.stream()
            .limit(CONTEXTS_TOLD)
            .map(ContextId::toString)
            .collect(Collectors.joining(", "));
    int more = contexts.size() - CONTEXTS_TOLD;
    return (contexts.size() == 1 ? "context " : "contexts ") + first + (more > 0 ? ", …" : "");
  }

  private void printJson(ImportReport report) {
    new JsonLine()
        .text("file", report.file().toString())
        .text("outcome", report.outcome().name().toLowerCase(Locale.ROOT))
        .text("session", report.session())
        .text("title", report.title())
        .text("manifest_context_id", idOrNull(report.manifestContext()))
        .text("manifest_turn_id", idOrNull(report.manifest()))
        .number("size_bytes", report.sizeBytes())
        .number("lines", report.lines())
        .number("turns_new", report.turnsNew())
        .number("turns_shared", report.turnsShared())
        .number("turns_repeated", report.turnsRepeated())
        .number("contexts_new", report.contextsNew())
        .number("contexts_advanced", report.contextsAdvanced())
        .ids("context_ids", report.contexts())
        .number("lines_verbatim", report.linesVerbatim())
        .number("problem_count", report.problemCount())
        .objects(
            "problems",
            report.problems(),
            (line, problem) -> line.number("line", problem.line()).text("what", problem.what()))
        .print(varve.terminal());
  }

  private static @Nullable String idOrNull(@Nullable Object id) {
    return id == null ? null : id.toString();
  }
}
