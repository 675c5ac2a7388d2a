// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.branch.BranchIndex;
import dev.varve.branch.Branches;
import dev.varve.branch.KnownBranches;
import dev.varve.branch.Lineage;
import dev.varve.branch.Publication;
import dev.varve.branch.SessionHasher;
import dev.varve.travel.Chain;
import dev.varve.travel.Visits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The branches that are to be sent: those that are in the store, and those of sessions, which are
/// published first. While another process has the store, as `varve serve` does, sessions are taken
/// from their files.
final class PiChains {

  private final Varve varve;
  private final PiOptions pi;
  private final BranchIndex index;

  PiChains(Varve varve, PiOptions pi) {
    this.varve = varve;
    this.pi = pi;
    this.index = PiOptions.index(varve);
  }

  /// @param arguments branch hashes, or how they begin; sessions
  /// @param use is handed the branches while the store is open: nobody else has it meanwhile
  void with(List<String> arguments, Consumer<List<Chain>> use) {
    List<Wanted> wanted = wanted(arguments);
    try (Store store = store(wanted)) {
      use.accept(
          told(
              store == null
                  ? fromFiles(wanted)
                  : stored(wanted, store).stream()
                      .map(branch -> Chain.of(branch, store))
                      .toList()));
    }
  }

  /// @param use is handed the branches, to be read as slowly as somebody takes them: others have
  ///   the store meanwhile
  void atLeisure(List<String> arguments, Consumer<List<Chain>> use) {
    List<Wanted> wanted = wanted(arguments);
    List<BlobHash> branches;
    try (Store store = store(wanted)) {
      if (store == null) {
        use.accept(told(fromFiles(wanted)));
        return;
      }
      branches = stored(wanted, store);
    }
    Path copies = PiOptions.notes(varve).resolve("outgoing");
    try (Visits visits = new Visits(varve::openExisting)) {
      use.accept(told(branches.stream().map(each -> Chain.of(each, visits, copies)).toList()));
    }
  }

  private List<Chain> told(List<Chain> chains) {
    for (Chain chain : chains) {
      if (chain.missing().isPresent()) {
        varve
            .terminal()
            .say(
                "branch "
                    + chain.branch()
                    + ": its parent "
                    + chain.missing().get()
                    + " is not here, and stays behind");
      }
    }
    return chains;
  }

  private sealed interface Wanted {
    record OfStore(BlobHash branch) implements Wanted {}

    record OfFile(Path session) implements Wanted {}
  }

  private List<Wanted> wanted(List<String> arguments) {
    return arguments.stream().map(this::wanted).toList();
  }

  private Wanted wanted(String argument) {
    Optional<BlobHash> branch = PiPlaces.branch(argument, index);
    return branch.isPresent()
        ? new Wanted.OfStore(branch.get())
        : new Wanted.OfFile(PiFiles.demandFile(pi.session(argument, varve.terminal())));
  }

  private @Nullable Store store(List<Wanted> wanted) {
    boolean onlyFiles = wanted.stream().allMatch(Wanted.OfFile.class::isInstance);
    try {
      return onlyFiles ? varve.openInTurn() : varve.openExisting();
    } catch (StoreException.Busy e) {
      if (!onlyFiles) {
        throw e;
      }
      varve.terminal().say("The store is in use; the sessions are sent from their files.");
      return null;
    }
  }

  private SessionHasher hasher() {
    return new SessionHasher(PiOptions.States.beside.of(varve), varve.terminal().clock());
  }

  private List<Chain> fromFiles(List<Wanted> wanted) {
    Branches branches = Branches.of(hasher(), KnownBranches.NONE);
    List<Chain> chains = new ArrayList<>();
    for (Wanted each : wanted) {
      if (each instanceof Wanted.OfFile(Path session)) {
        Lineage lineage = branches.of(session);
        say(lineage);
        chains.add(Chain.of(lineage));
      }
    }
    return chains;
  }

  /// The branches that are meant, now that all are in the store.
  private List<BlobHash> stored(List<Wanted> wanted, Store store) {
    Publication publication = new Publication(store, index);
    Branches branches = Branches.of(hasher(), publication);
    List<BlobHash> stored = new ArrayList<>();
    for (Wanted each : wanted) {
      stored.add(
          switch (each) {
            case Wanted.OfStore(BlobHash branch) -> branch;
            case Wanted.OfFile(Path session) -> {
              Lineage lineage = branches.of(session);
              say(lineage);
              publication.add(lineage);
              yield lineage.hash();
            }
          });
    }
    publication.enter();
    return stored;
  }

  private void say(Lineage lineage) {
    lineage.problems().stream().map(PiProblems::sentence).forEach(varve.terminal()::say);
  }
}
