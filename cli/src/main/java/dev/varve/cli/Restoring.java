// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.StoreException;
import dev.varve.checkpoint.Outcome;
import dev.varve.checkpoint.PathResult;
import dev.varve.checkpoint.Plan;
import dev.varve.checkpoint.PlannedPath;
import dev.varve.checkpoint.PlannedPath.Action;
import dev.varve.checkpoint.Rewind;
import dev.varve.git.RepoPath;
import java.io.IOException;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;

/// Plan, preview, question, restore, report: the same for a restore, an undo and a redo.
final class Restoring {

  private static final int PREVIEW_PATHS = 40;
  private static final int TRIES = 3;

  private final Terminal terminal;
  private final RestoreOptions options;
  private final boolean json;

  Restoring(Terminal terminal, RestoreOptions options, boolean json) {
    this.terminal = terminal;
    this.options = options;
    this.json = json;
  }

  /// Refuses while a restore that broke off waits to be settled.
  static void demandNoneBegun(Rewind rewind, Terminal terminal) {
    Rewind.Begun begun = rewind.begun();
    if (begun != null) {
      throw new Refusal(
          ExitCodes.USAGE,
          rewind.root() + ": a " + begun.kind() + " of " + begun.paths() + " paths broke off",
          "'"
              + terminal.command()
              + " rewind restore --finish' ends it, '--roll-back' takes it back.");
    }
  }

  int run(Supplier<Plan> planning, Function<Plan, Outcome> restoring) {
    for (int i = 1; ; i++) {
      Plan plan = options.keepEdits() ? planning.get().keepingEdits() : planning.get();
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

  private void ask(Plan plan) {
    String question = "Restore " + Words.count(plan.changes(), "path") + "?";
    if (!terminal.inIsTerminal() || !terminal.errIsTerminal() || json) {
      throw new Refusal(
          ExitCodes.USAGE,
          question + " Nobody is there to answer.",
          "--yes does it, --dry-run shows what would change.");
    }
    preview(plan, PREVIEW_PATHS);
    terminal.flush();
    terminal.complain(Line.of(question + " [y/N]"));
    if (!answer().toLowerCase(Locale.ROOT).startsWith("y")) {
      throw new Refusal(ExitCodes.USAGE, "nothing was restored", null);
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

  private void preview(Plan plan, int pathsMax) {
    if (json) {
      plan.paths().forEach(path -> json(path, "").print(terminal));
      return;
    }
    plan.paths().stream().limit(pathsMax).forEach(this::print);
    int more = plan.paths().size() - pathsMax;
    if (more > 0) {
      terminal.println("… and " + Words.count(more, "more path") + ": --dry-run shows all");
    }
    if (plan.paths().isEmpty()) {
      terminal.println("nothing differs");
    }
    SnapshotText.tellRepositories(plan, terminal);
    SnapshotText.tellLeftOut(plan.now(), terminal);
  }

  private void print(PlannedPath path) {
    Line.Style style =
        switch (path.action()) {
          case CREATE -> Line.Style.GREEN;
          case CHANGE, PERMIT -> Line.Style.YELLOW;
          case DELETE -> Line.Style.RED;
          case KEEP -> Line.Style.FAINT;
        };
    Line line = new Line().add(style, word(path.action())).tab(8).add(shown(path).toString());
    if (!path.why().isEmpty()) {
      line.add(Line.Style.FAINT, " (" + path.why() + ")");
    } else if (path.editedSince()) {
      line.add(Line.Style.CYAN, " (edited since the last snapshot)");
    }
    terminal.println(line);
  }

  /// A folder has a slash at its end.
  private static RepoPath shown(PlannedPath path) {
    return path.folder() ? path.path().asFolder() : path.path();
  }

  private static String word(Action action) {
    return action.name().toLowerCase(Locale.ROOT);
  }

  private static JsonLine json(PlannedPath path, String failure) {
    return fields(new JsonLine(), path, failure);
  }

  static JsonLine fields(JsonLine json, PlannedPath path, String failure) {
    return json.text("path", shown(path).toString())
        .text("path_escaped", shown(path).escaped())
        .text("action", word(path.action()))
        .text("why", path.why())
        .bool("edited_since", path.editedSince())
        .text("failure", failure);
  }

  /// Why a path is not as it was to be; empty if it is.
  static String failure(Outcome outcome, PlannedPath path) {
    return outcome.failures().stream()
        .filter(result -> result.path().equals(path.path()))
        .map(PathResult::failure)
        .findFirst()
        .orElse(outcome.notExact().contains(path.path()) ? "is not as it was to be" : "");
  }

  /// Says what was done, and returns the exit status.
  int report(Outcome outcome) {
    if (json) {
      for (PlannedPath path : outcome.plan().paths()) {
        json(path, failure(outcome, path)).print(terminal);
      }
      return outcome.exact() ? ExitCodes.OK : ExitCodes.INPUT_OUTPUT;
    }
    Plan plan = outcome.plan();
    long failed = outcome.failures().size();
    terminal.println(
        Words.count(plan.changes() - failed, "path")
            + " restored"
            + (failed > 0 ? ", " + Words.number(failed) + " NOT restored" : "")
            + (plan.count(Action.KEEP) > 0
                ? ", " + Words.number(plan.count(Action.KEEP)) + " kept as they are"
                : ""));
    plan.paths().stream()
        .filter(path -> path.action() == Action.KEEP)
        .limit(PREVIEW_PATHS)
        .forEach(path -> terminal.say("kept: " + path.path() + ": " + path.why()));
    SnapshotText.tellRepositories(plan, terminal);
    outcome
        .failures()
        .forEach(f -> terminal.complain(Line.of("not restored: " + f.path() + ": " + f.failure())));
    outcome.notExact().stream()
        .filter(path -> outcome.failures().stream().noneMatch(f -> f.path().equals(path)))
        .forEach(path -> terminal.complain(Line.of("not as it was to be: " + path)));
    return outcome.exact() ? ExitCodes.OK : ExitCodes.INPUT_OUTPUT;
  }
}
