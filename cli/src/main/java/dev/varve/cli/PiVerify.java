// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.travel.BlobSource;
import dev.varve.travel.Budget;
import dev.varve.travel.BundleFile;
import dev.varve.travel.StoreBlobs;
import dev.varve.travel.Verification;
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
        "Reads every byte of a bundle, or of a branch in the store and its parents, and compares"
            + " all hashes. Needs no network.",
    footer = {"  varve pi verify fork.bundle", "  varve pi verify HASH"})
final class PiVerify implements Callable<Integer> {

  private final Varve varve;

  @Parameters(paramLabel = "BUNDLE|HASH", description = "A bundle, or a branch hash.")
  private String what = "";

  @Mixin private final JsonOption output = new JsonOption();

  PiVerify(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    Optional<BlobHash> branch = PiPlaces.branch(what, PiOptions.index(varve));
    Verification found;
    try (Waiting _ = Waiting.on("reading", terminal)) {
      found = branch.isPresent() ? ofStore(branch.get()) : ofBundle(Path.of(what));
    } catch (StoreException.Io e) {
      throw PiPlaces.refusal(e);
    }
    tell(found);
    return found.sound() ? ExitCodes.OK : ExitCodes.DAMAGED;
  }

  private Budget unlimited() {
    return new Budget(Long.MAX_VALUE, Instant.MAX, varve.terminal().clock());
  }

  private Verification ofStore(BlobHash branch) {
    try (BlobSource source = new StoreBlobs(varve.openExisting(), varve.storeFolder().toString())) {
      return Verification.of(source, branch, unlimited());
    }
  }

  private Verification ofBundle(Path file) {
    if (!file.toFile().exists()) {
      throw new Refusal(ExitCodes.NOT_FOUND, file + ": no such file, and no branch hash", null);
    }
    try (BundleFile bundle = PiPlaces.bundle(file)) {
      return Verification.of(bundle, unlimited());
    }
  }

  private void tell(Verification found) {
    Terminal terminal = varve.terminal();
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
            + Words.count(found.blobs(), "blob")
            + ", "
            + Words.size(found.bytes()));
    found.problems().forEach(terminal::println);
    found.missing().forEach(hash -> terminal.println("parent branch " + hash + " is not there"));
    terminal.println(
        found.sound() ? "no problems" : Words.count(found.problems().size(), "problem"));
  }
}
