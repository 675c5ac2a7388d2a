// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.imports;

import dev.varve.ContextId;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.Terminal;
import dev.varve.imports.ImportListener;
import dev.varve.imports.ImportProblem;
import dev.varve.imports.ImportReport;
import dev.varve.imports.ManifestPlace;
import dev.varve.imports.RecordCounts;
import dev.varve.json.JsonLine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// Prints the reports of an import as they come, counts, and keeps the sentence that shows the
/// progress.
public final class ImportOutput implements ImportListener {

  /// The most problems of a file that are described to a person.
  private static final int PROBLEMS_LISTED = 3;

  private static final int CONTEXTS_LISTED = 2;

  private final Terminal terminal;
  private final boolean json;
  private volatile String progress = "looking for sessions";
  private final List<String> empty = new ArrayList<>();
  private long found;
  private long sessions;
  private long contexts;
  private long unchanged;
  private long failed;
  private RecordCounts counts = RecordCounts.NONE;

  /// @param json whether each report is one JSON object in a line
  public ImportOutput(Terminal terminal, boolean json) {
    this.terminal = terminal;
    this.json = json;
  }

  /// A sentence about the session that is being read.
  public String progress() {
    return progress;
  }

  /// Reads a source that the user named, and notes if no session is in it.
  ///
  /// @param sessionsOf whose sessions are expected, for the refusal
  public void source(Path source, String sessionsOf, Runnable reading) {
    long before = sessions;
    reading.run();
    if (sessions == before) {
      empty.add(source + ": expected sessions of " + sessionsOf + ", found none");
    }
  }

  /// Prints the sources without sessions.
  ///
  /// @return the exit status of the import
  public int end() {
    empty.forEach(what -> terminal.complain(StyledLine.of("varve: " + what)));
    if (failed > 0) {
      return ExitCodes.INPUT_OUTPUT;
    }
    return empty.isEmpty() ? ExitCodes.OK : ExitCodes.USAGE;
  }

  /// The sessions that could not be imported.
  public long failed() {
    return failed;
  }

  @Override
  public void found(int more) {
    found += more;
  }

  @Override
  public void reading(Path file, long doneBytes, long totalBytes) {
    String part = totalBytes == 0 ? "" : ", " + 100 * doneBytes / totalBytes + " %";
    progress = "session " + (sessions + 1) + " of " + Math.max(found, sessions + 1) + part;
  }

  @Override
  public void done(ImportReport report) {
    done(report, line -> line);
  }

  /// Counts and prints a report.
  ///
  /// @param more adds the fields of one kind of import to the report's line of JSON
  public void done(ImportReport report, UnaryOperator<JsonLine> more) {
    sessions++;
    counts = counts.plus(report.records());
    contexts += report.contexts().added();
    failed += report.outcome() == ImportReport.Outcome.FAILED ? 1 : 0;
    unchanged += report.outcome() == ImportReport.Outcome.UNCHANGED ? 1 : 0;
    if (json) {
      printJson(report, more);
    } else {
      print(report);
    }
  }

  /// Counts a failure behind the import of a session.
  public void countFailure() {
    failed++;
  }

  /// Prints the sum of all reports to a person.
  public void printSummary() {
    if (json) {
      return;
    }
    terminal.report(
        HumanText.count(sessions, "session")
            + ", "
            + HumanText.count(counts.turnsNew(), "new turn")
            + ", "
            + HumanText.count(contexts, "new context")
            + (unchanged > 0 ? ", " + HumanText.number(unchanged) + " unchanged" : "")
            + (failed > 0 ? ", " + HumanText.number(failed) + " failed" : ""));
  }

  private void print(ImportReport report) {
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
      terminal.report(
          new StyledLine()
              .add(
                  report.outcome() == ImportReport.Outcome.FAILED
                      ? StyledLine.Style.RED
                      : StyledLine.Style.GREEN,
                  word)
              .tab(11)
              .add(HumanText.count(report.records().turnsNew(), "turn"))
              .tab(24)
              .add(contextWords(report))
              .tab(40)
              .add(
                  report.source().getFileName()
                      + (report.title().isEmpty() ? "" : "  " + report.title())));
    }
    boolean isFailed = report.outcome() == ImportReport.Outcome.FAILED;
    List<ImportProblem> problems = report.problems().first();
    for (ImportProblem problem : problems.subList(0, Math.min(PROBLEMS_LISTED, problems.size()))) {
      String line = problem.position() > 0 ? ":" + problem.position() : "";
      String what = report.source() + line + ": " + problem.what();
      if (isFailed) {
        terminal.complain(StyledLine.of(what)); // a failure is said to the quiet, too
      } else {
        terminal.say(what);
      }
    }
    if (report.problems().count() > PROBLEMS_LISTED) {
      long more = report.problems().count() - PROBLEMS_LISTED;
      terminal.say(report.source() + ": " + HumanText.count(more, "more problem"));
    }
  }

  /// Where to go on from: the session's contexts, the first few.
  private static String contextWords(ImportReport report) {
    List<ContextId> contexts = report.contexts().all();
    if (contexts.isEmpty()) {
      return "";
    }
    String first =
        contexts.stream()
            .limit(CONTEXTS_LISTED)
            .map(ContextId::toString)
            .collect(Collectors.joining(", "));
    int more = contexts.size() - CONTEXTS_LISTED;
    return (contexts.size() == 1 ? "context " : "contexts ") + first + (more > 0 ? ", …" : "");
  }

  private void printJson(ImportReport report, UnaryOperator<JsonLine> more) {
    ManifestPlace manifest = report.manifest();
    RecordCounts records = report.records();
    JsonLine line =
        new JsonLine()
            .text("file", report.source().toString())
            .text("outcome", report.outcome().name().toLowerCase(Locale.ROOT))
            .text("session", report.session())
            .text("title", report.title())
            .text("manifest_context_id", manifest == null ? null : manifest.context().toString())
            .text("manifest_turn_id", manifest == null ? null : manifest.turn().toString())
            .number("size_bytes", report.sizeBytes())
            .number("records", records.records())
            .number("turns_new", records.turnsNew())
            .number("turns_shared", records.turnsShared())
            .number("bookkeeping", records.bookkeeping())
            .number("duplicates", records.duplicates())
            .number("unreadable", records.unreadable())
            .number("contexts_new", report.contexts().added())
            .number("contexts_advanced", report.contexts().advanced())
            .ids("context_ids", report.contexts().all());
    more.apply(line)
        .number("problem_count", report.problems().count())
        .objects(
            "problems",
            report.problems().first(),
            (object, problem) ->
                object.number("line", Math.max(0, problem.position())).text("what", problem.what()))
        .print(terminal);
  }
}
