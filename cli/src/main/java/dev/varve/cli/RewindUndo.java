// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.checkpoint.Rewind;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `varve rewind undo`
@Command(
    name = "undo",
    description = {
      "Takes the last restore back: the files that it changed become what they were before.",
      "",
      "Again takes back the one before. An undo is undone by redo."
    },
    footer = {
      "  varve rewind undo --dry-run    what would change",
      "  varve rewind undo              shows it, asks, does it",
      "  varve rewind undo --yes"
    })
final class RewindUndo implements Callable<Integer> {

  private final Varve varve;

  @Mixin private final RestoreOptions options = new RestoreOptions();
  @Mixin private final WorktreeOption worktree = new WorktreeOption();
  @Mixin private final JsonOption output = new JsonOption();

  RewindUndo(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    Rewind rewind = worktree.open(terminal);
    Restoring.demandNoneBegun(rewind, terminal);
    return new Restoring(terminal, options, output.json()).run(rewind::planUndo, rewind::undo);
  }
}
