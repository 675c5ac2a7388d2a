// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.checkpoint.Facts;
import dev.varve.checkpoint.Snapshot;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `varve rewind show`
@Command(
    name = "show",
    description =
        "Shows what is known of a snapshot: when and where it was taken, what it left out.",
    footer = {"  varve rewind show @0", "  varve rewind show 1f3c5a09 --json"})
final class RewindShow implements Callable<Integer> {

  private final Varve varve;

  @Parameters(paramLabel = "SNAPSHOT", description = "@N, or the beginning of its name.")
  private String name = "";

  @Mixin private final PointOption point = new PointOption();
  @Mixin private final WorktreeOption worktree = new WorktreeOption();
  @Mixin private final JsonOption output = new JsonOption();

  RewindShow(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    Snapshot snapshot = point.snapshot(worktree.open(terminal), name, terminal);
    if (output.json()) {
      SnapshotText.json(snapshot).print(terminal);
      return ExitCodes.OK;
    }
    row(terminal, "snapshot", snapshot.commit());
    row(terminal, "tree", snapshot.tree());
    row(terminal, "taken", Words.time(snapshot.at(), terminal.zone()));
    if (!snapshot.note().isEmpty()) {
      row(terminal, "note", snapshot.note());
    }
    if (snapshot.facts().isEmpty()) {
      row(terminal, "by", "another tool: only names and contents are known");
      return ExitCodes.OK;
    }
    Facts facts = snapshot.facts().get();
    row(terminal, "worktree", facts.worktree() + (facts.sparse() ? ", sparse" : ""));
    facts.modes().forEach((path, mode) -> row(terminal, "mode " + mode, path.toString()));
    facts
        .inner()
        .forEach((path, head) -> row(terminal, "repository", path + " (" + head.words() + ")"));
    facts
        .emptyFolders()
        .ifPresent(
            folders ->
                folders.forEach((path, mode) -> row(terminal, "empty", path + "/ (" + mode + ")")));
    facts
        .leftOut()
        .forEach((path, why) -> row(terminal, "left out", path + " (" + why.words() + ")"));
    return ExitCodes.OK;
  }

  private static void row(Terminal terminal, String name, String value) {
    terminal.println(new Line().add(Line.Style.FAINT, name).tab(11).add(value));
  }
}
