// SPDX-License-Identifier: Apache-2.0
package dev.varve.sim;

import dev.varve.BulkStore;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Turn;
import dev.varve.TurnId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Plays random operations to a [StoreModel] and to a store, and fails at the first answer or
/// refusal that differs.
///
/// The store answers first, for it may leave gaps between numbers; the model then takes over the
/// number given. A crash in the middle of [#step] leaves the operation open: [#recovered] finds out
/// whether it has happened.
public final class ModelCheck {

  /// How often a store is opened again by [#run], and how often all of it is compared: once in so
  /// many steps.
  private static final int REOPEN_ONE_IN = 60;

  private static final int COMPARE_ALL_ONE_IN = 200;

  /// An operation with what else the model needs to repeat it.
  ///
  /// @param parts how many of an operation's commits survived, if a crash came between them
  private record Played(
      Operation operation,
      Instant time,
      @Nullable TurnId turn,
      @Nullable ContextId context,
      int parts) {

    Played withParts(int number) {
      return new Played(operation, time, turn, context, number);
    }
  }

  private final long seed;
  private final SplittableRandom random;
  private final RandomOperations operations;
  private final SimulatedTime time = SimulatedTime.standing();
  private final List<Played> played = new ArrayList<>();
  private StoreModel model = new StoreModel(RandomOperations.LIMITS, time, RandomOperations.CHUNKS);
  private BulkStore store;
  private @Nullable Operation open;

  /// @param opener opens the store with [RandomOperations#LIMITS] and the check's own clock
  public ModelCheck(long seed, StoreUnderTest opener) {
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    this.operations = new RandomOperations(random);
    this.store = opener.open(RandomOperations.LIMITS, time);
  }

  /// Runs `steps` random operations, opening the store again now and then, and compares all of it
  /// at the end.
  public static void run(long seed, int steps, StoreUnderTest opener) {
    ModelCheck check = new ModelCheck(seed, opener);
    for (int i = 0; i < steps; i++) {
      if (check.random.nextInt(REOPEN_ONE_IN) == 0) {
        check.reopen(opener);
      }
      check.step();
      if (check.random.nextInt(COMPARE_ALL_ONE_IN) == 0) {
        check.compareAll();
      }
    }
    check.compareAll();
    check.compareRetries();
    check.reopen(opener);
    check.compareAll();
    check.store.close();
  }

  /// The store as it is open now.
  public BulkStore store() {
    return store;
  }

  /// Opens the store again.
  public void reopen(StoreUnderTest opener) {
    store = opener.reopen(store);
  }

  /// One random operation. What the store throws beside refusals is thrown on.
  public void step() {
    time.advance(1 + random.nextInt(3));
    Operation operation = operations.next(model);
    open = operation;
    Operation.Answer found = operation.ask(store);
    open = null;
    Played step =
        new Played(operation, time.instant(), newTurn(found), newContext(found), Integer.MAX_VALUE);
    Operation.Answer expected = play(step, model);
    played.add(step);
    if (!expected.equals(found)) {
      throw failure(operation + "\n  expected " + expected + "\n  found    " + found);
    }
  }

  private static Operation.Answer play(Played step, StoreModel model) {
    if (step.turn() != null) {
      model.giveNext(step.turn());
    }
    if (step.context() != null) {
      model.giveNext(step.context());
    }
    model.endAfterParts(step.parts());
    try {
      return step.operation().ask(model);
    } finally {
      model.endAfterParts(Integer.MAX_VALUE);
    }
  }

  /// @return whether the step has no more parts than it may have
  private static boolean playParts(Played step, StoreModel model) {
    try {
      play(step, model);
      return true;
    } catch (StreamedPut.Ended e) {
      return false;
    }
  }

  /// The number of a turn that the store has just made.
  private @Nullable TurnId newTurn(Operation.Answer answer) {
    return answer instanceof Operation.Answered(Turn turn)
            && turn.id().compareTo(model.lastTurn()) > 0
        ? turn.id()
        : null;
  }

  private @Nullable ContextId newContext(Operation.Answer answer) {
    return answer instanceof Operation.Answered(ContextHead head)
            && head.id().compareTo(model.lastContext()) > 0
        ? head.id()
        : null;
  }

  /// Fails unless the store holds what the model holds, no more and no less.
  public void compareAll() {
    StoreDifference.find(model, store, RandomOperations.LIMITS.pageTurns())
        .ifPresent(
            difference -> {
              throw failure(difference);
            });
  }

  /// Fails unless each append with a key can be repeated.
  public void compareRetries() {
    StoreDifference.findInRetries(model, store)
        .ifPresent(
            difference -> {
              throw failure(difference);
            });
  }

  /// Goes on with the store that was opened after a crash.
  ///
  /// Everything that was answered must be there; the operation that was open when the power went
  /// must be there whole or not at all.
  ///
  /// @param tailMayBeLost whether also the newest operations may be gone, all from some point on
  ///   (`Durability.LET_THE_SYSTEM`)
  public void recovered(BulkStore reopened, boolean tailMayBeLost) {
    store = reopened;
    operations.afterCrash();
    Operation operation = open;
    open = null;
    if (operation != null) {
      boolean whole = false;
      for (int parts = 1; !whole; parts++) {
        StoreModel with = model.copy();
        Played step = openStep(operation).withParts(parts);
        whole = playParts(step, with);
        if (difference(with).isEmpty()) {
          model = with;
          played.add(step);
          return;
        }
      }
    }
    Optional<String> difference = difference(model);
    if (difference.isPresent() && tailMayBeLost && shorten()) {
      return;
    }
    difference.ifPresent(
        found -> {
          throw failure("after a crash during " + operation + ": " + found);
        });
  }

  private Optional<String> difference(StoreModel candidate) {
    return StoreDifference.find(candidate, store, RandomOperations.LIMITS.pageTurns());
  }

  /// The numbers that an operation without an answer was given show in what the store lists.
  private Played openStep(Operation operation) {
    TurnId turn = model.lastTurn();
    ContextId context = model.lastContext();
    for (ContextHead head : store.contexts(null, RandomOperations.LIMITS.pageTurns())) {
      turn = head.head().compareTo(turn) > 0 ? head.head() : turn;
      context = head.id().compareTo(context) > 0 ? head.id() : context;
    }
    return new Played(
        operation,
        time.instant(),
        turn.equals(model.lastTurn())
            ? null
            : new TurnId(turn.value() - operation.turnsMax() + 1), // the first of a run
        context.equals(model.lastContext()) ? null : context,
        Integer.MAX_VALUE);
  }

  /// Takes back the newest operations until the model is what the store is.
  private boolean shorten() {
    Instant now = time.instant();
    StoreModel earlier = new StoreModel(RandomOperations.LIMITS, time, RandomOperations.CHUNKS);
    int fits = difference(earlier).isEmpty() ? 0 : -1;
    StoreModel fitting = earlier.copy();
    Played last = null;
    for (int i = 0; i < played.size(); i++) {
      time.set(played.get(i).time());
      boolean whole = false;
      for (int parts = 1; !whole; parts++) {
        Played step = played.get(i).withParts(Math.min(parts, played.get(i).parts()));
        StoreModel candidate = earlier.copy();
        whole = playParts(step, candidate) || parts == played.get(i).parts();
        if (difference(candidate).isEmpty()) {
          fits = i + 1;
          last = step;
          fitting = candidate;
        }
        if (whole) {
          earlier = candidate;
        }
      }
    }
    time.set(now);
    if (fits < 0) {
      return false;
    }
    played.subList(fits, played.size()).clear();
    if (last != null) {
      played.set(fits - 1, last);
    }
    model = fitting;
    return true;
  }

  private AssertionError failure(String what) {
    StringBuilder message = new StringBuilder();
    message.append("seed ").append(seed).append(", step ").append(played.size()).append(": ");
    message.append(what).append("\nafter");
    for (Played step : played.subList(Math.max(0, played.size() - 12), played.size())) {
      message.append("\n  ").append(step.operation());
    }
    return new AssertionError(message.toString());
  }
}
