// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// `varve rewind`
@Command(
    name = "rewind",
    description = {
      "Checkpoints of a git worktree or any folder: exactly what is on the disk, and the way back"
          + " to it.",
      "",
      "The index, HEAD, branches and stash are never touched. Ignored files are not captured and"
          + " never changed. Without git, snapshots are kept in the store."
    },
    commandListHeading = "%nCommands:%n",
    footer = {
      "  varve rewind capture -m 'before the cleanup'",
      "  varve rewind restore @0 --dry-run    what would change",
      "  varve rewind restore @0              asks, then does it",
      "  varve rewind undo                    takes that back"
    })
final class RewindCommands implements Callable<Integer> {

  @Override
  public Integer call() {
    throw new Refusal(
        ExitCodes.USAGE, "rewind: do what?", "'varve rewind --help' lists what it can do.");
  }
}
