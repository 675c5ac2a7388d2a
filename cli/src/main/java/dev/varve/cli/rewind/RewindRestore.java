// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.rewind;

import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.Terminal;
import dev.varve.git.RepoPath;
import dev.varve.rewind.PathSelection;
import dev.varve.rewind.Rewind;
import dev.varve.rewind.Snapshot;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `varve rewind restore`
@Command(
    name = "restore",
    description = {
      "Brings the files back to the state of a snapshot.",
      "",
      "The files as they are now are captured first, so that 'undo' brings them back. Files that"
          + " were not captured are never changed or deleted."
    },
    footer = {
      "  varve rewind restore @0 --dry-run        what would change",
      "  varve rewind restore @2                  shows it, asks, does it",
      "  varve rewind restore @2 src README.md    these only",
      "  varve rewind restore --session 01a21ebe 22fe93f6   to an entry of a session of Pi",
      "  varve rewind restore --roll-back         after one that broke off"
    })
final class RewindRestore implements Callable<Integer> {

  private final CommandSession command;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "SNAPSHOT",
      description = "@N, or the beginning of a snapshot's name.")
  private @Nullable String name;

  @Parameters(
      index = "1..*",
      paramLabel = "PATH",
      description = "Files and folders to restore (all).")
  private List<Path> paths = List.of();

  @Option(names = "--finish", description = "Ends a restore that broke off.")
  private boolean finish;

  @Option(names = "--roll-back", description = "Takes back a restore that broke off.")
  private boolean rollBack;

  @Mixin private final RestoreOptions options = new RestoreOptions();
  @Mixin private final PointOption point = new PointOption();
  @Mixin private final WorktreeOption worktree = new WorktreeOption();
  @Mixin private final JsonOption output = new JsonOption();

  RewindRestore(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    if (finish && rollBack || (finish || rollBack) == (name != null)) {
      throw new CommandException(
          ExitCodes.USAGE, "restore: expected one of SNAPSHOT, --finish and --roll-back", null);
    }
    Rewind rewind = worktree.open(command);
    RestoreDialog restoring = new RestoreDialog(terminal, options, output.json());
    if (name == null) {
      return restoring.report(finish ? rewind.finish() : rewind.rollBack());
    }
    RestoreDialog.demandNoneBegun(rewind, terminal);
    Snapshot target = point.snapshot(rewind, name, terminal);
    PathSelection selection =
        paths.isEmpty()
            ? new PathSelection.Everything()
            : new PathSelection.Below(selected(rewind, target));
    return restoring.run(() -> rewind.plan(target, selection), rewind::restore);
  }

  private List<RepoPath> selected(Rewind rewind, Snapshot target) {
    return paths.stream()
        .map(
            named -> {
              RepoPath path = worktree.path(rewind, named);
              if (!Files.exists(path.under(rewind.root()), LinkOption.NOFOLLOW_LINKS)
                  && !rewind.has(target, path)) {
                throw new CommandException(
                    ExitCodes.NOT_FOUND, named + ": neither here nor in the snapshot", null);
              }
              return path;
            })
        .toList();
  }
}
