// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.Terminal;
import dev.varve.pi.branch.BranchBuilder;
import dev.varve.pi.branch.BranchIndex;
import dev.varve.pi.branch.BranchPublication;
import dev.varve.pi.branch.KnownBranches;
import dev.varve.pi.branch.SessionHasher;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve pi manifest`
@Command(
    name = "manifest",
    description =
        "Prints the path of 'manifest.json', the index of this computer's branches: branch hashes"
            + " and the files of their sessions.",
    footer = {
      "  varve pi manifest              where it is",
      "  varve pi manifest --rebuild    makes it again from the sessions there are"
    })
final class PiManifest implements Callable<Integer> {

  private final CommandSession command;
  private volatile String progress = "looking for sessions";

  @Option(
      names = "--rebuild",
      description =
          "Makes the index again. Entries of files that exist are kept, if the index is whole.")
  private boolean rebuild;

  @Mixin private final PiOptions pi = new PiOptions();

  PiManifest(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    BranchIndex index = PiOptions.index(command);
    if (rebuild) {
      try (ProgressIndicator _ = ProgressIndicator.on(() -> progress, command.terminal())) {
        rebuild(index);
      }
    }
    command.terminal().println(index.file().toString());
    return ExitCodes.OK;
  }

  private void rebuild(BranchIndex index) {
    Terminal terminal = command.terminal();
    SequencedMap<BlobHash, Path> all = new LinkedHashMap<>();
    boolean whole = keepWhole(index, all);
    SessionHasher hasher = new SessionHasher(PiOptions.States.beside.of(command), terminal.clock());
    try (Store store = command.open()) {
      BranchBuilder branches =
          BranchBuilder.of(
              hasher, whole ? new BranchPublication(store, index) : KnownBranches.NONE);
      for (Path session : pi.folder(terminal).all().files()) {
        progress = "session " + (all.size() + 1);
        try {
          for (var branch : branches.of(session).rootFirst()) {
            all.putLast(branch.hash(), branch.session());
          }
        } catch (StoreException.Invalid | StoreException.Io | StoreException.Conflict e) {
          terminal.say("left out: " + e.getMessage());
        }
      }
    }
    index.rebuild(all);
    terminal.say(all.size() + (all.size() == 1 ? " branch" : " branches"));
  }

  /// Keeps what the index says of files that are there; false if the index is damaged.
  private boolean keepWhole(BranchIndex index, SequencedMap<BlobHash, Path> all) {
    try {
      index
          .read()
          .forEach(
              (hash, path) -> {
                if (Files.exists(Path.of(path))) {
                  all.put(hash, Path.of(path));
                }
              });
      return true;
    } catch (StoreException.Corrupt | StoreException.TooLarge e) {
      command.terminal().say("The former index is set aside: " + e.getMessage());
      return false;
    }
  }
}
