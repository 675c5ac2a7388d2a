// SPDX-License-Identifier: Apache-2.0
package dev.varve.contract;

import static dev.varve.contract.Samples.ABSENT_TURN;
import static dev.varve.contract.Samples.hash;
import static dev.varve.contract.Samples.said;
import static dev.varve.contract.Samples.say;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Kinship of turns: ancestors, common ancestors, children.
public interface AncestryContract extends StoreFixture {

  /// Random trees: mostly one turn behind the other, sometimes a branch, sometimes a new root.
  private Map<TurnId, List<TurnId>> grow(SplittableRandom random, int count) {
    ContextId context = store().createContext().id();
    List<TurnId> all = new ArrayList<>();
    Map<TurnId, List<TurnId>> paths = new HashMap<>();
    for (int i = 0; i < count; i++) {
      TurnId parent =
          switch (random.nextInt(10)) {
            case 0, 1 -> all.isEmpty() ? TurnId.NONE : all.get(random.nextInt(all.size()));
            case 2 -> random.nextInt(10) == 0 ? TurnId.NONE : store().head(context).head();
            default -> store().head(context).head();
          };
      Turn turn = store().append(context, said("" + i).withParent(parent));
      List<TurnId> path = new ArrayList<>(paths.getOrDefault(parent, List.of()));
      path.add(turn.id());
      paths.put(turn.id(), path);
      all.add(turn.id());
    }
    return paths;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  default void anAncestorIsTheTurnAtThatDepthOfThePath(long seed) {
    grow(new SplittableRandom(seed), 150)
        .forEach(
            (turn, path) -> {
              for (int depth = 0; depth < path.size(); depth++) {
                assertThat(store().ancestor(turn, depth))
                    .as("seed %d: ancestor of %s at depth %d", seed, turn, depth)
                    .isEqualTo(path.get(depth));
              }
            });
  }

  @ParameterizedTest
  @ValueSource(longs = {4, 5, 6})
  default void theCommonAncestorIsTheLastTurnThatBothPathsShare(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<TurnId, List<TurnId>> paths = grow(random, 150);
    List<TurnId> all = paths.keySet().stream().sorted().toList();
    for (int i = 0; i < 3_000; i++) {
      TurnId a = all.get(random.nextInt(all.size()));
      TurnId b = all.get(random.nextInt(all.size()));
      assertThat(store().findCommonAncestor(a, b))
          .as("seed %d: of %s and %s", seed, a, b)
          .isEqualTo(lastShared(paths.get(a), paths.get(b)));
    }
  }

  private static Optional<TurnId> lastShared(List<TurnId> a, List<TurnId> b) {
    Optional<TurnId> last = Optional.empty();
    for (int i = 0; i < Math.min(a.size(), b.size()) && a.get(i).equals(b.get(i)); i++) {
      last = Optional.of(a.get(i));
    }
    return last;
  }

  @Test
  default void aTurnIsItsOwnAncestorAtItsOwnDepth() {
    List<TurnId> turns = say(store(), store().createContext().id(), "a", 9);

    assertThat(store().ancestor(turns.get(8), 8)).isEqualTo(turns.get(8));
    assertThat(store().ancestor(turns.get(8), 0)).isEqualTo(turns.get(0));
    assertThat(store().ancestor(turns.get(0), 0)).isEqualTo(turns.get(0));
    assertThat(store().findCommonAncestor(turns.get(8), turns.get(8))).contains(turns.get(8));
    assertThat(store().findCommonAncestor(turns.get(3), turns.get(8))).contains(turns.get(3));
    assertThat(store().findCommonAncestor(turns.get(8), turns.get(3))).contains(turns.get(3));
  }

  @Test
  default void turnsOfDifferentRootsHaveNoCommonAncestor() {
    ContextId context = store().createContext().id();
    TurnId a = say(store(), context, "a", 4).getLast();
    TurnId root = store().append(context, said("root").withParent(TurnId.NONE)).id();
    TurnId b = say(store(), context, "b", 4).getLast();

    assertThat(store().findCommonAncestor(a, b)).isEmpty();
    assertThat(store().findCommonAncestor(a, root)).isEmpty();
    assertThat(store().findCommonAncestor(b, root)).contains(root);
  }

  @Test
  default void anAncestorLiesBetweenTheRootAndTheTurn() {
    List<TurnId> turns = say(store(), store().createContext().id(), "a", 5);

    for (int depth : new int[] {-1, Integer.MIN_VALUE, 4, Integer.MAX_VALUE}) {
      assertThatThrownBy(() -> store().ancestor(turns.get(3), depth))
          .as("depth %d", depth)
          .isInstanceOf(StoreException.Invalid.class);
    }
  }

  @Test
  default void absentTurnsHaveNoKin() {
    TurnId turn = store().append(store().createContext().id(), said("a")).id();
    for (TurnId absent : List.of(ABSENT_TURN, TurnId.NONE)) {
      assertThatThrownBy(() -> store().ancestor(absent, 0))
          .isInstanceOf(StoreException.NotFound.class);
      assertThatThrownBy(() -> store().findCommonAncestor(absent, turn))
          .isInstanceOf(StoreException.NotFound.class);
      assertThatThrownBy(() -> store().findCommonAncestor(turn, absent))
          .isInstanceOf(StoreException.NotFound.class);
    }
    assertThat(store().findChild(ABSENT_TURN, hash("a"))).isEmpty();
  }

  @Test
  default void aChildIsFoundByItsPayload() {
    ContextId context = store().createContext().id();
    TurnId root = store().append(context, said("root")).id();
    TurnId a = store().append(context, said("a")).id();
    TurnId b = store().append(context, said("b").withParent(root)).id();

    assertThat(store().findChild(root, hash("a"))).contains(a);
    assertThat(store().findChild(root, hash("b"))).contains(b);
    assertThat(store().findChild(TurnId.NONE, hash("root"))).contains(root);
    assertThat(store().findChild(root, hash("root"))).isEmpty();
    assertThat(store().findChild(a, hash("b"))).as("a sibling is no child").isEmpty();
    assertThat(store().findChild(TurnId.NONE, hash("a"))).as("no root says this").isEmpty();
    assertThat(store().findChild(root, hash("never said"))).isEmpty();
  }

  @Test
  default void ofTwinsOneIsFound() {
    ContextId context = store().createContext().id();
    TurnId root = store().append(context, said("root")).id();
    TurnId one = store().append(context, said("same")).id();
    TurnId other = store().append(store().fork(root).id(), said("same")).id();
    TurnId secondRoot = store().append(store().createContext().id(), said("root")).id();

    assertThat(store().findChild(root, hash("same")).orElseThrow()).isIn(one, other);
    assertThat(store().findChild(TurnId.NONE, hash("root")).orElseThrow()).isIn(root, secondRoot);
    assertThat(store().findChild(secondRoot, hash("same"))).isEmpty();
  }

  @Test
  default void aChildIsFoundByWhatItWasAppendedWith() {
    ContextId context = store().createContext().id();
    TurnId root = store().append(context, said("root")).id();
    TurnId child = store().append(context, said("written")).id();

    store().patch(child, Payload.utf8("patched"));

    assertThat(store().findChild(root, hash("written"))).contains(child);
    assertThat(store().findChild(root, hash("patched"))).isEmpty();
    store().tombstone(child);
    assertThat(store().findChild(root, hash("written"))).contains(child);
  }
}
