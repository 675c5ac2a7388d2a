// SPDX-License-Identifier: Apache-2.0
package dev.varve.tree;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import java.util.Optional;

/// The file trees that are attached to turns.
public final class TurnTrees {

  private TurnTrees() {}

  /// @param turn to which the tree is attached
  public record Snapshot(TurnId turn, BlobHash root) {}

  /// The tree as it was at `turn`: the one attached to it, else to its nearest ancestor that has
  /// one, across forks. Takes one look for each turn in between.
  ///
  /// @throws dev.varve.StoreException.NotFound if there is no such turn
  public static Optional<Snapshot> at(Store store, TurnId turn) {
    for (TurnId id = turn; !id.isNone(); ) {
      Turn found = store.turn(id, View.HEADERS);
      if (found.fsRoot() != null) {
        return Optional.of(new Snapshot(id, found.fsRoot()));
      }
      id = found.parent();
    }
    return Optional.empty();
  }
}
