// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.checkpoint.Rewind;
import dev.varve.hash.Blake3;
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
      "Keeps the snapshots of this repository outside of it from now on, and moves those that it"
          + " has.",
      "",
      "Then no push, mirror or copy of the repository takes them along. Nothing is shared with it:"
          + " the next capture stores every file once."
    },
    footer = {"  varve rewind outside", "  varve rewind outside --to /mnt/large/snapshots"})
final class RewindOutside implements Callable<Integer> {

  private static final int NAME_DIGITS = 12;

  private final Varve varve;

  @Option(
      names = "--to",
      paramLabel = "DIR",
      description = "Where to (a folder 'rewind' beside Varve's store).")
  private @Nullable Path to;

  @Mixin private final WorktreeOption worktree = new WorktreeOption();

  RewindOutside(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    Path root = worktree.open(terminal).root();
    Path folder = to == null ? place(varve, root) : to.toAbsolutePath();
    boolean moved;
    try (Waiting _ = Waiting.on("moving the snapshots", terminal)) {
      moved = Rewind.keepOutside(root, folder);
    }
    terminal.println(
        moved ? "snapshots are kept in " + folder : "snapshots are kept outside already");
    return ExitCodes.OK;
  }

  /// Where the snapshots of a repository are kept unless somebody says otherwise.
  static Path place(Varve varve, Path root) {
    String hash = Blake3.hash(root.toString().getBytes(UTF_8)).toString();
    String digits = hash.replaceAll("[^0-9a-f]", "");
    String name = String.valueOf(root.getFileName()).replaceAll("[^A-Za-z0-9._-]", "_");
    return varve
        .storeFolder()
        .toAbsolutePath()
        .resolveSibling("rewind")
        .resolve(name + "-" + digits.substring(0, NAME_DIGITS) + ".git");
  }
}
