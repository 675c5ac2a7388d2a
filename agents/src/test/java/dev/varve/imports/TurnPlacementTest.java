// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.TurnId;
import dev.varve.sim.ForwardingStore;
import dev.varve.sim.StoreModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TurnPlacementTest {

  /// A store that counts what it is asked.
  private static final class Counting extends ForwardingStore {
    private final List<Integer> runs = new ArrayList<>();
    private int searches;

    private Counting() {
      super(new StoreModel());
    }

    @Override
    public List<TurnId> appendRun(ContextId context, List<NewTurn> turns) {
      runs.add(turns.size());
      return super.appendRun(context, turns);
    }

    @Override
    public Optional<TurnId> findChild(TurnId parent, BlobHash payload) {
      searches++;
      return super.findChild(parent, payload);
    }
  }

  private final Counting store = new Counting();
  private final ContextId context = store.createContext().id();

  private TurnPlacement placement() {
    return new TurnPlacement(store, context, new LeafContexts(store));
  }

  private static NewTurn turn(String text) {
    return NewTurn.of(Payload.utf8(text), new DeclaredType("test.Line", 1), Encoding.JSON);
  }

  private TurnId parentOf(PlacedTurn turn) {
    return store.turn(turn.id()).parent();
  }

  @Test
  void newTurnsThatFollowOneAnotherAreAppendedTogether() {
    TurnPlacement placement = placement();
    List<PlacedTurn> placed = new ArrayList<>(List.of(PlacedTurn.NONE));
    for (int i = 0; i < 300; i++) {
      placed.add(placement.gather(placed.getLast(), turn("" + i), "" + i));
    }
    placement.appendGathered();

    assertThat(store.runs).containsExactly(256, 44);
    assertThat(store.searches).isEqualTo(2);
    assertThat(placement.added()).isEqualTo(300);
    for (int i = 1; i < placed.size(); i++) {
      assertThat(parentOf(placed.get(i))).isEqualTo(placed.get(i - 1).id());
    }
  }

  @Test
  void runsOfLargeTurnsAreShort() {
    TurnPlacement placement = placement();
    PlacedTurn last = PlacedTurn.NONE;
    for (int i = 0; i < 4; i++) {
      last = placement.gather(last, turn(i + "x".repeat(600_000)), "");
    }

    assertThat(store.runs).containsExactly(2, 2);
  }

  @Test
  void branchesAndRepetitionsFindTheirTurns() {
    TurnPlacement placement = placement();
    PlacedTurn root = placement.gather(PlacedTurn.NONE, turn("root"), "root");
    PlacedTurn first = placement.gather(root, turn("first"), "first");
    PlacedTurn second = placement.gather(root, turn("second"), "second");
    PlacedTurn again = placement.gather(root, turn("first"), "first");
    PlacedTurn after = placement.gather(again, turn("after"), "after");
    placement.appendGathered();

    assertThat(again.id()).isEqualTo(first.id());
    assertThat(parentOf(second)).isEqualTo(root.id());
    assertThat(parentOf(after)).isEqualTo(first.id());
    assertThat(placement.added()).isEqualTo(4);
    assertThat(placement.repeated()).isEqualTo(1);
    assertThat(placement.shared()).isZero();
  }

  @Test
  void anotherSourceSharesTheTurns() {
    TurnPlacement one = placement();
    PlacedTurn root = one.gather(PlacedTurn.NONE, turn("root"), "root");
    PlacedTurn end = one.gather(root, turn("end"), "end");
    one.appendGathered();

    TurnPlacement other = placement();
    PlacedTurn same = other.gather(PlacedTurn.NONE, turn("root"), "root");
    PlacedTurn sameEnd = other.gather(same, turn("end"), "end");
    PlacedTurn more = other.gather(sameEnd, turn("more"), "more");
    other.appendGathered();

    assertThat(sameEnd.id()).isEqualTo(end.id());
    assertThat(parentOf(more)).isEqualTo(end.id());
    assertThat(other.shared()).isEqualTo(2);
    assertThat(other.added()).isEqualTo(1);
  }
}
