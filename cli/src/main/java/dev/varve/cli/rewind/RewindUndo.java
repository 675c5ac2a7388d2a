// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.rewind;

import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.Terminal;
import dev.varve.rewind.Rewind;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `varve rewind undo`
@Command(
    name = "undo",
    description = {
      "Takes the last restore back: the files that the restore changed get their former content.",
      "",
      "A second undo takes back the restore before. Redo takes an undo back."
    },
    footer = {
      "  varve rewind undo --dry-run    what would change",
      "  varve rewind undo              shows it, asks, does it",
      "  varve rewind undo --yes"
    })
final class RewindUndo implements Callable<Integer> {

  private final CommandSession command;

  @Mixin private final RestoreOptions options = new RestoreOptions();
  @Mixin private final WorktreeOption worktree = new WorktreeOption();
  @Mixin private final JsonOption output = new JsonOption();

  RewindUndo(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    Rewind rewind = worktree.open(command);
    RestoreDialog.demandNoneBegun(rewind, terminal);
    return new RestoreDialog(terminal, options, output.json()).run(rewind::planUndo, rewind::undo);
  }
}
