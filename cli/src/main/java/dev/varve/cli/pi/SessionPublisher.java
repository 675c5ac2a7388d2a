// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.cli.session.CommandSession;
import dev.varve.pi.branch.BranchBuilder;
import dev.varve.pi.branch.BranchLineage;
import dev.varve.pi.branch.BranchPublication;
import dev.varve.pi.branch.SessionHasher;
import java.nio.file.Path;

/// The publishing of sessions into a store that is open.
final class SessionPublisher {

  private final CommandSession command;
  private final BranchPublication publication;
  private final BranchBuilder verifying;
  private final BranchBuilder branches;

  /// @param verify whether each session is read from beginning to end, whatever is remembered of it
  SessionPublisher(CommandSession command, Store store, SessionHasher hasher, boolean verify) {
    this.command = command;
    BranchPublication.Proof proof =
        verify ? BranchPublication.Proof.ALL_BYTES : BranchPublication.Proof.CHEAP;
    this.publication = new BranchPublication(store, PiOptions.index(command), proof);
    this.verifying = BranchBuilder.verifying(hasher, publication);
    this.branches = verify ? verifying : BranchBuilder.of(hasher, publication);
  }

  /// A session that is published.
  ///
  /// @param blobsNew how many blobs the store did not have yet
  record Published(BranchLineage lineage, int blobsNew) {}

  /// Puts a session and the sessions it was forked from into the store.
  Published publish(Path session) {
    try {
      return publish(branches.of(session));
    } catch (StoreException.Conflict e) {
      command.terminal().say(e.getMessage() + ". Reading it, and its parents, from the beginning.");
      return publish(verifying.of(session));
    }
  }

  private Published publish(BranchLineage lineage) {
    return new Published(lineage, publication.add(lineage));
  }

  /// Enters what was published into the index. Called once the store is closed, so that it has the
  /// blobs for good.
  void enter() {
    publication.enter();
  }
}
