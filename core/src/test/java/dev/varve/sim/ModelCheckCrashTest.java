// SPDX-License-Identifier: Apache-2.0
package dev.varve.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BulkStore;
import dev.varve.ContextId;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreLimits;
import dev.varve.Turn;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// After a crash the check takes a store for right if it lost nothing, and only then.
class ModelCheckCrashTest {

  /// The power goes; nothing that a store may refuse.
  private static final class PowerCut extends Error {
    private static final long serialVersionUID = 1;
  }

  /// Loses its power at some append, before or after it has taken it in.
  private static final class FragileStore extends ForwardingStore {
    private final StoreModel model;
    private int appendsLeft;
    private final boolean takesTheLastOne;

    FragileStore(StoreModel model, int appendsLeft, boolean takesTheLastOne) {
      super(model);
      this.model = model;
      this.appendsLeft = appendsLeft;
      this.takesTheLastOne = takesTheLastOne;
    }

    @Override
    public Turn append(ContextId context, NewTurn turn) {
      if (--appendsLeft >= 0) {
        return store.append(context, turn);
      }
      if (takesTheLastOne) {
        store.append(context, turn);
      }
      throw new PowerCut();
    }
  }

  /// Runs a check up to a power cut, again and again.
  private static final class Crashes implements StoreUnderTest {
    private final SplittableRandom random;
    private final ModelCheck check;
    private StoreModel model = new StoreModel();

    Crashes(long seed) {
      random = new SplittableRandom(seed);
      check = new ModelCheck(seed, this);
    }

    @Override
    public BulkStore open(StoreLimits limits, InstantSource time) {
      model = new StoreModel(limits, time, RandomOperations.CHUNKS);
      return fragile();
    }

    @Override
    public BulkStore reopen(BulkStore store) {
      model = model.reopened();
      return fragile();
    }

    BulkStore fragile() {
      return new FragileStore(model, random.nextInt(1, 20), random.nextBoolean());
    }

    /// States of the store after each operation, up to the one in which the power went.
    List<StoreModel> crash() {
      List<StoreModel> states = new ArrayList<>();
      states.add(model.copy());
      for (int i = 0; i < 2_000; i++) {
        try {
          check.step();
          states.add(model.copy());
        } catch (PowerCut cut) {
          return states;
        }
      }
      throw new AssertionError("no power cut in 2,000 operations");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void theOpenOperationMayHaveHappenedOrNot(long seed) {
    Crashes crashes = new Crashes(seed);
    for (int i = 0; i < 10; i++) {
      crashes.crash();
      crashes.check.recovered(crashes.reopen(crashes.check.store()), false);
    }
    crashes.crash();
    crashes.model = crashes.model.reopened();
    crashes.check.recovered(crashes.model, false);
    crashes.check.compareRetries();
    assertThat(crashes.model.turns()).hasSizeGreaterThan(50);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void aStoreThatLostAnAnsweredOperationIsCaught(long seed) {
    Crashes crashes = new Crashes(seed);
    List<StoreModel> states = crashes.crash();
    StoreModel last = states.getLast();
    StoreModel lossy =
        states.reversed().stream()
            .filter(state -> !state.counts().equals(last.counts()))
            .findFirst()
            .orElseThrow();

    assertThatThrownBy(() -> crashes.check.recovered(lossy, false))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("after a crash during append")
        .hasMessageContaining("counts()");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void aStoreWithHalfAnOperationIsCaught(long seed) {
    Crashes crashes = new Crashes(seed);
    crashes.crash();
    crashes.model.put(Payload.utf8("the payload of a turn that is not there"));

    assertThatThrownBy(() -> crashes.check.recovered(crashes.reopen(crashes.check.store()), false))
        .isInstanceOf(AssertionError.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void aTailMayBeLostWhereThatIsAgreed(long seed) {
    Crashes crashes = new Crashes(seed);
    for (int i = 0; i < 5; i++) {
      List<StoreModel> states = crashes.crash();
      crashes.model = states.get(crashes.random.nextInt(states.size()));
      crashes.check.recovered(crashes.fragile(), true);
      crashes.check.compareAll();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void aHoleIsNoLostTail(long seed) {
    Crashes crashes = new Crashes(seed);
    List<StoreModel> states = crashes.crash();
    StoreModel holed = states.get(states.size() / 2);
    holed.put(Payload.utf8("a later blob"));

    assertThatThrownBy(() -> crashes.check.recovered(holed, true))
        .isInstanceOf(AssertionError.class);
  }
}
