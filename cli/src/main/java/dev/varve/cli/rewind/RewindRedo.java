// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.rewind;

import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.Terminal;
import dev.varve.rewind.Rewind;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `varve rewind redo`
@Command(
    name = "redo",
    description = {
      "Makes again the changes that undo took back.",
      "",
      "Redo is possible until another restore."
    },
    footer = {
      "  varve rewind redo --dry-run    what would change",
      "  varve rewind redo              shows it, asks, does it",
      "  varve rewind redo --yes"
    })
final class RewindRedo implements Callable<Integer> {

  private final CommandSession command;

  @Mixin private final RestoreOptions options = new RestoreOptions();
  @Mixin private final WorktreeOption worktree = new WorktreeOption();
  @Mixin private final JsonOption output = new JsonOption();

  RewindRedo(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    Rewind rewind = worktree.open(command);
    RestoreDialog.demandNoneBegun(rewind, terminal);
    return new RestoreDialog(terminal, options, output.json()).run(rewind::planRedo, rewind::redo);
  }
}
