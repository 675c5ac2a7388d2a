// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.branch.BranchIndex;
import dev.varve.branch.Branches;
import dev.varve.branch.KnownBranches;
import dev.varve.branch.Publication;
import dev.varve.branch.SessionHasher;
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
        "Prints the name of the index of branches, 'manifest.json': branch hashes and the files"
            + " they are. It is of this computer only.",
    footer = {
      "  varve pi manifest              where it is",
      "  varve pi manifest --rebuild    makes it again from the sessions there are"
    })
final class PiManifest implements Callable<Integer> {

  private final Varve varve;
  private volatile String progress = "looking for sessions";

  @Option(
      names = "--rebuild",
      description = "Makes it again. What it says of files that are there is kept, if it is whole.")
  private boolean rebuild;

  @Mixin private final PiOptions pi = new PiOptions();

  PiManifest(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    BranchIndex index = PiOptions.index(varve);
    if (rebuild) {
      try (Waiting _ = Waiting.on(() -> progress, varve.terminal())) {
        rebuild(index);
      }
    }
    varve.terminal().println(index.file().toString());
    return ExitCodes.OK;
  }

  private void rebuild(BranchIndex index) {
    Terminal terminal = varve.terminal();
    SequencedMap<BlobHash, Path> all = new LinkedHashMap<>();
    boolean whole = keepWhole(index, all);
    SessionHasher hasher = new SessionHasher(PiOptions.States.beside.of(varve), terminal.clock());
    try (Store store = varve.open()) {
      Branches branches =
          Branches.of(hasher, whole ? new Publication(store, index) : KnownBranches.NONE);
      for (Path session : pi.folder(terminal).all().sessions()) {
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
      varve.terminal().say("The former one is set aside: " + e.getMessage());
      return false;
    }
  }
}
