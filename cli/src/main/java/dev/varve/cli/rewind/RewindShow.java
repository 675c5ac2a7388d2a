// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.rewind;

import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.Terminal;
import dev.varve.rewind.Snapshot;
import dev.varve.rewind.SnapshotMetadata;
import dev.varve.rewind.stdio.SnapshotJson;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `varve rewind show`
@Command(
    name = "show",
    description = "Shows a snapshot: when and where it was taken, and which files it left out.",
    footer = {"  varve rewind show @0", "  varve rewind show 1f3c5a09 --json"})
final class RewindShow implements Callable<Integer> {

  private final CommandSession command;

  @Parameters(paramLabel = "SNAPSHOT", description = "@N, or the beginning of a snapshot's name.")
  private String name = "";

  @Mixin private final PointOption point = new PointOption();
  @Mixin private final WorktreeOption worktree = new WorktreeOption();
  @Mixin private final JsonOption output = new JsonOption();

  RewindShow(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    Snapshot snapshot = point.snapshot(worktree.open(command), name, terminal);
    if (output.json()) {
      SnapshotJson.line(snapshot).print(terminal);
      return ExitCodes.OK;
    }
    row(terminal, "snapshot", snapshot.commit());
    row(terminal, "tree", snapshot.tree());
    row(terminal, "taken", HumanText.time(snapshot.at(), terminal.zone()));
    if (!snapshot.note().isEmpty()) {
      row(terminal, "note", snapshot.note());
    }
    if (snapshot.metadata().isEmpty()) {
      row(terminal, "by", "another tool: only names and contents are known");
      return ExitCodes.OK;
    }
    SnapshotMetadata metadata = snapshot.metadata().get();
    row(terminal, "worktree", metadata.worktree() + (metadata.sparse() ? ", sparse" : ""));
    metadata.modes().forEach((path, mode) -> row(terminal, "mode " + mode, path.toString()));
    metadata
        .inner()
        .forEach((path, head) -> row(terminal, "repository", path + " (" + head.words() + ")"));
    metadata
        .emptyFolders()
        .ifPresent(
            folders ->
                folders.forEach((path, mode) -> row(terminal, "empty", path + "/ (" + mode + ")")));
    metadata
        .leftOut()
        .forEach((path, why) -> row(terminal, "left out", path + " (" + why.words() + ")"));
    return ExitCodes.OK;
  }

  private static void row(Terminal terminal, String name, String value) {
    terminal.println(new StyledLine().add(StyledLine.Style.FAINT, name).tab(11).add(value));
  }
}
