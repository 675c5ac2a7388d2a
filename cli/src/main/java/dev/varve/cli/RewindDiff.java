// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.checkpoint.Rewind;
import dev.varve.checkpoint.Snapshot;
import dev.varve.git.RepoPath;
import dev.varve.git.TreeChange;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `varve rewind diff`
@Command(
    name = "diff",
    description = {"Shows how the files differ between two snapshots, or between one and now."},
    footer = {
      "  varve rewind diff @0            what changed since the last snapshot",
      "  varve rewind diff @3 @2 --stat",
      "  varve rewind diff @3 --json"
    })
final class RewindDiff implements Callable<Integer> {

  private final Varve varve;

  @Parameters(index = "0", paramLabel = "FROM", description = "A snapshot.")
  private String from = "";

  @Parameters(index = "1", arity = "0..1", paramLabel = "TO", description = "Another (now).")
  private @Nullable String to;

  @Option(names = "--stat", description = "How many lines changed in which file.")
  private boolean stat;

  @Mixin private final PointOption point = new PointOption();
  @Mixin private final WorktreeOption worktree = new WorktreeOption();
  @Mixin private final JsonOption output = new JsonOption();

  RewindDiff(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    Rewind rewind = worktree.open(terminal);
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
