// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.Durability;
import dev.varve.Payload;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.blob.BlobPack;
import dev.varve.disk.Disk;
import dev.varve.disk.DiskFile;
import dev.varve.disk.ForwardingDisk;
import dev.varve.disk.SimulatedDisk;
import dev.varve.hash.Blake3;
import dev.varve.sim.SimulatedTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// Many threads at once: each blob is stored once, and nobody who reads waits for somebody who
/// writes.
class ContentionTest {

  private static final int THREADS = 64;
  private static final long SECONDS_MAX = 60;

  private static LocalStore open(Disk disk) {
    return LocalStore.open(
        disk,
        StoreOptions.DEFAULTS.withDurability(Durability.FORCE_GROUPED).withBlobCacheBytes(0),
        SimulatedTime.ticking(),
        PowerCutStoreTest.SMALL);
  }

  @Test
  void sixtyFourThreadsStoreEachBlobOnce() throws Exception {
    SimulatedDisk disk = new SimulatedDisk(0, 1 << 20);
    LocalStore store = open(disk);
    ContextId context = store.createContext().id();
    int rounds = 10;
    CyclicBarrier together = new CyclicBarrier(THREADS);
    List<CompletableFuture<Void>> threads = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      int thread = t;
      CompletableFuture<Void> done = new CompletableFuture<>();
      threads.add(done);
      Thread.ofPlatform()
          .start(
              () -> {
                try {
                  for (int round = 0; round < rounds; round++) {
                    together.await(SECONDS_MAX, TimeUnit.SECONDS);
                    store.put(Furnished.payload(round)); // the same for all
                    store.append(context, Furnished.newTurn(100 + round * 8 + thread % 8));
                  }
                  done.complete(null);
                } catch (Exception | Error e) {
                  done.completeExceptionally(e);
                }
              });
    }
    for (CompletableFuture<Void> thread : threads) {
      thread.get(SECONDS_MAX, TimeUnit.SECONDS);
    }
    int different = rounds + rounds * 8;
    assertThat(store.counts().blobs()).isEqualTo(different);
    assertThat(store.counts().turns()).as("one for each key").isEqualTo(rounds * 8);
    assertThat(store.check().problems()).isEmpty();
    store.close();
    assertThat(Furnished.packOffsets(DiskImage.of(disk).file(BlobPack.FILE))).hasSize(different);
  }

  /// Stops whoever forces the journal until it is let go.
  private static final class StuckDisk extends ForwardingDisk {
    private final CountDownLatch stuck = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile boolean sticks;

    StuckDisk(Disk disk) {
      super(disk);
    }

    @Override
    protected void force(DiskFile file) {
      if (sticks && file.name().startsWith("journal.")) {
        stuck.countDown();
        try {
          if (!released.await(SECONDS_MAX, TimeUnit.SECONDS)) {
            throw new AssertionError("never released");
          }
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
      file.force();
    }
  }

  @Test
  void readersGoOnWhileAForceIsStuckAndSeeNothingOfWhatIsNotForced() throws Exception {
    StuckDisk disk = new StuckDisk(new SimulatedDisk(0, 1 << 20));
    LocalStore store = open(disk);
    ContextId context = store.createContext().id();
    Turn first = store.append(context, Furnished.newTurn(1));
    store.patch(first.id(), Payload.utf8("patched"));
    disk.sticks = true;
    CompletableFuture<Turn> writer = onAThread(() -> store.append(context, Furnished.newTurn(2)));
    assertThat(disk.stuck.await(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
    onAThread(
            () -> {
              assertReads(store, first);
              return first;
            })
        .get(SECONDS_MAX, TimeUnit.SECONDS);
    assertThat(writer).isNotDone();
    disk.released.countDown();
    assertThat(writer.get(SECONDS_MAX, TimeUnit.SECONDS).parent()).isEqualTo(first.id());
    assertThat(store.last(context, 10, View.HEADERS).turns()).hasSize(2);
    store.close();
  }

  private static <T> CompletableFuture<T> onAThread(Supplier<T> work) {
    CompletableFuture<T> done = new CompletableFuture<>();
    Thread.ofPlatform()
        .start(
            () -> {
              try {
                done.complete(work.get());
              } catch (RuntimeException | Error e) {
                done.completeExceptionally(e);
              }
            });
    return done;
  }

  private static void assertReads(LocalStore store, Turn first) {
    ContextId context = first.context();
    BlobHash unforced = Blake3.hash(Furnished.payload(2).bytes());
    assertThat(store.head(context).head()).isEqualTo(first.id());
    assertThat(store.contexts(null, 10)).hasSize(1);
    assertThat(store.turn(first.id(), View.LATEST).payload()).isEqualTo(Payload.utf8("patched"));
    assertThat(store.last(context, 10, View.AS_WRITTEN).turns()).hasSize(1);
    assertThat(store.before(context, first.id(), 10, View.HEADERS).turns()).isEmpty();
    assertThat(store.range(context, 0, 10, View.HEADERS).turns()).hasSize(1);
    List<Turn> path = new ArrayList<>();
    store.replay(first.id(), View.HEADERS, path::add);
    assertThat(path).hasSize(1);
    assertThat(store.ancestor(first.id(), 0)).isEqualTo(first.id());
    assertThat(store.findCommonAncestor(first.id(), first.id())).contains(first.id());
    assertThat(store.findChild(TurnId.NONE, first.payloadHash())).contains(first.id());
    assertThat(store.findChild(first.id(), unforced)).as("durable before visible").isEmpty();
    assertThat(store.has(unforced)).as("durable before visible").isFalse();
    assertThat(store.get(first.payloadHash())).isEqualTo(Furnished.payload(1));
    assertThat(store.overlays(first.id())).hasSize(1);
    assertThat(store.counts().turns()).isEqualTo(1);
    assertThat(store.check().problems()).isEmpty();
  }
}
