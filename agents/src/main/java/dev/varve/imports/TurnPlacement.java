// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.NewTurn;
import dev.varve.Store;
import dev.varve.TurnId;
import java.util.Optional;
import java.util.function.Supplier;

/// Gives each record of a source its turn, and counts.
///
/// A turn is looked for before it is appended: below its parent and by its payload's hash. So a
/// record that a fork copied is the same turn in both sources, whichever was imported first, and a
/// record that is known costs nothing.
public final class TurnPlacement {

  private final Store store;
  private final ContextId otherwise;
  private final LeafContexts leaves;

  private long added;
  private long shared;
  private long repeated;

  /// @param otherwise takes the new turns of branches that have no context yet
  /// @param leaves receives each turn
  public TurnPlacement(Store store, ContextId otherwise, LeafContexts leaves) {
    this.store = store;
    this.otherwise = otherwise;
    this.leaves = leaves;
  }

  /// The turn below `parent` with this payload.
  ///
  /// @param leaf the record's id, should no other record follow it; may be empty
  /// @param turn makes the turn if the store does not have it. Its parent is set here
  public TurnId place(TurnId parent, BlobHash payload, String leaf, Supplier<NewTurn> turn) {
    Optional<TurnId> found = store.findChild(parent, payload);
    TurnId placed = found.orElseGet(() -> append(parent, turn.get()));
    if (!leaves.add(parent, placed, leaf)) {
      repeated++;
    } else if (found.isPresent()) {
      shared++;
    } else {
      added++;
    }
    return placed;
  }

  private TurnId append(TurnId parent, NewTurn turn) {
    ContextId context = leaves.contextAt(parent).orElse(otherwise);
    return store.append(context, turn.withParent(parent)).id();
  }

  /// Records that became turns.
  public long added() {
    return added;
  }

  /// Records that were turns before.
  public long shared() {
    return shared;
  }

  /// Records that stand in the source more than once.
  public long repeated() {
    return repeated;
  }
}
