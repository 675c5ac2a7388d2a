// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.BulkStore;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Durability;
import dev.varve.ErasePlan;
import dev.varve.EraseRequest;
import dev.varve.Payload;
import dev.varve.ReadProgress;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.StoreOptions;
import dev.varve.contract.AgreedErasure;
import dev.varve.disk.Disk;
import dev.varve.disk.DiskFile;
import dev.varve.disk.ForwardingDisk;
import dev.varve.disk.PowerCut;
import dev.varve.disk.SimulatedDisk;
import dev.varve.journal.Checkpoint;
import dev.varve.sim.ModelCheck;
import dev.varve.sim.RandomOperations;
import dev.varve.sim.SimulatedTime;
import dev.varve.sim.StoreUnderTest;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Erasures on a disk whose power is cut at any operation, also while the next opening completes
/// them: the store is the former one or the new one, and all that was not to go is there.
///
/// A failure names its seed; `-Dsim.seed=N` runs that one alone, `-Dsim.runs=N` more of them.
class ErasurePowerCutTest {

  private static final int[] SPOILT_BYTES = {0, 512, 0, 4096};
  private static final int STEPS_MAX = 60;
  private static final Payload LATER = Payload.utf8("written after the erasure");

  @Test
  void aPowerCutLeavesTheFormerStoreOrTheNewOne() {
    cutPower(false);
  }

  @Test
  void aPowerCutDuringACollectionLeavesTheFormerStoreOrTheNewOne() {
    assertThat(cutPower(true)).as("blobs that were collected").isPositive();
  }

  /// @return how many blobs went in all
  private static long cutPower(boolean collects) {
    long only = Long.getLong("sim.seed", -1);
    int runs = Integer.getInteger("sim.runs", 500);
    LongStream seeds = only >= 0 ? LongStream.of(only) : LongStream.range(0, runs);
    int[] erased = {0};
    long[] gone = {0};
    seeds.forEach(
        seed -> {
          try {
            Trial trial = new Trial(seed, disk -> disk, collects);
            if (trial.run()) {
              erased[0]++;
              gone[0] += trial.went;
            }
          } catch (RuntimeException | Error e) {
            throw new AssertionError("repeat with -Dsim.seed=" + seed + ": " + e.getMessage(), e);
          }
        });
    if (only < 0) {
      assertThat(erased[0]).as("erasures that were decided").isBetween(runs / 5, runs * 4 / 5);
    }
    return gone[0];
  }

  @ParameterizedTest
  @ValueSource(longs = {3, 4, 5})
  void thereIsNoOperationAtWhichTheCutHurts(long seed) {
    long operation = 0;
    Trial trial;
    do {
      operation++;
      trial = new Trial(seed);
      try {
        trial.run(operation);
      } catch (RuntimeException | Error e) {
        throw new AssertionError("cut at operation " + operation + ": " + e.getMessage(), e);
      }
    } while (trial.cut);
    assertThat(operation).as("operations that were cut").isGreaterThan(40);
  }

  @Test
  void aCutWhileContentIsReadmittedCostsNothing() {
    Payload content = Payload.utf8("to be erased and taken back");
    int readmitted = 0;
    boolean cut = true;
    for (long operation = 1; cut; operation++) {
      SimulatedDisk disk = new SimulatedDisk(operation, DiskImage.FILE_CAPACITY_BYTES);
      LocalStore store = History.open(disk);
      Payload kept = Payload.utf8("kept");
      BlobHash keptHash = store.put(kept);
      EraseRequest request = new EraseRequest(Set.of(), Set.of(store.put(content)), List.of());
      AgreedErasure.in(store, request);
      store.close();
      store = History.open(disk);
      disk.cutPowerAfter(operation);
      cut = false;
      try {
        store.readmitAndClose(content);
        disk.cutPowerAfter(Long.MAX_VALUE >> 1);
      } catch (PowerCut e) {
        cut = true;
      }
      LocalStore after = History.open(cut ? disk.cutPower() : disk);
      assertThat(after.check().problems()).isEmpty();
      assertThat(after.get(keptHash)).isEqualTo(kept);
      try {
        after.put(content);
        readmitted++;
      } catch (StoreException.Erased e) {
        assertThat(cut).isTrue();
      }
      after.close();
    }
    assertThat(readmitted).isGreaterThan(2);
  }

  @Test
  void filesThatAreNotForcedAreCaught() {
    int caughtBy = -1;
    for (int seed = 0; seed < 200 && caughtBy < 0; seed++) {
      try {
        new Trial(seed, NoForceOfNewFiles::new, false).run();
      } catch (RuntimeException | AssertionError e) {
        caughtBy = seed;
      }
    }
    assertThat(caughtBy).as("seed that fails").isNotNegative();
  }

  private static final class NoForceOfNewFiles extends ForwardingDisk {
    NoForceOfNewFiles(Disk disk) {
      super(disk);
    }

    @Override
    protected void force(DiskFile file) {
      if (!file.name().endsWith(".erased")) {
        file.force();
      }
    }
  }

  @Test
  void aFullDiskErasesNothing() {
    int refused = 0;
    int wentOn = 0;
    boolean erased = false;
    for (long extra = 500; !erased; extra += 500) {
      Trial trial = new Trial(3);
      erased = trial.runWithRoom(extra);
      refused += erased ? 0 : 1;
      wentOn += !erased && trial.goesOn ? 1 : 0;
    }
    assertThat(refused).as("erasures without room").isGreaterThan(3);
    assertThat(wentOn).as("stores that went on without room").isGreaterThan(3);
  }

  /// One store, one erasure, one cut or several.
  private static final class Trial implements StoreUnderTest {

    private final SplittableRandom random;
    private final long seed;
    private final UnaryOperator<Disk> view;
    private final boolean collects;
    private SimulatedDisk disk;
    private int went;
    private boolean goesOn;
    private InstantSource time = SimulatedTime.standing();
    private boolean cut;
    private Set<BlobHash> names = Set.of();
    private StoreContent before = new StoreContent(Map.of(), Map.of());

    Trial(long seed) {
      this(seed, disk -> disk, false);
    }

    Trial(long seed, UnaryOperator<Disk> view, boolean collects) {
      this.collects = collects;
      this.seed = seed;
      this.view = view;
      this.random = new SplittableRandom(~seed);
      disk = new SimulatedDisk(seed, DiskImage.FILE_CAPACITY_BYTES);
      disk.spoilsWholeSectors(SPOILT_BYTES[(int) (seed % 4)]);
    }

    @Override
    public BulkStore open(StoreLimits limits, InstantSource clock) {
      time = clock;
      return open();
    }

    private LocalStore open() {
      return open(disk);
    }

    private LocalStore open(SimulatedDisk chosen) {
      return LocalStore.open(
          view.apply(chosen),
          StoreOptions.DEFAULTS
              .withDurability(Durability.values()[(int) (seed % 3)])
              .withLimits(RandomOperations.LIMITS)
              .withBlobCacheBytes(0),
          time,
          PowerCutStoreTest.SMALL);
    }

    @Override
    public BulkStore reopen(BulkStore store) {
      store.close();
      return open();
    }

    boolean run() {
      return run(1 + random.nextInt(120));
    }

    /// @return whether there was room for the erasure
    boolean runWithRoom(long extraBytes) {
      LocalStore store = live();
      EraseRequest request = request(store, List.copyOf(names));
      ErasePlan plan = store.erasures().plan(request, ReadProgress.NONE);
      disk.capacityBytes(Long.MAX_VALUE - disk.freeBytes() + extraBytes);
      boolean erased = true;
      goesOn = true;
      try {
        store.erasures().erase(request, plan.digest(), ReadProgress.NONE);
      } catch (StoreException.Full e) {
        erased = false;
        // A checkpoint, or a root, of which it is not known whether it is there.
        goesOn = Stream.of(Checkpoint.FILE, StoreRoot.FILE).noneMatch(e.getMessage()::contains);
      }
      disk.capacityBytes(Long.MAX_VALUE);
      if (goesOn) {
        store.put(LATER);
      }
      store.close();
      Set<BlobHash> going = going(plan);
      assertThat(verify(before, going, open())).isEqualTo(erased);
      return erased;
    }

    /// @return whether the erasure was decided
    boolean run(long cutAfter) {
      LocalStore store = live();
      EraseRequest request = request(store, List.copyOf(names));
      ErasePlan plan = store.erasures().plan(request, ReadProgress.NONE);
      went = plan.going().size();
      boolean answered = eraseUntilTheCut(store, request, plan.digest(), cutAfter);
      boolean decided = verify(before, going(plan), recover());
      assertThat(decided || !answered).as("an answered erasure is decided").isTrue();
      return decided;
    }

    private static Set<BlobHash> going(ErasePlan plan) {
      return plan.going().stream()
          .map(ErasePlan.GoingBlob::hash)
          .collect(Collectors.toCollection(HashSet::new));
    }

    /// A store after some operations, opened again.
    private LocalStore live() {
      ModelCheck check = new ModelCheck(seed, this);
      int steps = 20 + random.nextInt(STEPS_MAX);
      for (int step = 0; step < steps; step++) {
        check.step();
      }
      check.reopen(this);
      check.store().close();
      names =
          PackReader.records(DiskImage.of(disk).file("blobs.pack")).stream()
              .map(PackReader.Stored::hash)
              .collect(Collectors.toSet());
      LocalStore store = open();
      before = StoreContent.of(store, names);
      return store;
    }

    private EraseRequest request(LocalStore store, List<BlobHash> names) {
      if (collects) {
        return EraseRequest.GARBAGE;
      }
      List<ContextHead> heads = store.contextsBelow(null, 20);
      Set<ContextId> contexts = new HashSet<>();
      Set<BlobHash> blobs = new HashSet<>();
      if (!heads.isEmpty() && random.nextBoolean()) {
        contexts.add(heads.get(random.nextInt(heads.size())).id());
      }
      if (!names.isEmpty()) {
        blobs.add(names.get(random.nextInt(names.size())));
      }
      List<Payload> secrets =
          blobs.isEmpty() && contexts.isEmpty()
              ? List.of(Payload.utf8("nobody has this"))
              : List.of();
      return new EraseRequest(contexts, blobs, secrets);
    }

    private boolean eraseUntilTheCut(
        LocalStore store, EraseRequest request, BlobHash digest, long cutAfter) {
      disk.cutPowerAfter(cutAfter);
      boolean answered = false;
      try {
        store.erasures().erase(request, digest, ReadProgress.NONE);
        answered = true;
        disk.cutPowerAfter(Long.MAX_VALUE >> 1);
        store.close();
      } catch (PowerCut e) {
        cut = true;
        PowerCutRun.abandon(store);
        disk = disk.cutPower();
      }
      return answered;
    }

    /// The power may go again while the store completes the erasure.
    private LocalStore recover() {
      CutRecovery recovery = CutRecovery.of(disk, random, 30, this::open);
      disk = recovery.disk();
      return recovery.store();
    }

    private boolean verify(StoreContent before, Set<BlobHash> going, LocalStore store) {
      assertThat(store.check().problems()).isEmpty();
      boolean decided = StoreRoot.read(disk).erasures() > 0;
      StoreContent found = StoreContent.of(store, names);
      StoreContent expected = decided ? before.without(going) : before;
      assertThat(found.facts()).isEqualTo(expected.facts());
      assertThat(found.blobs()).isEqualTo(expected.blobs());
      if (decided && !collects) {
        refusesAll(before, going, store);
      }
      store.put(LATER);
      store.close();
      DiskImage image = DiskImage.of(disk);
      if (decided) {
        PackReader.assertGone(image, going);
        assertThat(hashesOfReceipt(image)).isEqualTo(going);
      }
      assertThat(image.has("erasure-1.json")).isEqualTo(decided);
      assertThat(image.names()).noneMatch(name -> name.endsWith(".erased"));
      LocalStore again = open();
      assertThat(again.check().problems()).isEmpty();
      assertThat(again.counts().blobs()).isEqualTo(expected.blobs().size() + 1L);
      again.close();
      return decided;
    }

    private static Set<BlobHash> hashesOfReceipt(DiskImage image) {
      String receipt = new String(image.file("erasure-1.json"), StandardCharsets.US_ASCII);
      assertThat(receipt).startsWith("{\"store_id\":\"").endsWith("]}\n");
      return Pattern.compile("\"hash\":\"([0-9a-f]{64})\"")
          .matcher(receipt)
          .results()
          .map(match -> BlobHash.parse(match.group(1)))
          .collect(Collectors.toSet());
    }

    private static void refusesAll(StoreContent before, Set<BlobHash> going, LocalStore store) {
      for (BlobHash hash : going) {
        Payload content = before.blobs().get(hash.toString());
        if (content == null) {
          throw new AssertionError("nothing known of " + hash);
        }
        if (content.sizeBytes() <= RandomOperations.LIMITS.payloadBytes()) {
          assertThatThrownBy(() -> store.put(content)).isInstanceOf(StoreException.Erased.class);
        }
        assertThatThrownBy(() -> store.put(new ByteArrayInputStream(content.unsafeArray()), null))
            .isInstanceOf(StoreException.Erased.class);
      }
    }
  }
}
