// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.rewind;

import dev.varve.cli.session.CommandEntry;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.ExitCodes;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// `varve rewind`
@Command(
    name = "rewind",
    description = {
      "Takes snapshots of a git worktree or any other folder, and brings the files back.",
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
public final class RewindCommands implements Callable<Integer> {

  public static final CommandEntry ENTRY =
      new CommandEntry(
          "rewind",
          _ -> new RewindCommands(),
          List.of(
              new CommandEntry("capture", RewindCapture::new),
              new CommandEntry("list", RewindList::new),
              new CommandEntry("show", RewindShow::new),
              new CommandEntry("diff", RewindDiff::new),
              new CommandEntry("restore", RewindRestore::new),
              new CommandEntry("undo", RewindUndo::new),
              new CommandEntry("redo", RewindRedo::new),
              new CommandEntry("gc", RewindGc::new),
              new CommandEntry("outside", RewindOutside::new),
              new CommandEntry("doctor", RewindDoctor::new),
              new CommandEntry("serve", RewindServe::new)));

  @Override
  public Integer call() {
    throw new CommandException(
        ExitCodes.USAGE, "rewind: expected a command", "'varve rewind --help' lists its commands.");
  }
}
