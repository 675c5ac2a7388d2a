// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.DryRunOption;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.Terminal;
import dev.varve.history.ArchivedSession;
import dev.varve.history.HistoryProfile;
import dev.varve.history.PlannedFile;
import dev.varve.history.PutBack;
import dev.varve.history.PutBackPlan;
import dev.varve.json.JsonLine;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `varve put-back`
@Command(
    name = "put-back",
    description = {
      "Writes the files of a session back for its agent, byte for byte, so that the session can go"
          + " on.",
      "",
      "The files of the sessions from which the session was forked are written too. If a file with"
          + " other content is in the way, nothing is written."
    },
    footer = {
      "  varve put-back 12 --dry-run    what would be written, and where",
      "  varve put-back 12              where the agent finds it",
      "  varve put-back 12 --to DIR     below DIR in the place of the agent's folder"
    })
final class PutBackCommand implements Callable<Integer> {

  private final CommandSession command;

  @Parameters(paramLabel = "CONTEXT", description = "A context of the session.")
  private ContextId context = new ContextId(0);

  @Option(
      names = "--to",
      paramLabel = "DIR",
      description = "The folder to use in the place of the agent's.")
  private @Nullable Path target;

  @Mixin private final DryRunOption dryRun = new DryRunOption();

  @Mixin private final JsonOption output = new JsonOption();

  PutBackCommand(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    try (Store store = command.openExisting()) {
      ArchivedSession session =
          ArchivedSession.find(store, context)
              .orElseThrow(
                  () ->
                      new CommandException(
                          ExitCodes.NOT_FOUND,
                          "context " + context + " belongs to no agent's history",
                          "'varve export' writes out what other imports brought in."));
      HistoryProfile profile = profile(session.about().agent());
      Path home =
          target != null
              ? target
              : home(session, profile.homes(HistoryProfiles.environment(terminal)));
      PutBack putBack = new PutBack(store, profile);
      PutBackPlan plan = putBack.plan(session, home);
      print(plan, terminal);
      demandFree(plan);
      demandWhole(plan);
      if (!dryRun.dry()) {
        putBack.write(plan);
        putBack
            .backups()
            .forEach(
                hash ->
                    terminal.say(
                        "The database as it was, without credentials: 'varve cat " + hash + "'."));
      }
      profile.afterPutBack(plan).forEach(terminal::say);
    }
    return ExitCodes.OK;
  }

  /// The folder that the session came from, where the agent still has that folder.
  private static Path home(ArchivedSession session, List<Path> homes) {
    return homes.stream()
        .filter(home -> home.toString().equals(session.manifest().home()))
        .findFirst()
        .orElseGet(homes::getFirst);
  }

  private static HistoryProfile profile(String agent) {
    return HistoryProfiles.find(agent)
        .orElseThrow(
            () ->
                new CommandException(
                    ExitCodes.NOT_FOUND, "no profile of the agent " + agent + " is here", null));
  }

  private void print(PutBackPlan plan, Terminal terminal) {
    for (PlannedFile file : plan.files()) {
      if (output.json()) {
        new JsonLine()
            .text("file", file.path().toString())
            .text("state", file.state().name().toLowerCase(Locale.ROOT))
            .number("size_bytes", file.file().sizeBytes())
            .print(terminal);
      } else {
        terminal.println(word(file.state()) + "  " + file.path());
      }
    }
    if (!output.json()) {
      terminal.println(
          HumanText.count(plan.free().size(), "file")
              + (dryRun.dry() ? " would be written" : " to write")
              + ", "
              + HumanText.number(plan.files().size() - plan.free().size() - plan.taken().size())
              + " there already");
    }
  }

  private static String word(PlannedFile.State state) {
    return switch (state) {
      case FREE -> "write";
      case SAME -> "there";
      case KEPT -> "stays";
      case TAKEN -> "TAKEN";
    };
  }

  /// An agent that finds a torn document begins a new one in its place.
  private void demandWhole(PutBackPlan plan) {
    if (target == null && !plan.torn().isEmpty()) {
      throw new CommandException(
          ExitCodes.USAGE,
          plan.torn().getFirst().path() + ": archived as it was, torn; the agent would not read it",
          "Use --to DIR, and repair it there.");
    }
  }

  private static void demandFree(PutBackPlan plan) {
    List<PlannedFile> taken = plan.taken();
    if (!taken.isEmpty()) {
      throw new CommandException(
          ExitCodes.USAGE,
          taken.getFirst().path() + ": something else lies there",
          "'varve sync' archives the files there; then move them away, or use --to DIR.");
    }
  }
}
