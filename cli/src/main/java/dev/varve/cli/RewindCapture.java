// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.checkpoint.Rewind;
import dev.varve.checkpoint.Snapshot;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve rewind capture`
@Command(
    name = "capture",
    description = {
      "Takes a snapshot of the worktree and prints its name.",
      "",
      "If nothing changed since the last one, and there is nothing to say, that one's name is"
          + " printed."
    },
    footer = {
      "  varve rewind capture",
      "  varve rewind capture -m 'before the cleanup'",
      "  point=$(varve rewind capture -C ~/src/thing)"
    })
final class RewindCapture implements Callable<Integer> {

  private final Varve varve;

  @Option(
      names = {"-m", "--message"},
      paramLabel = "TEXT",
      description = "What to remember it by.")
  private String note = "";

  @Mixin private final WorktreeOption worktree = new WorktreeOption();
  @Mixin private final JsonOption output = new JsonOption();

  RewindCapture(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    Rewind rewind = worktree.open(terminal);
    Snapshot snapshot;
    try (Waiting _ = Waiting.on("looking at " + rewind.root(), terminal)) {
      snapshot = rewind.capture(note);
    }
    if (output.json()) {
      SnapshotText.json(snapshot).print(terminal);
    } else {
      terminal.println(snapshot.commit());
    }
    SnapshotText.tellLeftOut(snapshot, terminal);
    return ExitCodes.OK;
  }
}
