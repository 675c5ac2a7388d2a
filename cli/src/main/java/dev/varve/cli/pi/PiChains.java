// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.access.StoreVisits;
import dev.varve.cli.session.CommandSession;
import dev.varve.pi.branch.BranchBuilder;
import dev.varve.pi.branch.BranchIndex;
import dev.varve.pi.branch.BranchLineage;
import dev.varve.pi.branch.BranchPublication;
import dev.varve.pi.branch.SessionHasher;
import dev.varve.pi.exchange.BranchChain;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// The branches that are to be sent: those that are in the store, and those of sessions, which are
/// published first.
final class PiChains {

  private final CommandSession command;
  private final PiProblems problems;
  private final PiOptions pi;
  private final BranchIndex index;

  PiChains(CommandSession command, PiOptions pi) {
    this.command = command;
    this.problems = new PiProblems(command.terminal());
    this.pi = pi;
    this.index = PiOptions.index(command);
  }

  /// @param arguments branch hashes, or how they begin; sessions
  /// @param use is handed the branches while the store is open: nobody else has it meanwhile
  void with(List<String> arguments, Consumer<List<BranchChain>> use) {
    List<Wanted> wanted = wanted(arguments);
    try (Store store = store(wanted)) {
      use.accept(
          described(
              stored(wanted, store).stream()
                  .map(branch -> BranchChain.of(branch, store))
                  .toList()));
    }
  }

  /// @param use is handed the branches, to be read as slowly as somebody takes them: others have
  ///   the store meanwhile
  void atLeisure(List<String> arguments, Consumer<List<BranchChain>> use) {
    List<Wanted> wanted = wanted(arguments);
    List<BlobHash> branches;
    try (Store store = store(wanted)) {
      branches = stored(wanted, store);
    }
    Path copies = PiOptions.notes(command).resolve("outgoing");
    try (StoreVisits visits = new StoreVisits(command::openExisting)) {
      use.accept(
          described(branches.stream().map(each -> BranchChain.of(each, visits, copies)).toList()));
    }
  }

  private List<BranchChain> described(List<BranchChain> chains) {
    for (BranchChain chain : chains) {
      if (chain.missing().isPresent()) {
        command
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
        : new Wanted.OfFile(PiFiles.demandFile(pi.session(argument, command.terminal())));
  }

  private Store store(List<Wanted> wanted) {
    boolean onlyFiles = wanted.stream().allMatch(Wanted.OfFile.class::isInstance);
    return onlyFiles ? command.open() : command.openExisting();
  }

  private SessionHasher hasher() {
    return new SessionHasher(PiOptions.States.beside.of(command), command.terminal().clock());
  }

  /// The branches that are meant, now that all are in the store.
  private List<BlobHash> stored(List<Wanted> wanted, Store store) {
    BranchPublication publication = new BranchPublication(store, index);
    BranchBuilder branches = BranchBuilder.of(hasher(), publication);
    List<BlobHash> stored = new ArrayList<>();
    for (Wanted each : wanted) {
      stored.add(
          switch (each) {
            case Wanted.OfStore(BlobHash branch) -> branch;
            case Wanted.OfFile(Path session) -> {
              BranchLineage lineage = branches.of(session);
              problems.say(lineage);
              publication.add(lineage);
              yield lineage.hash();
            }
          });
    }
    publication.enter();
    return stored;
  }
}
