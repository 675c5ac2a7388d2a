// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.checkpoint.Rewind;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `varve rewind redo`
@Command(
    name = "redo",
    description = {"Does again what undo took back.", "", "Possible until another restore."},
    footer = {
      "  varve rewind redo --dry-run    what would change",
      "  varve rewind redo              shows it, asks, does it",
      "  varve rewind redo --yes"
    })
final class RewindRedo implements Callable<Integer> {

  private final Varve varve;

  @Mixin private final RestoreOptions options = new RestoreOptions();
  @Mixin private final WorktreeOption worktree = new WorktreeOption();
  @Mixin private final JsonOption output = new JsonOption();

  RewindRedo(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    Rewind rewind = worktree.open(terminal);
    Restoring.demandNoneBegun(rewind, terminal);
    return new Restoring(terminal, options, output.json()).run(rewind::planRedo, rewind::redo);
  }
}
