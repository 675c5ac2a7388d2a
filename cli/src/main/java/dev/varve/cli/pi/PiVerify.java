// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.Terminal;
import dev.varve.json.JsonLine;
import dev.varve.pi.exchange.BlobSource;
import dev.varve.pi.exchange.BranchVerification;
import dev.varve.pi.exchange.BundleFile;
import dev.varve.pi.exchange.FolderBlobs;
import dev.varve.pi.exchange.StoreBlobs;
import dev.varve.pi.exchange.TransferBudget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `varve pi verify`
@Command(
    name = "verify",
    description =
        "Reads every byte of a bundle, of a folder that was pushed to, or of a branch in the store"
            + " and its parents, and compares all hashes. Needs no network.",
    footer = {
      "  varve pi verify fork.bundle",
      "  varve pi verify /media/stick",
      "  varve pi verify HASH"
    })
final class PiVerify implements Callable<Integer> {

  private final CommandSession command;

  @Parameters(
      paramLabel = "BUNDLE|DIR|HASH",
      description = "A bundle, a folder of blobs, or a branch hash.")
  private String what = "";

  @Mixin private final JsonOption output = new JsonOption();

  PiVerify(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    Optional<BlobHash> branch = PiPlaces.branch(what, PiOptions.index(command));
    BranchVerification found;
    try (ProgressIndicator _ = ProgressIndicator.on("reading", terminal)) {
      found = branch.isPresent() ? ofStore(branch.get()) : ofPlace(Path.of(what));
    } catch (StoreException.Io e) {
      throw PiPlaces.refusal(e);
    }
    report(found);
    return found.sound() ? ExitCodes.OK : ExitCodes.DAMAGED;
  }

  private TransferBudget unlimited() {
    return new TransferBudget(Long.MAX_VALUE, Instant.MAX, command.terminal().clock());
  }

  private BranchVerification ofStore(BlobHash branch) {
    try (BlobSource source =
        new StoreBlobs(command.openExisting(), command.storeFolder().toString())) {
      return BranchVerification.of(source, branch, unlimited());
    }
  }

  private BranchVerification ofPlace(Path place) {
    if (Files.isDirectory(place)) {
      return ofFolder(place);
    }
    if (!Files.exists(place)) {
      throw new CommandException(
          ExitCodes.NOT_FOUND, place + ": no such file or folder, and no branch hash", null);
    }
    return ofBundle(place);
  }

  private BranchVerification ofFolder(Path folder) {
    try (FolderBlobs blobs = new FolderBlobs(folder)) {
      return BranchVerification.of(blobs, unlimited());
    } catch (StoreException.NotFound e) {
      throw new CommandException(
          ExitCodes.NOT_FOUND,
          folder + ": no folder of blobs",
          "'varve pi push --to DIR' makes one; of a store, 'varve check --store DIR' reads all.");
    } catch (IOException e) {
      throw new StoreException.Io(folder.toString(), "cannot be read", e);
    }
  }

  private BranchVerification ofBundle(Path file) {
    try (BundleFile bundle = PiPlaces.bundle(file)) {
      return BranchVerification.of(bundle, unlimited());
    }
  }

  private void report(BranchVerification found) {
    Terminal terminal = command.terminal();
    if (output.json()) {
      new JsonLine()
          .bool("sound", found.sound())
          .number("branches", found.branches())
          .number("blobs", found.blobs())
          .number("size_bytes", found.bytes())
          .objects("missing", found.missing(), (line, hash) -> line.hash("branch_hash", hash))
          .objects("problems", found.problems(), (line, problem) -> line.text("what", problem))
          .print(terminal);
      return;
    }
    terminal.println(
        "verified "
            + found.branches()
            + (found.branches() == 1 ? " branch, " : " branches, ")
            + HumanText.count(found.blobs(), "blob")
            + ", "
            + HumanText.size(found.bytes()));
    found.problems().forEach(terminal::println);
    found.missing().forEach(hash -> terminal.println("parent branch " + hash + " is not there"));
    terminal.println(
        found.sound() ? "no problems" : HumanText.count(found.problems().size(), "problem"));
  }
}
