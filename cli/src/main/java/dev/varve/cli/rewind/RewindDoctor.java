// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.rewind;

import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.Terminal;
import dev.varve.json.JsonLine;
import dev.varve.rewind.ArchiveHealth;
import dev.varve.rewind.Rewind;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `varve rewind doctor`
@Command(
    name = "doctor",
    description = {
      "Reads all snapshots of the repository and reports what is missing, damaged or half done.",
      "",
      "Changes nothing. Status 3 if something is wrong."
    },
    footer = {"  varve rewind doctor", "  varve rewind doctor --json"})
final class RewindDoctor implements Callable<Integer> {

  private final CommandSession command;

  @Mixin private final WorktreeOption worktree = new WorktreeOption();
  @Mixin private final JsonOption output = new JsonOption();

  RewindDoctor(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    Rewind rewind = worktree.open(command);
    ArchiveHealth health;
    try (ProgressIndicator _ = ProgressIndicator.on("reading the snapshots", terminal)) {
      health = rewind.check();
    }
    if (output.json()) {
      new JsonLine()
          .text("root", rewind.root().toString())
          .number("snapshots", health.snapshots())
          .bool("sound", health.problems().isEmpty())
          .bool("restore_begun", health.begun() != null)
          .objects("problems", health.problems(), (line, what) -> line.text("what", what))
          .objects("remarks", health.remarks(), (line, what) -> line.text("what", what))
          .print(terminal);
    } else {
      terminal.println(rewind.root() + ": " + HumanText.count(health.snapshots(), "snapshot"));
      health.problems().forEach(what -> terminal.println("problem: " + what));
      health.remarks().forEach(what -> terminal.println("note: " + what));
      if (health.begun() != null) {
        terminal.say(
            "'"
                + terminal.command()
                + " rewind restore --finish' ends it, '--roll-back' takes it back.");
      }
    }
    return health.problems().isEmpty() ? ExitCodes.OK : ExitCodes.DAMAGED;
  }
}
