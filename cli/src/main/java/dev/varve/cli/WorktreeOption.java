// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.checkpoint.Rewind;
import dev.varve.folder.FolderArchive;
import dev.varve.git.RepoPath;
import dev.varve.ledger.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Which worktree, what of it is captured, and where.
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
          "Keeps snapshots in the store, also where git is. Without git that is so anyway.")
  private boolean trees;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  Rewind open(Terminal terminal) {
    if (fileBytesMax < 0) {
      throw new Refusal(
          ExitCodes.USAGE, "--max-file-size: expected 0 or more, found " + fileBytesMax, null);
    }
    Rewind rewind = open(terminal, fileBytesMax);
    tellWhole(rewind, terminal);
    return rewind;
  }

  /// Without git nothing but an earlier capture makes a folder above this one what is meant.
  private void tellWhole(Rewind rewind, Terminal terminal) {
    try {
      Path root = rewind.root();
      if (!Files.exists(root.resolve(".git"), LinkOption.NOFOLLOW_LINKS)
          && !folder().toRealPath().equals(root)) {
        terminal.say("all of " + root + " is meant: it was captured as one");
      }
    } catch (IOException e) {
      // What can be said of the folder the command will say.
    }
  }

  /// The same with another limit than the command line's.
  Rewind open(Terminal terminal, long bytesMax) {
    return keepsTrees(terminal) || !isInRepository()
        ? openTrees(terminal, bytesMax)
        : Rewind.at(folder(), terminal.clock(), bytesMax);
  }

  /// The worktree with snapshots in the store.
  ///
  /// @param bytesMax null for the command line's limit
  Rewind openTrees(Terminal terminal, @Nullable Long bytesMax) {
    Varve varve = (Varve) Objects.requireNonNull(command).root().userObject();
    long limit = bytesMax == null ? fileBytesMax : bytesMax;
    return Rewind.of(
        FolderArchive.at(folder(), new RewindStore(varve), terminal.clock(), limit),
        terminal.clock());
  }

  /// Whether the command line or Pi's settings say so.
  boolean keepsTrees(Terminal terminal) {
    return trees || Settings.of(PiOptions.at("", terminal).agent(terminal), null).trees();
  }

  /// Whether git has a say in the folder. Looks, and runs nothing: git need not be there.
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

  /// The name in the worktree of a file that was named on the command line. It need not exist.
  RepoPath path(Rewind rewind, Path named) {
    try {
      Path file = folder.toRealPath().resolve(named).normalize();
      if (file.startsWith(rewind.root())) {
        return RepoPath.from(rewind.root(), file);
      }
      throw new Refusal(ExitCodes.USAGE, named + ": not in " + rewind.root(), null);
    } catch (IOException e) {
      throw new Refusal(
          ExitCodes.INPUT_OUTPUT, folder + ": " + Ending.reason(e, folder.toString()), null);
    }
  }
}
