// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.cli.imports.ImportOutput;
import dev.varve.cli.imports.ImportSources;
import dev.varve.cli.pi.SessionPublisher.Published;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.Terminal;
import dev.varve.imports.ImportListener;
import dev.varve.imports.ImportReport;
import dev.varve.pi.branch.Branch;
import dev.varve.pi.branch.SessionHasher;
import dev.varve.pi.store.PiImport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `varve import pi`
@Command(
    name = "pi",
    description = {
      "Imports sessions of the Pi coding agent: each entry becomes a turn, each leaf a context.",
      "",
      "Files are only read. A later import adds only new records.",
      "",
      "With --publish each session is published too, as by 'varve pi publish'. The store keeps the"
          + " bytes of both forms once."
    },
    footer = {
      "  varve import pi ~/.pi/agent/sessions    all sessions below a folder",
      "  varve import pi session.jsonl           one session",
      "  varve import pi session.jsonl --publish",
      "  varve import pi ~/.pi/agent/sessions --json"
    })
final class ImportPi implements Callable<Integer> {

  private final CommandSession command;
  private final List<Published> published = new ArrayList<>();

  /// Null unless sessions are published.
  private @Nullable SessionPublisher publisher;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE|DIR",
      description = "Session files, or folders with them.")
  private List<Path> sources = List.of();

  @Option(
      names = "--publish",
      description = "Publishes each session that was imported, and prints its branch hash.")
  private boolean publish;

  @Mixin private final JsonOption output = new JsonOption();

  ImportPi(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    sources.forEach(ImportSources::demandReadable);
    ImportOutput printed = new ImportOutput(terminal, output.json());
    ImportListener listener = new Listener(printed);
    try (Store store = command.openForImport();
        ProgressIndicator _ = ProgressIndicator.on(printed::progress, terminal)) {
      PiImport pi = new PiImport(store);
      publisher = publish ? publisher(store) : null;
      for (Path source : sources) {
        printed.source(source, "pi", () -> read(source, pi, listener));
      }
    }
    if (publisher != null) {
      publisher.enter(); // now that the store has them for good
    }
    printed.printSummary();
    printBranches();
    return printed.end();
  }

  private static void read(Path source, PiImport pi, ImportListener listener) {
    if (Files.isDirectory(source)) {
      pi.folder(source, listener);
    } else {
      pi.session(source, listener);
    }
  }

  private SessionPublisher publisher(Store store) {
    SessionHasher hasher =
        new SessionHasher(PiOptions.States.beside.of(command), command.terminal().clock());
    return new SessionPublisher(command, store, hasher, false);
  }

  /// Publishes a session that was just imported. One that cannot be published does not hold up the
  /// others.
  private Optional<Published> publish(ImportReport report, ImportOutput printed) {
    if (publisher == null || report.outcome() == ImportReport.Outcome.FAILED) {
      return Optional.empty();
    }
    try {
      Published branch = publisher.publish(report.source());
      published.add(branch);
      return Optional.of(branch);
    } catch (StoreException.Invalid
        | StoreException.NotFound
        | StoreException.Conflict
        | StoreException.TooLarge e) {
      printed.countFailure();
      command.terminal().complain(StyledLine.of("varve: not published: " + e.getMessage()));
      return Optional.empty();
    }
  }

  /// One line a session, as `varve pi publish --all` prints it.
  private void printBranches() {
    PiProblems problems = new PiProblems(command.terminal());
    for (Published each : published) {
      problems.say(each.lineage());
      if (!output.json()) {
        Branch branch = each.lineage().branch();
        command.terminal().println(branch.hash() + "  " + branch.session());
      }
    }
  }

  /// Publishes each session behind its import, and adds the branch hash to the report.
  private final class Listener implements ImportListener {

    private final ImportOutput printed;

    Listener(ImportOutput printed) {
      this.printed = printed;
    }

    @Override
    public void found(int more) {
      printed.found(more);
    }

    @Override
    public void reading(Path file, long doneBytes, long totalBytes) {
      printed.reading(file, doneBytes, totalBytes);
    }

    @Override
    public void done(ImportReport report) {
      Optional<Published> branch = publish(report, printed);
      printed.done(
          report,
          line -> line.hash("branch_hash", branch.map(each -> each.lineage().hash()).orElse(null)));
    }
  }
}
