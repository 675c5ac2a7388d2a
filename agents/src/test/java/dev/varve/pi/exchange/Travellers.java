// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.StoreOptions;
import dev.varve.local.LocalStore;
import dev.varve.pi.branch.BranchBuilder;
import dev.varve.pi.branch.BranchLineage;
import dev.varve.pi.branch.HashStates;
import dev.varve.pi.branch.KnownBranches;
import dev.varve.pi.branch.SessionHasher;
import dev.varve.pi.branch.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;

/// Computer A, where a root and two forks of it are, and computer B.
record Travellers(Path folder, Path root, Path fork, Path forkOfFork, BranchLineage lineage) {

  static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-11-28T00:00:00Z"));

  static Travellers in(Path folder) throws IOException {
    Path real = folder.toRealPath();
    Sessions sessions = new Sessions(Files.createDirectories(real.resolve("a")));
    Path root = sessions.write("root", "", 20_000); // 1.5 MB
    Path fork = sessions.fork("fork", root);
    Path forkOfFork = sessions.fork("forkOfFork", fork);
    return new Travellers(real, root, fork, forkOfFork, lineage(forkOfFork));
  }

  static BranchLineage lineage(Path session) {
    SessionHasher hasher = new SessionHasher(new HashStates.None(), CLOCK);
    return BranchBuilder.of(hasher, KnownBranches.NONE).of(session);
  }

  BlobHash branch() {
    return lineage.hash();
  }

  BlobHash parent() {
    return lineage.rootFirst().get(1).hash();
  }

  BlobHash rootSession() {
    return lineage.rootFirst().getFirst().content().hash();
  }

  BlobHash session() {
    return lineage.branch().content().hash();
  }

  BranchChain chain() {
    return BranchChain.of(lineage);
  }

  /// The store of computer B.
  Store store() {
    return LocalStore.open(folder.resolve("b"), StoreOptions.DEFAULTS);
  }

  Path incoming() {
    return folder.resolve("incoming");
  }

  static TransferBudget budget(long bytes) {
    return new TransferBudget(bytes, Instant.MAX, CLOCK);
  }

  BranchFetch get(BlobSource source, Store store) {
    return get(source, store, budget(1 << 30));
  }

  BranchFetch get(BlobSource source, Store store, TransferBudget budget) {
    return new BranchFetch(source, new WatchedVisits(store), incoming(), budget, _ -> {});
  }
}
