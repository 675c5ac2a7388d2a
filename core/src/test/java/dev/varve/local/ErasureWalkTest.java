// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.blob.ErasedTable;
import dev.varve.contract.AgreedErasure;
import dev.varve.disk.SimulatedDisk;
import dev.varve.hash.Blake3;
import dev.varve.sim.SimulatedTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Random puts, appends, forks, patches, deletions, erasures and collections in one open store:
/// what is not to go stays, what goes is gone, and the store goes on.
class ErasureWalkTest {

  private static final int STEPS = 150;

  @Test
  void whatIsNotToGoStaysAndWhatGoesIsGone() {
    long only = Long.getLong("sim.seed", -1);
    int erasures = 0;
    for (long seed = 0; seed < 25; seed++) {
      if (only < 0 || only == seed) {
        try {
          erasures += new Walk(seed).run();
        } catch (RuntimeException | Error e) {
          throw new AssertionError("repeat with -Dsim.seed=" + seed + ": " + e.getMessage(), e);
        }
      }
    }
    assertThat(erasures).as("blobs that went").isGreaterThan(only < 0 ? 100 : -1);
  }

  private static final class Walk {

    private final SplittableRandom random;
    private final SimulatedDisk disk;
    private LocalStore store;
    private final List<ContextId> contexts = new ArrayList<>();
    private final List<TurnId> turns = new ArrayList<>();

    /// What the newest view of each turn shows; deleted turns are not in it.
    private final Map<TurnId, BlobHash> shown = new HashMap<>();

    private final Map<BlobHash, Payload> there = new HashMap<>();
    private final Map<BlobHash, Payload> refused = new HashMap<>();
    private int gone;

    Walk(long seed) {
      random = new SplittableRandom(seed);
      disk = new SimulatedDisk(seed, DiskImage.FILE_CAPACITY_BYTES);
      store = open();
      contexts.add(store.createContext().id());
    }

    private LocalStore open() {
      return LocalStore.open(
          disk, StoreOptions.DEFAULTS, SimulatedTime.standing(), PowerCutStoreTest.SMALL);
    }

    int run() {
      for (int step = 0; step < STEPS; step++) {
        step();
      }
      verify();
      store.close();
      return gone;
    }

    private <T> T any(List<T> list) {
      return list.get(random.nextInt(list.size()));
    }

    private void step() {
      int choice = random.nextInt(20);
      try {
        switch (choice) {
          case 0, 1, 2, 3, 4, 5, 6 -> append();
          case 7, 8, 9 -> noted(store.put(payload()));
          case 10 -> fork();
          case 11, 12, 13 -> patch();
          case 14 -> delete();
          case 15 -> erase(blob());
          case 16 -> erase(context());
          case 17, 18 -> collect();
          default -> {
            store.close();
            store = open();
          }
        }
      } catch (StoreException.Erased e) {
        assertThat(refused).containsKey(Blake3.hash(last)); // erased content was invented again
      }
    }

    private Payload last = Payload.utf8("");

    /// One of few texts, so that turns share payloads.
    private Payload payload() {
      last = Payload.utf8("text " + random.nextInt(60) + " ".repeat(random.nextInt(2) * 400));
      return last;
    }

    private void noted(BlobHash hash) {
      assertThat(refused).doesNotContainKey(hash);
      there.put(hash, last);
    }

    private void append() {
      Turn turn =
          store.append(
              any(contexts), NewTurn.of(payload(), new DeclaredType("note", 1), Encoding.RAW));
      noted(turn.payloadHash());
      turns.add(turn.id());
      shown.put(turn.id(), turn.payloadHash());
    }

    private void fork() {
      if (!turns.isEmpty()) {
        contexts.add(store.fork(any(turns)).id());
      }
    }

    private void patch() {
      if (!turns.isEmpty()) {
        TurnId turn = any(turns);
        Payload payload = payload();
        store.patch(turn, payload);
        noted(Blake3.hash(payload));
        shown.put(turn, Blake3.hash(payload));
      }
    }

    private void delete() {
      if (!turns.isEmpty()) {
        TurnId turn = any(turns);
        store.tombstone(turn);
        shown.remove(turn);
      }
    }

    private EraseRequest blob() {
      return there.isEmpty()
          ? EraseRequest.GARBAGE
          : new EraseRequest(
              Set.of(),
              Set.of(any(there.keySet().stream().sorted(ErasedTable::compare).toList())),
              List.of());
    }

    private EraseRequest context() {
      return new EraseRequest(Set.of(any(contexts)), Set.of(), List.of());
    }

    private void erase(EraseRequest request) {
      Set<BlobHash> others = new HashSet<>();
      for (ContextId context : contexts) {
        if (!request.contexts().isEmpty() && !request.contexts().contains(context)) {
          for (Turn turn : store.last(context, 1000, View.HEADERS).turns()) {
            if (shown.containsKey(turn.id())) {
              others.add(shown.get(turn.id()));
            }
          }
        }
      }
      EraseReceipt receipt = AgreedErasure.in(store, request);
      assertThat(new HashSet<>(receipt.hashes()).containsAll(request.blobs())).isTrue();
      assertThat(Collections.disjoint(receipt.hashes(), others)).as("others keep theirs").isTrue();
      receipt
          .hashes()
          .forEach(
              hash -> {
                Payload content = there.remove(hash);
                if (!request.hidden()) {
                  refused.put(hash, content);
                }
              });
      gone += receipt.hashes().size();
      verify();
    }

    private void collect() {
      EraseReceipt receipt = AgreedErasure.in(store, EraseRequest.GARBAGE);
      shown.forEach(
          (turn, hash) ->
              assertThat(receipt.hashes().contains(hash))
                  .as("%s, which turn %s shows, is collected", hash, turn)
                  .isFalse());
      there.keySet().removeAll(receipt.hashes());
      gone += receipt.hashes().size();
      verify();
    }

    private void verify() {
      there.forEach((hash, content) -> assertThat(store.get(hash)).isEqualTo(content));
      refused.forEach(
          (hash, content) -> {
            assertThat(store.has(hash)).isFalse();
            assertThatThrownBy(() -> store.put(content)).isInstanceOf(StoreException.Erased.class);
          });
      for (TurnId turn : turns) {
        BlobHash hash = shown.get(turn);
        Turn found = store.turn(turn, View.LATEST);
        assertThat(found.tombstone()).isEqualTo(hash == null || !there.containsKey(hash));
        if (!found.tombstone()) {
          assertThat(found.payload()).isEqualTo(there.get(hash));
        }
      }
      assertThat(store.check().problems()).isEmpty();
    }
  }
}
