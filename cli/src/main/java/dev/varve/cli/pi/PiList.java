// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.BlobHash;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.Terminal;
import dev.varve.cli.terminal.TextTable;
import dev.varve.json.JsonLine;
import dev.varve.pi.branch.BranchIndex;
import dev.varve.pi.branch.IndexedBranch;
import dev.varve.pi.branch.IndexedBranch.Found;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve pi list`
@Command(
    name = "list",
    description = {
      "Lists the branches that were published or received here, the last first, with the places of"
          + " their sessions.",
      "",
      "'moved' and 'gone' sessions are still in the store: 'varve pi get HASH' gives them back."
    },
    footer = {
      "  varve pi list",
      "  varve pi list --json",
      "  varve pi list --prune    forgets what is gone, follows what moved"
    })
final class PiList implements Callable<Integer> {

  private static final int HASH_SHOWN = 12;

  private final CommandSession command;

  @Option(
      names = "--prune",
      description = "Removes entries of files that are gone from the index; follows moved files.")
  private boolean prune;

  @Mixin private final PiOptions pi = new PiOptions();
  @Mixin private final JsonOption output = new JsonOption();

  PiList(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    BranchIndex index = PiOptions.index(command);
    List<IndexedBranch> branches = IndexedBranch.all(index, pi.folder(terminal)).reversed();
    TextTable table = new TextTable("branch", "", "session");
    for (IndexedBranch branch : branches) {
      if (output.json()) {
        new JsonLine()
            .hash("branch_hash", branch.hash())
            .text("file", branch.path())
            .text("state", word(branch.file()))
            .text("moved_to", movedTo(branch.file()))
            .print(terminal);
      } else {
        String hash = branch.hash().toString();
        String moved = movedTo(branch.file());
        table.row(
            terminal.outIsTerminal() ? hash.substring(0, HASH_SHOWN) : hash,
            word(branch.file()),
            branch.path() + (moved == null ? "" : " -> " + moved));
      }
    }
    if (!output.json() && !branches.isEmpty()) {
      table.print(terminal);
    }
    if (branches.isEmpty()) {
      terminal.say("Nothing was published yet: 'varve pi publish' does.");
    }
    if (prune) {
      prune(index, branches);
    }
    return ExitCodes.OK;
  }

  private void prune(BranchIndex index, List<IndexedBranch> branches) {
    List<BlobHash> gone = new ArrayList<>();
    Map<BlobHash, Path> moved = new LinkedHashMap<>();
    for (IndexedBranch branch : branches.reversed()) {
      switch (branch.file()) {
        case Found.Here() -> {}
        case Found.Moved(Path to) -> moved.put(branch.hash(), to);
        case Found.Gone() -> gone.add(branch.hash());
      }
    }
    index.add(moved);
    index.remove(gone);
    command
        .terminal()
        .say(gone.size() + " taken out, " + moved.size() + " followed. The store still has them.");
  }

  private static String word(Found found) {
    return switch (found) {
      case Found.Here() -> "here";
      case Found.Moved _ -> "moved";
      case Found.Gone() -> "gone";
    };
  }

  private static @Nullable String movedTo(Found found) {
    return found instanceof Found.Moved(Path to) ? to.toString() : null;
  }
}
