// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.rewind;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.Terminal;
import dev.varve.git.RepoPath;
import dev.varve.git.TreeChange;
import dev.varve.json.JsonLine;
import dev.varve.rewind.Rewind;
import dev.varve.rewind.Snapshot;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `varve rewind diff`
@Command(
    name = "diff",
    description = {
      "Shows how the files differ between two snapshots, or between a snapshot and now."
    },
    footer = {
      "  varve rewind diff @0            what changed since the last snapshot",
      "  varve rewind diff @3 @2 --stat",
      "  varve rewind diff @3 --json"
    })
final class RewindDiff implements Callable<Integer> {

  private final CommandSession command;

  @Parameters(index = "0", paramLabel = "FROM", description = "A snapshot.")
  private String from = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "TO",
      description = "Another snapshot (now).")
  private @Nullable String to;

  @Option(names = "--stat", description = "Shows the number of changed lines in each file.")
  private boolean stat;

  @Mixin private final PointOption point = new PointOption();
  @Mixin private final WorktreeOption worktree = new WorktreeOption();
  @Mixin private final JsonOption output = new JsonOption();

  RewindDiff(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    Rewind rewind = worktree.open(command);
    Snapshot before = point.snapshot(rewind, from, terminal);
    Snapshot after = to == null ? rewind.look() : point.snapshot(rewind, to, terminal);
    if (output.json()) {
      for (TreeChange change : rewind.changes(before, after)) {
        boolean folder = change.oldIsFolder() || change.newIsFolder();
        RepoPath path = folder ? change.path().asFolder() : change.path();
        new JsonLine()
            .text("path", path.toString())
            .text("path_escaped", path.escaped())
            .text("old_mode", mode(change.oldMode()))
            .text("new_mode", mode(change.newMode()))
            .text("old_id", change.oldMode() == 0 ? null : change.oldId())
            .text("new_id", change.newMode() == 0 ? null : change.newId())
            .print(terminal);
      }
    } else {
      terminal.print(new String(rewind.diff(before, after, stat), UTF_8));
    }
    return ExitCodes.OK;
  }

  private static @Nullable String mode(int mode) {
    return mode == 0 ? null : Integer.toOctalString(mode);
  }
}
