// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.rewind;

import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.CountArgument;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.Terminal;
import dev.varve.cli.terminal.TextTable;
import dev.varve.json.JsonLine;
import dev.varve.rewind.Rewind;
import dev.varve.rewind.Snapshot;
import dev.varve.rewind.SnapshotMetadata;
import dev.varve.rewind.pi.RestorePoints;
import dev.varve.rewind.pi.SessionEntry;
import dev.varve.rewind.stdio.MenuJson;
import dev.varve.rewind.stdio.SnapshotJson;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve rewind list`
@Command(
    name = "list",
    description = {
      "Lists the snapshots of the repository, the last taken first.",
      "",
      "@0 is the last snapshot, @1 the snapshot before."
    },
    footer = {
      "  varve rewind list",
      "  varve rewind list --all --json",
      "  varve rewind list --session 01a21ebe    the entries of a session that have one"
    })
final class RewindList implements Callable<Integer> {

  private final CommandSession command;

  @Option(
      names = "-n",
      paramLabel = "N",
      converter = CountArgument.class,
      description = "The number of snapshots to list (20).")
  private int limit = 20;

  @Option(names = "--all", description = "Lists every snapshot.")
  private boolean all;

  @Mixin private final PointOption point = new PointOption();
  @Mixin private final WorktreeOption worktree = new WorktreeOption();
  @Mixin private final JsonOption output = new JsonOption();

  RewindList(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    Rewind rewind = worktree.open(command);
    RestorePoints points = point.points(rewind, terminal);
    if (points != null) {
      return points(points, terminal);
    }
    List<Snapshot> snapshots = rewind.snapshots();
    List<Snapshot> shown = all ? snapshots : snapshots.stream().limit(limit).toList();
    if (output.json()) {
      shown.forEach(snapshot -> SnapshotJson.line(snapshot).print(terminal));
      return ExitCodes.OK;
    }
    if (snapshots.isEmpty()) {
      terminal.say("no snapshots yet: '" + terminal.command() + " rewind capture' takes one");
      return ExitCodes.OK;
    }
    TextTable table = new TextTable("AT", "SNAPSHOT", "TAKEN", "WORKTREE", "NOTE");
    for (int i = 0; i < shown.size(); i++) {
      Snapshot snapshot = shown.get(i);
      table.row(
          "@" + i,
          SnapshotText.name(snapshot),
          HumanText.time(snapshot.at(), terminal.zone()),
          snapshot.metadata().map(SnapshotMetadata::worktree).orElse("(another tool)"),
          snapshot.note());
    }
    table.print(terminal);
    if (shown.size() < snapshots.size() && terminal.errIsTerminal()) {
      terminal.say(HumanText.count(snapshots.size(), "snapshot") + " in all: --all shows them.");
    }
    return ExitCodes.OK;
  }

  private int points(RestorePoints points, Terminal terminal) {
    List<RestorePoints.Point> found = points.all();
    List<RestorePoints.Point> shown = all ? found : found.stream().limit(limit).toList();
    if (output.json()) {
      for (RestorePoints.Point each : shown) {
        JsonLine line = new JsonLine();
        MenuJson.point(line, each);
        line.print(terminal);
      }
      return ExitCodes.OK;
    }
    TextTable table = new TextTable("ENTRY", "SNAPSHOT", "WRITTEN", "BY");
    for (RestorePoints.Point each : shown) {
      SessionEntry entry = each.entry();
      table.row(
          each.id(),
          each.snapshot().substring(0, 12),
          entry == null ? "" : entry.time(),
          entry == null ? "" : entry.kind().words());
    }
    table.print(terminal);
    if (!points.lineage().broken().isEmpty()) {
      terminal.say("points before the fork are not known: " + points.lineage().broken());
    }
    if (found.isEmpty()) {
      terminal.say("no entry of the session has a snapshot in this repository");
    }
    return ExitCodes.OK;
  }
}
