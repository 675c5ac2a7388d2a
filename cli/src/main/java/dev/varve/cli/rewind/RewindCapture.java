// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.rewind;

import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.Terminal;
import dev.varve.rewind.Rewind;
import dev.varve.rewind.Snapshot;
import dev.varve.rewind.stdio.SnapshotJson;
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
      "If nothing changed since the last snapshot and there is no message, the name of that"
          + " snapshot is printed."
    },
    footer = {
      "  varve rewind capture",
      "  varve rewind capture -m 'before the cleanup'",
      "  point=$(varve rewind capture -C ~/src/thing)"
    })
final class RewindCapture implements Callable<Integer> {

  private final CommandSession command;

  @Option(
      names = {"-m", "--message"},
      paramLabel = "TEXT",
      description = "A text by which people recognize the snapshot.")
  private String note = "";

  @Mixin private final WorktreeOption worktree = new WorktreeOption();
  @Mixin private final JsonOption output = new JsonOption();

  RewindCapture(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    Rewind rewind = worktree.open(command);
    Snapshot snapshot;
    try (ProgressIndicator _ = ProgressIndicator.on("looking at " + rewind.root(), terminal)) {
      snapshot = rewind.capture(note);
    }
    if (output.json()) {
      SnapshotJson.line(snapshot).print(terminal);
    } else {
      terminal.println(snapshot.commit());
    }
    SnapshotText.sayLeftOut(snapshot, terminal);
    return ExitCodes.OK;
  }
}
