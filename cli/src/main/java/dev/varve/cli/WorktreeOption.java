// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.checkpoint.Rewind;
import dev.varve.git.RepoPath;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/// Which worktree, and what of it is captured.
final class WorktreeOption {

  @Option(names = "-C", paramLabel = "DIR", description = "A folder of the worktree (here).")
  private Path folder = Path.of("");

  @Option(
      names = "--max-file-size",
      paramLabel = "BYTES",
      description = "Larger files are not captured, nor ever changed (268435456).")
  private long fileBytesMax = Rewind.FILE_BYTES_MAX_DEFAULT;

  Rewind open(Terminal terminal) {
    if (fileBytesMax < 0) {
      throw new Refusal(
          ExitCodes.USAGE, "--max-file-size: expected 0 or more, found " + fileBytesMax, null);
    }
    return open(terminal, fileBytesMax);
  }

  /// The same with another limit than the command line's.
  Rewind open(Terminal terminal, long bytesMax) {
    return Rewind.at(folder(), terminal.clock(), bytesMax);
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
