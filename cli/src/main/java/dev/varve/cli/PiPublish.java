// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.branch.Branch;
import dev.varve.branch.Branches;
import dev.varve.branch.HashedSession;
import dev.varve.branch.Lineage;
import dev.varve.branch.Publication;
import dev.varve.branch.SessionHasher;
import dev.varve.pi.SessionFolder;
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
      "Gives a session its branch hash, by which it can be had from elsewhere, and keeps it in the"
          + " store with the sessions it was forked from. Prints the hash. Nothing leaves this"
          + " computer.",
      "",
      "A session that grew is published again; what it was stays in the store."
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

  private final Varve varve;
  private volatile String progress = "looking for sessions";

  @Parameters(
      arity = "0..*",
      paramLabel = "SESSION",
      description = "Files, or ids (default: the newest session of this folder).")
  private List<String> arguments = List.of();

  @Option(names = "--all", description = "Every session of Pi.")
  private boolean all;

  @Option(
      names = "--project",
      paramLabel = "DIR",
      description = "Of which folder the newest session is meant (default: this one).")
  private Path project = Path.of("");

  @Option(
      names = "--verify",
      description = "Reads sessions from beginning to end, whatever is remembered of them.")
  private boolean verify;

  @Option(
      names = "--states",
      paramLabel = "WHERE",
      description =
          "Where it is kept how far a session was hashed: ${COMPLETION-CANDIDATES} (default:"
              + " ${DEFAULT-VALUE}).")
  private PiOptions.States states = PiOptions.States.beside;

  @Option(
      names = "--redact",
      description =
          "Publishes a copy in which likely credentials are replaced, and such copies of the"
              + " sessions it was forked from.")
  private boolean redact;

  @Option(
      names = "--watch",
      description =
          "Goes on until it is stopped: publishes sessions again when they grew, and prints what is"
              + " new.")
  private boolean watch;

  @Mixin private final SecretOptions secrets = new SecretOptions();
  @Mixin private final PiOptions pi = new PiOptions();
  @Mixin private final JsonOption output = new JsonOption();

  PiPublish(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    if (all && !arguments.isEmpty()) {
      throw new Refusal(ExitCodes.USAGE, "--all and sessions exclude each other", null);
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
    return pi.sessions(arguments, project, varve.terminal()).stream()
        .map(PiFiles::demandFile)
        .toList();
  }

  /// The sessions there are by now; of this folder there may be none yet.
  private List<Path> watched() {
    try {
      return all ? pi.folder(varve.terminal()).all().sessions() : named();
    } catch (Refusal e) {
      return List.of();
    }
  }

  /// @return how many could not be published
  private int publish(List<Path> sessions) {
    Terminal terminal = varve.terminal();
    SessionHasher hasher =
        new SessionHasher(
            states.of(varve), terminal.clock(), at -> progress = "hashing, " + Words.size(at));
    int failed = 0;
    Publication publication;
    List<Published> published = new ArrayList<>();
    try (Waiting _ = Waiting.on(() -> progress, terminal)) {
      List<Path> ready = redact ? redacted(sessions) : sessions; // slow, so without the store
      failed = sessions.size() - ready.size();
      try (Store store = all ? varve.openForImport() : varve.openInTurn()) {
        publication = new Publication(store, PiOptions.index(varve));
        Branches verifying = Branches.verifying(hasher, publication);
        Branches branches = verify ? verifying : Branches.of(hasher, publication);
        for (Path session : ready) {
          failed += publish(session, branches, verifying, publication, published);
        }
      }
    }
    publication.enter(); // now that the store has them for good
    for (Published each : published) {
      if (!watch || each.blobs > 0) {
        tell(each, sessions.size() > 1 || all || watch);
      }
    }
    return failed;
  }

  /// Copies of those of which there can be one.
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
        PiOptions.notes(varve).resolve("redacted"),
        secrets.rules(),
        secrets.allowed(),
        varve.terminal(),
        bytes -> progress = "redacting, " + Words.size(bytes));
  }

  private record Published(Lineage lineage, int blobs) {}

  private List<Path> everySession() {
    SessionFolder files = pi.folder(varve.terminal()).all();
    files
        .unreadable()
        .forEach(
            report ->
                report
                    .problems()
                    .forEach(p -> varve.terminal().say(report.file() + ": " + p.what())));
    return files.sessions();
  }

  private int publish(
      Path session,
      Branches branches,
      Branches verifying,
      Publication publication,
      List<Published> published) {
    return tolerantly(() -> published.add(publish(session, branches, verifying, publication)));
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
      varve.terminal().complain(Line.of("varve: not published: " + e.getMessage()));
      return 1;
    }
  }

  private Published publish(
      Path session, Branches branches, Branches verifying, Publication publication) {
    try {
      Lineage lineage = branches.of(session);
      return new Published(lineage, publication.add(lineage));
    } catch (StoreException.Conflict e) {
      varve.terminal().say(e.getMessage() + ". Reading it, and its parents, from the beginning.");
      Lineage lineage = verifying.of(session);
      return new Published(lineage, publication.add(lineage));
    }
  }

  private void tell(Published published, boolean many) {
    Terminal terminal = varve.terminal();
    Lineage lineage = published.lineage;
    Branch branch = lineage.branch();
    remark(lineage);
    if (output.json()) {
      PiBranchJson.of(branch)
          .number("blobs_new", published.blobs)
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

  private void remark(Lineage lineage) {
    Terminal terminal = varve.terminal();
    HashedSession content = lineage.branch().content();
    content.remarks().forEach(remark -> terminal.say(lineage.branch().session() + ": " + remark));
    if (!content.endsLine()) {
      terminal.say(
          lineage.branch().session()
              + ": its last line has no end: somebody is writing, or was interrupted");
    }
    lineage.problems().stream().map(PiProblems::sentence).forEach(terminal::say);
    if (!output.json() && terminal.errIsTerminal()) {
      terminal.say(
          content.way().name().toLowerCase(Locale.ROOT)
              + ": "
              + Words.size(content.bytesRead())
              + " of "
              + Words.size(content.sizeBytes())
              + " read"
              + (lineage.rootFirst().size() > 1
                  ? "; forked, " + Words.count(lineage.rootFirst().size() - 1L, "parent")
                  : ""));
    }
  }
}
