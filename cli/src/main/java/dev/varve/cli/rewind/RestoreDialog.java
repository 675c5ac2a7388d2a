// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.rewind;

import dev.varve.StoreException;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.Terminal;
import dev.varve.git.RepoPath;
import dev.varve.json.JsonLine;
import dev.varve.rewind.PlannedPath;
import dev.varve.rewind.PlannedPath.Action;
import dev.varve.rewind.RestoreOutcome;
import dev.varve.rewind.RestorePlan;
import dev.varve.rewind.Rewind;
import dev.varve.rewind.UnfinishedRestore;
import dev.varve.rewind.stdio.RestoreJson;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/// Plan, preview, question, restore, report: the same for a restore, an undo and a redo.
final class RestoreDialog {

  private static final int PREVIEW_PATHS = 40;
  private static final int TRIES = 3;

  private final Terminal terminal;
  private final RestoreOptions options;
  private final boolean json;

  RestoreDialog(Terminal terminal, RestoreOptions options, boolean json) {
    this.terminal = terminal;
    this.options = options;
    this.json = json;
  }

  /// Refuses while a restore that broke off waits to be settled.
  static void demandNoneBegun(Rewind rewind, Terminal terminal) {
    UnfinishedRestore begun = rewind.begun();
    if (begun != null) {
      throw new CommandException(
          ExitCodes.USAGE,
          rewind.root() + ": a " + begun.kind() + " of " + begun.paths() + " paths broke off",
          "'"
              + terminal.command()
              + " rewind restore --finish' ends it, '--roll-back' takes it back.");
    }
  }

  int run(Supplier<RestorePlan> planning, Function<RestorePlan, RestoreOutcome> restoring) {
    for (int i = 1; ; i++) {
      RestorePlan plan = options.keepEdits() ? planning.get().keepingEdits() : planning.get();
      if (options.dryRun()) {
        preview(plan, Integer.MAX_VALUE);
        return ExitCodes.OK;
      }
      if (plan.changes() > 0 && !options.yes()) {
        ask(plan);
      }
      try {
        return report(restoring.apply(i == TRIES ? plan.leavingMoved() : plan));
      } catch (StoreException.Conflict e) {
        // Something was written between the plan and its restore; or another restore broke off.
        if (i == TRIES) {
          throw e;
        }
        terminal.say("Files changed meanwhile; planned anew.");
      }
    }
  }

  private void ask(RestorePlan plan) {
    String question = "Restore " + HumanText.count(plan.changes(), "path") + "?";
    if (!terminal.inIsTerminal() || !terminal.errIsTerminal() || json) {
      throw new CommandException(
          ExitCodes.USAGE,
          question + " No terminal is there to answer.",
          "--yes restores without asking, --dry-run shows what would change.");
    }
    preview(plan, PREVIEW_PATHS);
    terminal.flush();
    terminal.complain(StyledLine.of(question + " [y/N]"));
    if (!answer().toLowerCase(Locale.ROOT).startsWith("y")) {
      throw new CommandException(ExitCodes.USAGE, "nothing was restored", null);
    }
  }

  private String answer() {
    StringBuilder line = new StringBuilder();
    try {
      for (int c = terminal.in().read(); c >= 0 && c != '\n'; c = terminal.in().read()) {
        line.append((char) c);
      }
    } catch (IOException e) {
      return ""; // nobody there
    }
    return line.toString().strip();
  }

  private void preview(RestorePlan plan, int pathsMax) {
    if (json) {
      plan.paths().forEach(path -> json(path, "").print(terminal));
      return;
    }
    plan.paths().stream().limit(pathsMax).forEach(this::print);
    int more = plan.paths().size() - pathsMax;
    if (more > 0) {
      terminal.println("… and " + HumanText.count(more, "more path") + ": --dry-run shows all");
    }
    if (plan.paths().isEmpty()) {
      terminal.println("nothing differs");
    }
    SnapshotText.sayRepositories(plan, terminal);
    SnapshotText.sayLeftOut(plan.now(), terminal);
  }

  private void print(PlannedPath path) {
    StyledLine.Style style =
        switch (path.action()) {
          case CREATE -> StyledLine.Style.GREEN;
          case CHANGE, PERMIT -> StyledLine.Style.YELLOW;
          case DELETE -> StyledLine.Style.RED;
          case KEEP -> StyledLine.Style.FAINT;
        };
    StyledLine line =
        new StyledLine().add(style, word(path.action())).tab(8).add(shown(path).toString());
    if (!path.why().isEmpty()) {
      line.add(StyledLine.Style.FAINT, " (" + path.why() + ")");
    } else if (path.editedSince()) {
      line.add(StyledLine.Style.CYAN, " (edited since the last snapshot)");
    }
    terminal.println(line);
  }

  /// The path of a planned path; a folder has a slash at its end.
  private static RepoPath shown(PlannedPath path) {
    return path.folder() ? path.path().asFolder() : path.path();
  }

  private static String word(Action action) {
    return action.name().toLowerCase(Locale.ROOT);
  }

  private static JsonLine json(PlannedPath path, String failure) {
    return RestoreJson.path(new JsonLine(), path, failure);
  }

  /// Says what was done, and returns the exit status.
  int report(RestoreOutcome outcome) {
    if (json) {
      Map<RepoPath, String> failures = RestoreJson.failures(outcome);
      for (PlannedPath path : outcome.plan().paths()) {
        json(path, failures.getOrDefault(path.path(), "")).print(terminal);
      }
      return outcome.exact() ? ExitCodes.OK : ExitCodes.INPUT_OUTPUT;
    }
    RestorePlan plan = outcome.plan();
    long failed = outcome.failures().size();
    terminal.println(
        HumanText.count(plan.changes() - failed, "path")
            + " restored"
            + (failed > 0 ? ", " + HumanText.number(failed) + " NOT restored" : "")
            + (plan.count(Action.KEEP) > 0
                ? ", " + HumanText.number(plan.count(Action.KEEP)) + " kept as they are"
                : ""));
    plan.paths().stream()
        .filter(path -> path.action() == Action.KEEP)
        .limit(PREVIEW_PATHS)
        .forEach(path -> terminal.say("kept: " + path.path() + ": " + path.why()));
    SnapshotText.sayRepositories(plan, terminal);
    outcome
        .failures()
        .forEach(
            f ->
                terminal.complain(StyledLine.of("not restored: " + f.path() + ": " + f.failure())));
    outcome.notExact().stream()
        .filter(path -> outcome.failures().stream().noneMatch(f -> f.path().equals(path)))
        .forEach(path -> terminal.complain(StyledLine.of("not restored as planned: " + path)));
    return outcome.exact() ? ExitCodes.OK : ExitCodes.INPUT_OUTPUT;
  }
}
