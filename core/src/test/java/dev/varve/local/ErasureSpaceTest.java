// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.ErasePlan;
import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.ReadProgress;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.View;
import dev.varve.contract.AgreedErasure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Erasures on a real disk, beside readers and writers.
class ErasureSpaceTest {

  @TempDir Path folder;

  private static Payload noise(int sizeBytes, long seed) {
    byte[] bytes = new byte[sizeBytes];
    new SplittableRandom(seed).nextBytes(bytes);
    return Payload.wrap(bytes);
  }

  private static NewTurn turn(Payload payload) {
    return NewTurn.of(payload, new DeclaredType("note", 1), Encoding.RAW);
  }

  private long packBytes() throws IOException {
    return Files.size(folder.resolve("blobs.pack"));
  }

  @Test
  void aCollectionFreesWhatItsPlanSaid() throws IOException {
    ErasePlan plan;
    long before;
    try (LocalStore store = LocalStore.open(folder, StoreOptions.DEFAULTS)) {
      ContextId context = store.createContext().id();
      for (int i = 0; i < 40; i++) {
        Turn turn = store.append(context, turn(noise(50_000, i)));
        if (i % 2 == 0) {
          store.patch(turn.id(), Payload.utf8("patched " + i));
        }
      }
    }
    before = packBytes();
    try (LocalStore store = LocalStore.open(folder, StoreOptions.DEFAULTS)) {
      plan = store.erasures().plan(EraseRequest.GARBAGE, ReadProgress.NONE);
      EraseReceipt receipt = AgreedErasure.in(store, EraseRequest.GARBAGE);

      assertThat(receipt.plan().counts()).isEqualTo(plan.counts());
      assertThat(before - packBytes()).isGreaterThanOrEqualTo(plan.counts().packBytes() * 99 / 100);
    }
    assertThat(plan.counts().packBytes()).isGreaterThan(1_000_000);
    assertThat(before - packBytes()).isGreaterThanOrEqualTo(plan.counts().packBytes() * 99 / 100);
  }

  @Test
  void aReadThatBeganBeforeEndsAfterAndReadersAndWritersGoOn() throws Exception {
    try (LocalStore store = LocalStore.open(folder, StoreOptions.DEFAULTS)) {
      ContextId context = store.createContext().id();
      Turn kept = store.append(context, turn(noise(50_000, 1)));
      byte[] large = noise(3_000_000, 2).bytes();
      BlobHash gone = store.put(new ByteArrayInputStream(large), null);
      AtomicBoolean ended = new AtomicBoolean();
      AtomicLong reads = new AtomicLong();
      AtomicLong writes = new AtomicLong();
      CompletableFuture<Void> reader =
          beside(
              () -> {
                while (!ended.get()) {
                  assertThat(store.turn(kept.id(), View.LATEST).payload())
                      .isEqualTo(noise(50_000, 1));
                  reads.incrementAndGet();
                }
              });
      CompletableFuture<Void> writer =
          beside(
              () -> {
                while (!ended.get()) {
                  store.append(context, turn(Payload.utf8("w" + writes.incrementAndGet())));
                }
              });
      try (InputStream in = store.read(gone)) {
        byte[] first = in.readNBytes(100_000);

        for (int i = 0; i < 5; i++) {
          AgreedErasure.in(
              store, new EraseRequest(Set.of(), Set.of(i == 0 ? gone : add(store, i)), List.of()));
        }

        assertThat(first).isEqualTo(Arrays.copyOf(large, 100_000));
        assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(large, 100_000, large.length));
      } finally {
        ended.set(true);
        reader.join();
        writer.join();
      }
      assertThat(store.has(gone)).isFalse();
      assertThat(reads.get()).isPositive();
      assertThat(store.counts().turns()).isEqualTo(1 + writes.get());
      assertThat(store.check().problems()).isEmpty();
    }
    try (LocalStore store = LocalStore.open(folder, StoreOptions.DEFAULTS)) {
      assertThat(store.check().problems()).isEmpty();
    }
  }

  private static CompletableFuture<Void> beside(Runnable work) {
    return CompletableFuture.runAsync(work, task -> Thread.ofPlatform().start(task));
  }

  private static BlobHash add(LocalStore store, int i) {
    return store.put(noise(20_000, 100 + i));
  }
}
