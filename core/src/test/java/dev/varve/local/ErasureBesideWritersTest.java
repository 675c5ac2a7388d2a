// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Durability;
import dev.varve.Encoding;
import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.ReadProgress;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.chunk.ChunkList;
import dev.varve.chunk.ChunkSizes;
import dev.varve.contract.AgreedErasure;
import dev.varve.disk.Disk;
import dev.varve.disk.DiskFile;
import dev.varve.disk.ForwardingDisk;
import dev.varve.disk.PowerCut;
import dev.varve.disk.SimulatedDisk;
import dev.varve.hash.Blake3;
import dev.varve.sim.SimulatedTime;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Erasures while others write to the store. The others write on the thread of the erasure, between
/// the copying of the pack and the end, so that they would wait for ever if they had to wait.
///
/// A failure with power cuts names its seed; `-Dsim.seed=N` runs that one alone.
class ErasureBesideWritersTest {

  private static final String SECRET = "AKIAIOSFODNN7EXAMPLE";

  /// A disk on which something is done each time that a copied part of a pack was forced.
  private static final class BusyDisk extends ForwardingDisk {
    private Runnable work = () -> {};
    private int times;

    BusyDisk(Disk disk) {
      super(disk);
    }

    void doDuringCopying(int howOften, Runnable what) {
      times = howOften;
      work = what;
    }

    @Override
    protected void force(DiskFile file) {
      file.force();
      if (file.name().equals("blobs.pack.erased") && times > 0) {
        times--;
        assertThat(Thread.currentThread().getStackTrace())
            .as("an erasure that lets others write")
            .noneMatch(frame -> frame.getMethodName().equals("alone"));
        work.run();
      }
    }
  }

  private final SimulatedDisk simulated = new SimulatedDisk(0, 1 << 26);
  private final BusyDisk disk = new BusyDisk(simulated);
  private LocalStore store = open(disk);
  private final ContextId context = store.createContext().id();

  private static LocalStore open(Disk on) {
    return open(on, Durability.FORCE_GROUPED);
  }

  private static LocalStore open(Disk on, Durability durability) {
    return LocalStore.open(
        on,
        StoreOptions.DEFAULTS.withDurability(durability),
        SimulatedTime.standing(),
        PowerCutStoreTest.SMALL);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static NewTurn turn(Payload payload) {
    return NewTurn.of(payload, new DeclaredType("note", 1), Encoding.RAW);
  }

  private Turn said(String text) {
    return store.append(context, turn(Payload.utf8(text)));
  }

  private static Payload noise(int sizeBytes, long seed) {
    byte[] bytes = new byte[sizeBytes];
    new SplittableRandom(seed).nextBytes(bytes);
    return Payload.wrap(bytes);
  }

  private static EraseRequest blobs(BlobHash... blobs) {
    return new EraseRequest(Set.of(), Set.of(blobs), List.of());
  }

  private static EraseRequest contexts(ContextId... contexts) {
    return new EraseRequest(Set.of(contexts), Set.of(), List.of());
  }

  private EraseReceipt erase(EraseRequest request, Runnable meanwhile) {
    disk.doDuringCopying(1, meanwhile);
    EraseReceipt receipt = AgreedErasure.in(store, request);
    assertThat(store.check().problems()).isEmpty();
    store.close();
    PackReader.assertGone(DiskImage.of(simulated), receipt.hashes());
    store = open(disk);
    assertThat(store.check().problems()).isEmpty();
    return receipt;
  }

  private void assertRefused(EraseRequest request, Runnable meanwhile) {
    disk.doDuringCopying(1, meanwhile);
    assertThatThrownBy(() -> AgreedErasure.in(store, request))
        .isInstanceOf(StoreException.Conflict.class);
    assertThat(StoreRoot.read(disk).erasures()).isZero();
    assertThat(disk.names()).noneMatch(name -> name.endsWith(".erased"));
    assertThat(store.check().problems()).isEmpty();
    said("goes on");
  }

  @Test
  void whatIsWrittenMeanwhileIsThereAndWhatWasToGoIsGone() throws IOException {
    Turn gone = said("to be erased");
    Turn kept = said("kept");
    List<Turn> later = new ArrayList<>();
    byte[] large = noise(300_000, 1).bytes();

    EraseReceipt receipt =
        erase(
            blobs(gone.payloadHash()),
            () -> {
              later.add(said("said meanwhile"));
              store.patch(kept.id(), Payload.utf8("patched meanwhile"));
              later.add(store.append(store.createContext().id(), turn(noise(50_000, 2))));
            });
    BlobHash streamed = store.put(new ByteArrayInputStream(large), null);

    assertThat(receipt.hashes()).containsExactly(gone.payloadHash());
    assertThat(store.turn(gone.id(), View.LATEST).tombstone()).isTrue();
    assertThat(store.turn(kept.id(), View.LATEST).payload())
        .isEqualTo(Payload.utf8("patched meanwhile"));
    assertThat(store.turn(later.getFirst().id(), View.LATEST).payload())
        .isEqualTo(Payload.utf8("said meanwhile"));
    assertThat(store.turn(later.getLast().id(), View.LATEST).payload()).isEqualTo(noise(50_000, 2));
    assertThat(store.read(streamed).readAllBytes()).isEqualTo(large);
    assertThat(receipt.packBytes().before() - receipt.packBytes().after())
        .isEqualTo(receipt.plan().counts().packBytes());
  }

  /// What is much is copied in rounds, so that the last round is short.
  @Test
  void whoWritesMuchWritesOn() {
    Turn gone = said("to be erased");
    Map<TurnId, Payload> later = new HashMap<>();
    disk.doDuringCopying(
        3,
        () -> {
          for (int i = 0; i < 6; i++) {
            Payload payload = noise(1_000_000, later.size());
            later.put(store.append(context, turn(payload)).id(), payload);
          }
        });
    AgreedErasure.in(store, blobs(gone.payloadHash()));

    assertThat(later).hasSize(18);
    store.close();
    store = open(disk);
    later.forEach(
        (id, payload) -> assertThat(store.turn(id, View.LATEST).payload()).isEqualTo(payload));
    assertThat(store.check().problems()).isEmpty();
  }

  @Test
  void whatSomebodyBeginsToNeedStaysAndThePlanIsRefused() throws IOException {
    Turn first = said("once more");
    store.patch(first.id(), Payload.utf8("patched"));
    assertRefused(EraseRequest.GARBAGE, () -> said("once more"));
    assertThat(store.turn(first.id(), View.AS_WRITTEN).payload())
        .isEqualTo(Payload.utf8("once more"));

    ContextId other = store.createContext().id();
    BlobHash needed = store.append(other, turn(Payload.utf8("needed"))).payloadHash();
    assertRefused(contexts(other), () -> store.patch(first.id(), Payload.utf8("needed")));
    BlobHash about = store.append(other, turn(Payload.utf8("about"))).payloadHash();
    assertRefused(contexts(other), () -> store.describe(context, about));
    BlobHash root = store.append(other, turn(Payload.utf8("root"))).payloadHash();
    assertRefused(contexts(other), () -> store.attachFsRoot(first.id(), root));
    BlobHash tree = store.append(other, turn(Payload.utf8("tree"))).payloadHash();
    assertRefused(
        contexts(other),
        () -> store.append(context, turn(Payload.utf8("with tree")).withFsRoot(tree)));
    BlobHash named = store.append(other, turn(Payload.utf8("named"))).payloadHash();
    assertRefused(contexts(other), () -> store.put(Payload.utf8("{\"of\":\"" + named + "\"}")));
    byte[] large = noise(200_000, 3).bytes();
    store.append(other, turn(Payload.wrap(large)));
    assertRefused(contexts(other), () -> putAgain(large));
    for (BlobHash blob : List.of(needed, about, root, tree, named)) {
      assertThat(store.has(blob)).isTrue();
    }
  }

  /// Puts a large blob that shares all chunks but the last with another.
  private void putAgain(byte[] large) {
    put(Arrays.copyOf(large, large.length + 1));
  }

  @Test
  void aNameAcrossTheChunksOfALaterBlobIsNoticed() {
    ByteArrayOutputStream names = new ByteArrayOutputStream();
    for (int i = 0; i < 8_000; i++) {
      names.writeBytes(Blake3.hash(Payload.utf8("text " + i)).bytes());
    }
    int across = firstChunkBytes(names.toByteArray()) / BlobHash.SIZE_BYTES;
    ContextId other = store.createContext().id();
    store.append(other, turn(Payload.utf8("text " + across)));

    assertRefused(contexts(other), () -> put(names.toByteArray()));
  }

  /// Where a blob is cut first; a name lies across the place.
  private static int firstChunkBytes(byte[] blob) {
    try (LocalStore scratch = open(new SimulatedDisk(1, 1 << 26))) {
      BlobHash hash = scratch.put(new ByteArrayInputStream(blob), null);
      ChunkSizes sizes = PowerCutStoreTest.SMALL.chunks();
      ChunkList root =
          ChunkList.root(scratch.findChunkList(hash).orElseThrow().unsafeArray(), sizes);
      int cut = (int) ChunkList.chunks(scratch.get(root.hash(0)).unsafeArray(), sizes).length(0);
      assertThat(cut % BlobHash.SIZE_BYTES).isNotZero();
      return cut;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void put(byte[] large) {
    try {
      store.put(new ByteArrayInputStream(large), null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aCopyThatWouldFillTheDiskIsNotBegun() {
    Turn gone = said("to be erased");
    put(noise(2_500_000, 4).bytes());
    disk.doDuringCopying(1, () -> fail("a copy has begun"));
    simulated.capacityBytes(Long.MAX_VALUE - simulated.freeBytes() + 1_800_000);

    assertThatThrownBy(() -> AgreedErasure.in(store, blobs(gone.payloadHash())))
        .isInstanceOf(StoreException.Full.class);

    assertThat(disk.names()).noneMatch(name -> name.endsWith(".erased"));
    said("goes on");
  }

  @Test
  void aBlobThatGoesForAllGoesAlsoFromATurnThatCameMeanwhile() {
    Turn first = said("to be erased");
    List<Turn> later = new ArrayList<>();

    erase(blobs(first.payloadHash()), () -> later.add(said("to be erased")));

    assertThat(store.turn(later.getFirst().id(), View.LATEST).tombstone()).isTrue();
  }

  @Test
  void aSecretThatIsWrittenMeanwhileIsNotMissed() {
    said("the key is " + SECRET);
    EraseRequest secret = new EraseRequest(Set.of(), Set.of(), List.of(Payload.utf8(SECRET)));
    assertRefused(secret, () -> said("again the key is " + SECRET));
    assertRefused(secret, () -> said("{\"key\":\"" + "QUtJQUlPU0ZPRE5ON0VYQU1QTEU=" + "\"}"));
    erase(secret, () -> said("no key"));
  }

  @Test
  void aHoldThatIsPlacedMeanwhileIsInTheWay() {
    said("held");
    assertRefused(contexts(context), () -> store.holds().hold(context, null, "just in time"));
    assertThatThrownBy(() -> AgreedErasure.in(store, contexts(context)))
        .hasMessageContaining("just in time");
  }

  @Test
  void turnsAndForksThatComeLaterAreNotErased() {
    Turn first = said("erased");
    List<Turn> later = new ArrayList<>();
    List<ContextHead> forks = new ArrayList<>();

    erase(
        contexts(context),
        () -> {
          forks.add(store.fork(first.id()));
          later.add(said("said later"));
        });

    assertThat(store.turn(later.getFirst().id(), View.LATEST).payload())
        .isEqualTo(Payload.utf8("said later"));
    assertThat(store.last(forks.getFirst().id(), 9, View.LATEST).turns())
        .singleElement()
        .matches(Turn::tombstone);
  }

  @Test
  void aClosingBreaksTheErasureOff() throws InterruptedException {
    Turn first = said("to be erased");
    Thread closing = new Thread(store::close);
    disk.doDuringCopying(
        1,
        () -> {
          for (int i = 0; i < 40; i++) {
            store.append(context, turn(noise(500_000, i)));
          }
          closing.start();
          while (closing.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
          }
        });
    assertThatThrownBy(() -> AgreedErasure.in(store, blobs(first.payloadHash())))
        .isInstanceOf(StoreException.Closed.class);
    closing.join();
    assertThat(disk.names()).noneMatch(name -> name.endsWith(".erased"));
    store = open(disk);
    assertThat(store.turn(first.id(), View.LATEST).payload())
        .isEqualTo(Payload.utf8("to be erased"));
    assertThat(store.counts().turns()).isEqualTo(41);
  }

  @Test
  void aPowerCutLosesNothingThatWasWrittenMeanwhile() {
    long only = Long.getLong("sim.seed", -1);
    int runs = Integer.getInteger("sim.runs", 500);
    LongStream seeds = only >= 0 ? LongStream.of(only) : LongStream.range(0, runs);
    int[] decided = {0};
    int[] written = {0};
    seeds.forEach(
        seed -> {
          try {
            CutTrial trial = new CutTrial(seed);
            decided[0] += trial.run() ? 1 : 0;
            written[0] += trial.acknowledged.size() - trial.before > 0 ? 1 : 0;
          } catch (RuntimeException | Error e) {
            throw new AssertionError("repeat with -Dsim.seed=" + seed + ": " + e.getMessage(), e);
          }
        });
    if (only < 0) {
      assertThat(decided[0]).as("erasures that were decided").isBetween(runs / 9, runs);
      assertThat(written[0]).as("runs with changes beside").isGreaterThan(runs / 5);
    }
  }

  /// One erasure, beside which turns are written until the power goes.
  private static final class CutTrial {
    private final SplittableRandom random;
    private final SimulatedDisk cutDisk;
    private final Durability durability;
    private final Map<TurnId, Payload> acknowledged = new HashMap<>();
    private final Set<BlobHash> garbage = new HashSet<>();
    private int before;

    CutTrial(long seed) {
      random = new SplittableRandom(~seed);
      cutDisk = new SimulatedDisk(seed, DiskImage.FILE_CAPACITY_BYTES);
      durability = seed % 2 == 0 ? Durability.FORCE_EACH : Durability.FORCE_GROUPED;
    }

    private void write(LocalStore store, ContextId context) {
      Payload payload = noise(1 + random.nextInt(2_000), random.nextLong());
      acknowledged.put(store.append(context, turn(payload)).id(), payload);
    }

    /// @return whether the erasure was decided
    boolean run() {
      BusyDisk busy = new BusyDisk(cutDisk);
      LocalStore store = open(busy, durability);
      ContextId context = store.createContext().id();
      for (int i = 0; i < 1 + random.nextInt(8); i++) {
        Turn patched = store.append(context, turn(noise(800, random.nextLong())));
        store.patch(patched.id(), Payload.utf8("patched " + i));
        garbage.add(patched.payloadHash());
        write(store, context);
      }
      before = acknowledged.size();
      BlobHash digest = store.erasures().plan(EraseRequest.GARBAGE, ReadProgress.NONE).digest();
      busy.doDuringCopying(
          1,
          () -> {
            for (int i = random.nextInt(12); i >= 0; i--) {
              write(store, context);
            }
          });
      cutDisk.cutPowerAfter(1 + random.nextInt(200));
      SimulatedDisk after = cutDisk;
      boolean answered = false;
      try {
        store.erasures().erase(EraseRequest.GARBAGE, digest, ReadProgress.NONE);
        answered = true;
        write(store, context);
        cutDisk.cutPowerAfter(Long.MAX_VALUE >> 1);
        store.close();
      } catch (PowerCut e) {
        PowerCutRun.abandon(store);
        after = cutDisk.cutPower();
      }
      CutRecovery recovery = CutRecovery.of(after, random, 30, again -> open(again, durability));
      boolean decided = StoreRoot.read(recovery.disk()).erasures() > 0;
      assertThat(decided || !answered).as("an answered erasure is decided").isTrue();
      try (LocalStore recovered = recovery.store()) {
        assertThat(recovered.check().problems()).isEmpty();
        acknowledged.forEach(
            (id, payload) ->
                assertThat(recovered.turn(id, View.LATEST).payload()).isEqualTo(payload));
        for (BlobHash blob : garbage) {
          assertThat(recovered.has(blob)).isEqualTo(!decided);
        }
      }
      assertThat(recovery.disk().names()).noneMatch(name -> name.endsWith(".erased"));
      return decided;
    }
  }
}
