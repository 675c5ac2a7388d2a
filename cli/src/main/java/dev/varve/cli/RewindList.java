// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.checkpoint.Facts;
import dev.varve.checkpoint.Rewind;
import dev.varve.checkpoint.Snapshot;
import dev.varve.ledger.Points;
import dev.varve.ledger.SessionEntry;
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
      "@0 names the last one, @1 the one before."
    },
    footer = {
      "  varve rewind list",
      "  varve rewind list --all --json",
      "  varve rewind list --session 01a21ebe    the entries of a session that have one"
    })
final class RewindList implements Callable<Integer> {

  private final Varve varve;

  @Option(names = "-n", paramLabel = "N", description = "How many (20).")
  private int limit = 20;

  @Option(names = "--all", description = "All of them.")
  private boolean all;

  @Mixin private final PointOption point = new PointOption();
  @Mixin private final WorktreeOption worktree = new WorktreeOption();
  @Mixin private final JsonOption output = new JsonOption();

  RewindList(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    if (limit < 0) {
      throw new Refusal(ExitCodes.USAGE, "-n: expected 0 or more, found " + limit, null);
    }
    Rewind rewind = worktree.open(terminal);
    Points points = point.points(rewind, terminal);
    if (points != null) {
      return points(points, terminal);
    }
    List<Snapshot> snapshots = rewind.snapshots();
    List<Snapshot> shown = all ? snapshots : snapshots.stream().limit(limit).toList();
    if (output.json()) {
      shown.forEach(snapshot -> SnapshotText.json(snapshot).print(terminal));
      return ExitCodes.OK;
    }
    if (snapshots.isEmpty()) {
      terminal.say("no snapshots yet: '" + terminal.command() + " rewind capture' takes one");
      return ExitCodes.OK;
    }
    Table table = new Table("AT", "SNAPSHOT", "TAKEN", "WORKTREE", "NOTE");
    for (int i = 0; i < shown.size(); i++) {
      Snapshot snapshot = shown.get(i);
      table.row(
          "@" + i,
          SnapshotText.name(snapshot),
          Words.time(snapshot.at(), terminal.zone()),
          snapshot.facts().map(Facts::worktree).orElse("(another tool)"),
          snapshot.note());
    }
    table.print(terminal);
    if (shown.size() < snapshots.size() && terminal.errIsTerminal()) {
      terminal.say(Words.count(snapshots.size(), "snapshot") + " in all: --all shows them.");
    }
    return ExitCodes.OK;
  }

  private int points(Points points, Terminal terminal) {
    List<Points.Point> found = points.all();
    List<Points.Point> shown = all ? found : found.stream().limit(limit).toList();
    if (output.json()) {
      for (Points.Point each : shown) {
        JsonLine line = new JsonLine();
        MenuJson.point(line, each);
        line.print(terminal);
      }
      return ExitCodes.OK;
    }
    Table table = new Table("ENTRY", "SNAPSHOT", "WRITTEN", "BY");
    for (Points.Point each : shown) {
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
