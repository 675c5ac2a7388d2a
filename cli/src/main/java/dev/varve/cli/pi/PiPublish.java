// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.cli.pi.SessionPublisher.Published;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.Terminal;
import dev.varve.imports.SourceFolder;
import dev.varve.pi.branch.Branch;
import dev.varve.pi.branch.BranchLineage;
import dev.varve.pi.branch.HashedSession;
import dev.varve.pi.branch.SessionHasher;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `varve pi publish`
@Command(
    name = "publish",
    description = {
      "Keeps a session in the store, with the sessions from which it was forked, and prints its"
          + " branch hash, by which others can fetch it. Nothing leaves this computer.",
      "",
      "A session that grew can be published again; its earlier states stay in the store."
    },
    footer = {
      "  varve pi publish                  the newest session of this folder",
      "  varve pi publish session.jsonl",
      "  varve pi publish 01a21ebe         by its id, or how that begins",
      "  varve pi publish --redact         without the credentials that are seen in it",
      "  varve pi publish --all --json",
      "  varve pi publish --all --watch    whenever a session grows"
    })
final class PiPublish implements Callable<Integer> {

  private final CommandSession command;
  private final PiProblems problems;
  private volatile String progress = "looking for sessions";

  @Parameters(
      arity = "0..*",
      paramLabel = "SESSION",
      description = "Files, or ids (default: the newest session of this folder).")
  private List<String> arguments = List.of();

  @Option(names = "--all", description = "Publishes every session of Pi.")
  private boolean all;

  @Option(
      names = "--project",
      paramLabel = "DIR",
      description = "The folder whose newest session is published (default: this folder).")
  private Path project = Path.of("");

  @Option(
      names = "--verify",
      description =
          "Reads sessions from beginning to end, and uses nothing that was remembered of them.")
  private boolean verify;

  @Option(
      names = "--states",
      paramLabel = "WHERE",
      description =
          "The place that remembers how far a session was hashed: ${COMPLETION-CANDIDATES}"
              + " (default: ${DEFAULT-VALUE}).")
  private PiOptions.States states = PiOptions.States.beside;

  @Option(
      names = "--redact",
      description =
          "Publishes copies in which likely credentials are replaced, also of the sessions from"
              + " which the session was forked.")
  private boolean redact;

  @Option(
      names = "--watch",
      description =
          "Runs until it is stopped: publishes sessions again when they grow, and prints their new"
              + " hashes.")
  private boolean watch;

  @Mixin private final SecretOptions secrets = new SecretOptions();
  @Mixin private final PiOptions pi = new PiOptions();
  @Mixin private final JsonOption output = new JsonOption();

  PiPublish(CommandSession command) {
    this.command = command;
    this.problems = new PiProblems(command.terminal());
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    if (all && !arguments.isEmpty()) {
      throw new CommandException(ExitCodes.USAGE, "--all and sessions exclude each other", null);
    }
    if (!watch) {
      return publish(all ? everySession() : named()) > 0 ? ExitCodes.INPUT_OUTPUT : ExitCodes.OK;
    }
    if (!all && !arguments.isEmpty()) {
      named(); // a wrong one is refused at once
    }
    return PiWatch.run(this::watched, this::publish, terminal);
  }

  private List<Path> named() {
    return pi.sessions(arguments, project, command.terminal()).stream()
        .map(PiFiles::demandFile)
        .toList();
  }

  /// The sessions there are by now; of this folder there may be none yet.
  private List<Path> watched() {
    try {
      return all ? pi.folder(command.terminal()).all().files() : named();
    } catch (CommandException e) {
      return List.of();
    }
  }

  /// @return how many could not be published
  private int publish(List<Path> sessions) {
    Terminal terminal = command.terminal();
    SessionHasher hasher =
        new SessionHasher(
            states.of(command),
            terminal.clock(),
            at -> progress = "hashing, " + HumanText.size(at));
    int failed = 0;
    SessionPublisher publisher;
    List<Published> published = new ArrayList<>();
    try (ProgressIndicator _ = ProgressIndicator.on(() -> progress, terminal)) {
      List<Path> ready = redact ? redacted(sessions) : sessions; // slow, so without the store
      failed = sessions.size() - ready.size();
      try (Store store = command.openForImport()) {
        publisher = new SessionPublisher(command, store, hasher, verify);
        for (Path session : ready) {
          failed += tolerantly(() -> published.add(publisher.publish(session)));
        }
      }
    }
    publisher.enter(); // now that the store has them for good
    for (Published each : published) {
      if (!watch || each.blobsNew() > 0) {
        report(each, sessions.size() > 1 || all || watch);
      }
    }
    return failed;
  }

  /// Makes a redacted copy of each session, and leaves out sessions that cannot be copied.
  private List<Path> redacted(List<Path> sessions) {
    RedactedSessions copies = copies();
    List<Path> ready = new ArrayList<>();
    for (Path session : sessions) {
      tolerantly(() -> ready.add(copies.of(session)));
    }
    return ready;
  }

  private RedactedSessions copies() {
    return new RedactedSessions(
        PiOptions.notes(command).resolve("redacted"),
        secrets.rules(),
        secrets.allowed(),
        command.terminal(),
        bytes -> progress = "redacting, " + HumanText.size(bytes));
  }

  private List<Path> everySession() {
    SourceFolder files = pi.folder(command.terminal()).all();
    files.unreadable().forEach(path -> command.terminal().say(path.file() + ": " + path.why()));
    return files.files();
  }

  /// Of many, one that cannot be published does not hold up the others.
  ///
  /// @return 1 if it cannot
  private int tolerantly(Runnable publishing) {
    try {
      publishing.run();
      return 0;
    } catch (StoreException.Invalid
        | StoreException.NotFound
        | StoreException.Conflict
        | StoreException.TooLarge
        | StoreException.Io e) {
      if (!all && !watch) {
        throw e;
      }
      command.terminal().complain(StyledLine.of("varve: not published: " + e.getMessage()));
      return 1;
    }
  }

  private void report(Published published, boolean many) {
    Terminal terminal = command.terminal();
    BranchLineage lineage = published.lineage();
    Branch branch = lineage.branch();
    remark(lineage);
    if (output.json()) {
      PiBranchJson.of(branch)
          .number("blobs_new", published.blobsNew())
          .number("chain", lineage.rootFirst().size())
          .objects(
              "problems",
              lineage.problems(),
              (line, problem) -> line.text("what", PiProblems.sentence(problem)))
          .print(terminal);
    } else {
      terminal.println(branch.hash() + (many ? "  " + branch.session() : ""));
    }
  }

  private void remark(BranchLineage lineage) {
    Terminal terminal = command.terminal();
    HashedSession content = lineage.branch().content();
    content.remarks().forEach(remark -> terminal.say(lineage.branch().session() + ": " + remark));
    if (!content.endsLine()) {
      terminal.say(
          lineage.branch().session()
              + ": its last line has no end: somebody is writing, or was interrupted");
    }
    problems.say(lineage);
    if (!output.json() && terminal.errIsTerminal()) {
      terminal.say(
          content.way().name().toLowerCase(Locale.ROOT)
              + ": "
              + HumanText.size(content.bytesRead())
              + " of "
              + HumanText.size(content.sizeBytes())
              + " read"
              + (lineage.rootFirst().size() > 1
                  ? "; forked, " + HumanText.count(lineage.rootFirst().size() - 1L, "parent")
                  : ""));
    }
  }
}
