// SPDX-License-Identifier: Apache-2.0
package dev.varve.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.ErasePlan;
import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.ReadProgress;
import dev.varve.Store;
import dev.varve.StoreErasures;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.hash.Blake3;
import dev.varve.local.LocalStore;
import dev.varve.server.events.ServerEvent;
import dev.varve.server.logs.AnsweredRequest;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The rounds of a service, with a clock that the test sets.
final class RetentionRoundsTest {

  private static final Duration DAY = Duration.ofDays(1);

  @TempDir Path folder;

  private LocalStore store;
  private ContextId context;
  private Instant now;
  private boolean fails;
  private final List<AnsweredRequest> logged = new ArrayList<>();
  private final List<ServerEvent> heard = new ArrayList<>();
  private final List<EraseReceipt> receipts = new ArrayList<>();

  @BeforeEach
  void open() {
    store = LocalStore.open(folder.resolve("s"), StoreOptions.DEFAULTS);
    context = store.createContext().id();
    store.append(
        context, NewTurn.of(Payload.utf8("old words"), new DeclaredType("t", 1), Encoding.RAW));
    now = Instant.now();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private RetentionRounds rounds() {
    return rounds(store);
  }

  private RetentionRounds rounds(Store over) {
    RetentionDuty duty = new RetentionDuty(DAY, this::due, receipts::add);
    return new RetentionRounds(over, duty, logged::add, heard::add, () -> now);
  }

  /// All that is ten days old.
  private Optional<EraseRequest> due(Store store, Instant at) {
    if (fails) {
      throw new StoreException.Io("rules", "cannot be read", new java.io.IOException());
    }
    Instant end = at.minus(DAY.multipliedBy(10));
    Set<ContextId> old =
        store.contexts(null, 10).stream()
            .filter(head -> head.activeAt().isBefore(end))
            .map(ContextHead::id)
            .collect(Collectors.toSet());
    return old.isEmpty()
        ? Optional.empty()
        : Optional.of(new EraseRequest(old, Set.of(), List.of()).leavingHeld());
  }

  private boolean isThere() {
    return store.has(Blake3.hash(Payload.utf8("old words")));
  }

  @Test
  void contentGoesInTheFirstRoundAfterItGrewOld() {
    RetentionRounds rounds = rounds();
    rounds.look();
    assertThat(isThere()).isTrue();
    assertThat(logged).isEmpty();

    now = now.plus(DAY.multipliedBy(11));
    rounds.look();

    assertThat(isThere()).isFalse();
    assertThat(receipts).extracting(EraseReceipt::run).containsExactly(1);
    assertThat(heard).containsExactly(new ServerEvent.BlobsErased(1));
    assertThat(logged)
        .extracting(AnsweredRequest::who, AnsweredRequest::target, AnsweredRequest::status)
        .containsExactly(tuple("retention", "erasure 1", 200));
    assertThat(logged.getFirst().writes()).isTrue();

    now = now.plus(DAY);
    rounds.look();
    assertThat(receipts).as("nothing is left to go").hasSize(1);
    assertThat(logged).hasSize(1);
  }

  @Test
  void aRoundWaitsForItsTime() {
    RetentionRounds rounds = rounds();
    rounds.look();
    store.restoreContext(
        new ContextId(99),
        store.head(context).head(),
        store.head(context).base(),
        now.minus(DAY.multipliedBy(50)),
        now.minus(DAY.multipliedBy(50)),
        store.put(Payload.utf8("an old description")));

    now = now.plus(DAY).minusMillis(1);
    rounds.look();
    assertThat(receipts).isEmpty();
    now = now.plusMillis(1);
    rounds.look();

    assertThat(receipts).hasSize(1);
    assertThat(isThere()).as("the other context has it").isTrue();
  }

  @Test
  void aHoldIsRespected() {
    store.holds().hold(context, null, "audit");
    now = now.plus(DAY.multipliedBy(11));

    rounds().look();

    assertThat(isThere()).isTrue();
    assertThat(receipts).isEmpty();
  }

  @Test
  void aFailureIsRecordedAndTriedAgainWithinAnHour() {
    RetentionRounds rounds = rounds();
    now = now.plus(DAY.multipliedBy(11));
    fails = true;
    rounds.look();
    assertThat(logged).extracting(AnsweredRequest::status).containsExactly(500);

    fails = false;
    now = now.plus(Duration.ofHours(1));
    rounds.look();

    assertThat(isThere()).isFalse();
    assertThat(logged).extracting(AnsweredRequest::status).containsExactly(500, 200);
  }

  @Test
  void anErasureByAnotherServiceIsAConflictAndNoFailure() {
    RetentionRounds rounds =
        rounds(
            beforeErasing(
                (request, plan, progress) -> store.erasures().erase(request, plan, progress)));
    now = now.plus(DAY.multipliedBy(11));
    rounds.look();
    assertThat(logged).extracting(AnsweredRequest::status).containsExactly(409);

    now = now.plus(Duration.ofHours(1));
    rounds.look();

    assertThat(isThere()).isFalse();
    assertThat(receipts).as("the other service has the receipt").isEmpty();
    assertThat(logged).as("nothing is left to go").hasSize(1);
  }

  @Test
  void anErasureUnderWayIsBrokenOffByTheEnd() {
    RetentionRounds[] rounds = new RetentionRounds[1];
    rounds[0] =
        rounds(
            beforeErasing(
                (_, _, progress) -> {
                  rounds[0].close();
                  progress.reached(1, 2);
                }));
    now = now.plus(DAY.multipliedBy(11));

    rounds[0].look();

    assertThat(isThere()).isTrue();
    assertThat(receipts).isEmpty();
    assertThat(logged).isEmpty();
  }

  /// Takes the arguments of an erasure.
  @FunctionalInterface
  private interface ErasureCall {
    void erase(EraseRequest request, BlobHash plan, ReadProgress progress);
  }

  /// The store of the test, with something that happens before each erasure.
  private Store beforeErasing(ErasureCall first) {
    StoreErasures erasures =
        new StoreErasures() {
          @Override
          public ErasePlan plan(EraseRequest request, ReadProgress progress) {
            return store.erasures().plan(request, progress);
          }

          @Override
          public EraseReceipt erase(EraseRequest request, BlobHash plan, ReadProgress progress) {
            first.erase(request, plan, progress);
            return store.erasures().erase(request, plan, progress);
          }
        };
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (_, method, arguments) ->
                method.getName().equals("erasures") ? erasures : method.invoke(store, arguments));
  }

  @Test
  void theRoundsOfAServiceBeginAtOnceAndEndWithIt() {
    now = now.plus(DAY.multipliedBy(11));
    RetentionRounds rounds = rounds();
    rounds.start();
    rounds.close();
    rounds.close();

    rounds.look();
    assertThat(logged).allSatisfy(line -> assertThat(line.status()).isEqualTo(200));
  }
}
