// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.rewind;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.Terminal;
import dev.varve.hash.Blake3;
import dev.varve.rewind.git.GitRewind;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve rewind outside`
@Command(
    name = "outside",
    description = {
      "Keeps the snapshots of this repository outside the repository from now on, and moves the"
          + " existing snapshots.",
      "",
      "A push, mirror or copy of the repository then takes no snapshots along. No objects are"
          + " shared with the repository: the next capture stores every file once."
    },
    footer = {"  varve rewind outside", "  varve rewind outside --to /mnt/large/snapshots"})
final class RewindOutside implements Callable<Integer> {

  private static final int NAME_DIGITS = 12;

  private final CommandSession command;

  @Option(
      names = "--to",
      paramLabel = "DIR",
      description = "The new place (a folder 'rewind' beside Varve's store).")
  private @Nullable Path to;

  @Mixin private final WorktreeOption worktree = new WorktreeOption();

  RewindOutside(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    Path root = worktree.open(command).root();
    Path folder = to == null ? place(command, root) : to.toAbsolutePath();
    boolean moved;
    try (ProgressIndicator _ = ProgressIndicator.on("moving the snapshots", terminal)) {
      moved = GitRewind.keepOutside(root, folder);
    }
    terminal.println(
        moved ? "snapshots are kept in " + folder : "snapshots are kept outside already");
    return ExitCodes.OK;
  }

  /// The folder for the snapshots of a repository, unless the command line names another one.
  static Path place(CommandSession command, Path root) {
    String hash = Blake3.hash(root.toString().getBytes(UTF_8)).toString();
    String digits = hash.replaceAll("[^0-9a-f]", "");
    String name = String.valueOf(root.getFileName()).replaceAll("[^A-Za-z0-9._-]", "_");
    return command
        .storeFolder()
        .toAbsolutePath()
        .resolveSibling("rewind")
        .resolve(name + "-" + digits.substring(0, NAME_DIGITS) + ".git");
  }
}
