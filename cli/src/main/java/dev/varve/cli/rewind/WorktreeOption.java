// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.rewind;

import dev.varve.cli.pi.PiOptions;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ErrorExit;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.terminal.Terminal;
import dev.varve.git.RepoPath;
import dev.varve.rewind.Rewind;
import dev.varve.rewind.folder.FolderArchive;
import dev.varve.rewind.git.GitRewind;
import dev.varve.rewind.pi.SettingsReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The worktree of a command, the limit for its files, and the place of its snapshots.
final class WorktreeOption {

  @Option(names = "-C", paramLabel = "DIR", description = "A folder of the worktree (here).")
  private Path folder = Path.of("");

  @Option(
      names = "--max-file-size",
      paramLabel = "BYTES",
      description = "Larger files are not captured, nor ever changed (268435456).")
  private long fileBytesMax = Rewind.FILE_BYTES_MAX_DEFAULT;

  @Option(
      names = "--native",
      description =
          "Keeps snapshots in the store, even in a repository of git. Without git this is the"
              + " default.")
  private boolean trees;

  Rewind open(CommandSession command) {
    if (fileBytesMax < 0) {
      throw new CommandException(
          ExitCodes.USAGE, "--max-file-size: expected 0 or more, found " + fileBytesMax, null);
    }
    Rewind rewind = open(command, fileBytesMax);
    warnOfDamage(rewind, command.terminal());
    return rewind;
  }

  /// Says so if an earlier capture makes a folder above this one the worktree.
  private void warnOfDamage(Rewind rewind, Terminal terminal) {
    try {
      Path root = rewind.root();
      if (!Files.exists(root.resolve(".git"), LinkOption.NOFOLLOW_LINKS)
          && !folder().toRealPath().equals(root)) {
        terminal.say("the worktree is " + root + ": that folder was captured before");
      }
    } catch (IOException e) {
      // What can be said of the folder the command will say.
    }
  }

  /// Opens the worktree with another limit than the command line's.
  Rewind open(CommandSession command, long bytesMax) {
    return keepsTrees(command.terminal()) || !isInRepository()
        ? openTrees(command, bytesMax)
        : GitRewind.at(folder(), command.terminal().clock(), bytesMax);
  }

  /// The worktree with snapshots in the store.
  ///
  /// @param bytesMax null for the command line's limit
  Rewind openTrees(CommandSession command, @Nullable Long bytesMax) {
    long limit = bytesMax == null ? fileBytesMax : bytesMax;
    return Rewind.of(
        FolderArchive.at(folder(), command.access(), command.terminal().clock(), limit),
        command.terminal().clock());
  }

  /// True if the command line or Pi's settings ask for snapshots in the store.
  boolean keepsTrees(Terminal terminal) {
    return trees || SettingsReader.of(PiOptions.at("", terminal).agent(terminal), null).trees();
  }

  /// True if the folder is in a repository of git. Runs no program: git need not be installed.
  boolean isInRepository() {
    Path here = folder().normalize();
    for (Path step = here; step != null; step = step.getParent()) {
      if (Files.exists(step.resolve(".git"), LinkOption.NOFOLLOW_LINKS)) {
        return true;
      }
    }
    return false;
  }

  Path folder() {
    return folder.toAbsolutePath();
  }

  /// The path in the worktree of a file that was named on the command line. The file need not
  /// exist.
  RepoPath path(Rewind rewind, Path named) {
    try {
      Path file = folder.toRealPath().resolve(named).normalize();
      if (file.startsWith(rewind.root())) {
        return RepoPath.from(rewind.root(), file);
      }
      throw new CommandException(ExitCodes.USAGE, named + ": not in " + rewind.root(), null);
    } catch (IOException e) {
      throw new CommandException(
          ExitCodes.INPUT_OUTPUT, folder + ": " + ErrorExit.reason(e, folder.toString()), null);
    }
  }
}
