// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.NewTurn;
import dev.varve.Store;
import dev.varve.TurnId;
import dev.varve.hash.Blake3;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Gives each record of a source its turn, and counts.
///
/// A turn is looked for before it is appended: below its parent and by its payload's hash. So a
/// record that a fork copied is the same turn in both sources, whichever was imported first, and a
/// record that is known costs nothing. Below a turn that is new there is nothing to look for: new
/// turns of which each follows the one before are gathered and appended together.
public final class TurnPlacement {

  /// The most turns, and about the most bytes of payloads, that are appended together.
  private static final int RUN_TURNS_MAX = 256;

  private static final int RUN_BYTES_MAX = 1 << 20;

  /// A new turn of the run.
  private record GatheredTurn(PlacedTurn placed, NewTurn turn, String leaf) {}

  private final Store store;
  private final ContextId otherwise;
  private final LeafContexts leaves;

  private final List<GatheredTurn> run = new ArrayList<>();
  private TurnId runParent = TurnId.NONE;
  private long runBytes;

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

  /// The turn below `parent` with a payload, which is looked for or gathered. Its number is known
  /// after [#appendGathered()] at the latest.
  ///
  /// @param turn its parent is set here
  /// @param leaf the record's id, should no other record follow it; may be empty
  public PlacedTurn gather(PlacedTurn parent, NewTurn turn, String leaf) {
    if (run.isEmpty() || run.getLast().placed() != parent) {
      appendGathered();
      TurnId above = parent.id();
      Optional<TurnId> found = store.findChild(above, Blake3.hash(turn.payload()));
      if (found.isPresent()) {
        if (leaves.add(above, found.get(), leaf)) {
          shared++;
        } else {
          repeated++;
        }
        return new PlacedTurn(found.get());
      }
      runParent = above;
    }
    PlacedTurn placed = new PlacedTurn();
    run.add(new GatheredTurn(placed, turn, leaf));
    runBytes += turn.payload().sizeBytes();
    added++;
    if (run.size() == RUN_TURNS_MAX || runBytes >= RUN_BYTES_MAX) {
      appendGathered();
    }
    return placed;
  }

  /// Appends the turns that were gathered.
  public void appendGathered() {
    if (run.isEmpty()) {
      return;
    }
    List<NewTurn> turns = new ArrayList<>(run.size());
    for (GatheredTurn each : run) {
      turns.add(turns.isEmpty() ? each.turn().withParent(runParent) : each.turn());
    }
    TurnId above = runParent;
    List<TurnId> ids =
        store.appendRun(leaves.contextAt(runParent).orElse(otherwise), List.copyOf(turns));
    for (int i = 0; i < ids.size(); i++) {
      GatheredTurn each = run.get(i);
      each.placed().is(ids.get(i));
      boolean _ = leaves.add(above, ids.get(i), each.leaf()); // new, so no record was that turn
      above = ids.get(i);
    }
    run.clear();
    runBytes = 0;
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
