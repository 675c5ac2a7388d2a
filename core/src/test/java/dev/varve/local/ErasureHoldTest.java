// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.CheckReport;
import dev.varve.ContextHold;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.ErasePlan;
import dev.varve.EraseRequest;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.ReadProgress;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.contract.AgreedErasure;
import dev.varve.disk.Disk;
import dev.varve.disk.ForwardingDisk;
import dev.varve.disk.PowerCut;
import dev.varve.disk.SimulatedDisk;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Holds: what a held context needs is in the way of every erasure.
class ErasureHoldTest {

  private static final Instant START = Instant.parse("2026-11-29T12:00:00Z");
  private static final Instant END = START.plus(Duration.ofDays(30));
  private static final String SECRET = "AKIAIOSFODNN7EXAMPLE";

  private final SimulatedDisk disk = new SimulatedDisk(0, 1 << 22);
  private Instant now = START;
  private LocalStore store = open(disk);

  private LocalStore open(SimulatedDisk from) {
    InstantSource clock = () -> now;
    return LocalStore.open(from, StoreOptions.DEFAULTS, clock, PowerCutStoreTest.SMALL);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static EraseRequest contexts(ContextId... contexts) {
    return new EraseRequest(Set.of(contexts), Set.of(), List.of());
  }

  private static EraseRequest secret() {
    return new EraseRequest(Set.of(), Set.of(), List.of(Payload.utf8(SECRET)));
  }

  private ContextId context() {
    return store.createContext().id();
  }

  private Turn said(ContextId context, String text) {
    return store.append(
        context, NewTurn.of(Payload.utf8(text), new DeclaredType("note", 1), Encoding.JSON));
  }

  private ErasePlan plan(EraseRequest request) {
    return store.erasures().plan(request, ReadProgress.NONE);
  }

  private void assertRefused(EraseRequest request, ContextHold hold) {
    assertThatThrownBy(() -> plan(request))
        .isInstanceOf(StoreException.Conflict.class)
        .hasMessageContaining(hold.words());
  }

  @Test
  void aHeldContextIsRefusedByWhateverChoiceNeedsIt() {
    ContextId held = context();
    Turn turn = said(held, "the key is " + SECRET);
    ContextId other = context();
    said(other, "unheld, the key is " + SECRET);
    ContextHold hold = store.holds().hold(held, END, "audit");
    assertThat(hold.words()).isEqualTo("context 1, held until " + END + " (audit)");

    assertRefused(contexts(held), hold);
    assertRefused(contexts(held, other), hold);
    assertRefused(new EraseRequest(Set.of(), Set.of(turn.payloadHash()), List.of()), hold);
    assertRefused(secret(), hold);
    store.close();
    store = open(disk);
    assertRefused(contexts(held), hold);
    assertThat(plan(contexts(other)).counts().blobs()).isEqualTo(1);
  }

  @Test
  void whatIsHeldIsLeftOnDemandAndTheRestIsErased() {
    ContextId held = context();
    Turn kept = said(held, "held, the key is " + SECRET);
    ContextId other = context();
    Turn gone = said(other, "unheld, the key is " + SECRET);
    ContextHold hold = store.holds().hold(held, null, "");

    ErasePlan plan = plan(secret().leavingHeld());
    assertThat(plan.staying())
        .containsExactly(new ErasePlan.StayingBlob(kept.payloadHash(), hold.words()));
    AgreedErasure.in(store, secret().leavingHeld());

    assertThat(store.has(kept.payloadHash())).isTrue();
    assertThat(store.has(gone.payloadHash())).isFalse();
    assertThat(store.holds().all()).containsExactly(hold);
    assertThat(plan(contexts(held).leavingHeld()).counts().blobs()).isZero();
  }

  @Test
  void releasingWhereNothingIsHeldIsNoHoldThatWasPlaced() {
    ContextId free = context();
    said(free, SECRET);

    assertThat(store.holds().release(free)).isEmpty();
    store.close();
    store = open(disk);

    assertThat(store.holds().all()).isEmpty();
    assertThat(plan(secret()).going()).hasSize(1);
  }

  /// A turn names a manifest, the manifest names a piece: neither goes.
  @Test
  void whatIsNamedThroughOtherBlobsIsHeldToo() {
    BlobHash piece = store.put(Payload.utf8("a piece that is named, " + SECRET));
    BlobHash manifest = store.put(Payload.utf8("{\"pieces\":[\"" + piece + "\"]}"));
    ContextId held = context();
    said(held, "{\"manifest\":\"" + manifest + "\"}");
    ContextHold hold = store.holds().hold(held, END, "");

    assertRefused(secret(), hold);
    assertRefused(new EraseRequest(Set.of(), Set.of(piece), List.of()), hold);
    assertRefused(new EraseRequest(Set.of(), Set.of(manifest), List.of()), hold);
    store.holds().release(held);
    assertThat(plan(secret()).going()).extracting(ErasePlan.GoingBlob::hash).containsExactly(piece);
  }

  @Test
  void patchesDescriptionsAndTheBaseOfAForkAreHeld() {
    ContextId origin = context();
    Turn shared = said(origin, "shared by a fork");
    Turn behind = said(origin, "behind the fork");
    ContextId held = store.fork(shared.id()).id();
    store.describe(held, store.put(Payload.utf8("a description")));
    Turn own = said(held, "in the fork");
    store.patch(own.id(), Payload.utf8("patched in the fork"));
    ContextHold hold = store.holds().hold(held, END, "");

    Set<BlobHash> blobs =
        List.of("shared by a fork", "a description", "in the fork", "patched in the fork").stream()
            .map(text -> store.put(Payload.utf8(text)))
            .collect(Collectors.toSet());
    for (BlobHash blob : blobs) {
      assertRefused(new EraseRequest(Set.of(), Set.of(blob), List.of()), hold);
    }
    assertThat(plan(contexts(origin)).going())
        .extracting(ErasePlan.GoingBlob::hash)
        .containsExactly(behind.payloadHash());
  }

  @Test
  void aHoldEndsWithItsTimeAndBlobsOfManyHoldsAreHeld() {
    ContextId held = context();
    said(held, "said once");
    ContextHold hold = store.holds().hold(held, END, "");
    now = END.minusMillis(1);
    assertRefused(contexts(held), hold);
    now = END;
    assertThat(plan(contexts(held)).counts().blobs()).isEqualTo(1);
    assertThat(store.holds().all()).containsExactly(hold);

    for (int i = 0; i < 20; i++) {
      store.holds().hold(context(), null, "");
    }
    Turn last = said(new ContextId(21), "said in the last");
    assertThatThrownBy(
            () -> plan(new EraseRequest(Set.of(), Set.of(last.payloadHash()), List.of())))
        .isInstanceOf(StoreException.Conflict.class)
        .hasMessageContaining("one of 20 holds");
  }

  @Test
  void aHoldThatIsPlacedAfterThePlanIsInTheWay() {
    ContextId context = context();
    said(context, "to be erased");
    ErasePlan plan = plan(contexts(context));
    store.holds().hold(context, END, "just in time");

    assertThatThrownBy(
            () -> store.erasures().erase(contexts(context), plan.digest(), ReadProgress.NONE))
        .isInstanceOf(StoreException.Conflict.class)
        .hasMessageContaining("just in time");
    assertThat(StoreRoot.read(disk).erasures()).isZero();
  }

  @Test
  void aPowerCutLeavesTheFormerHoldsOrTheNewOnes() {
    boolean cut = true;
    int placed = 0;
    long operation = 0;
    while (cut) {
      operation++;
      SimulatedDisk trial = new SimulatedDisk(operation, DiskImage.FILE_CAPACITY_BYTES);
      LocalStore open = open(trial);
      ContextId first = open.createContext().id();
      ContextId second = open.createContext().id();
      ContextHold former = open.holds().hold(first, END, "former");
      trial.cutPowerAfter(operation);
      cut = false;
      try {
        open.holds().hold(second, null, "new");
        trial.cutPowerAfter(Long.MAX_VALUE >> 1);
        open.close();
      } catch (PowerCut e) {
        cut = true;
      }
      SimulatedDisk after = cut ? trial.cutPower() : trial;
      try (LocalStore again = open(after)) {
        List<ContextHold> holds = again.holds().all();
        assertThat(holds).startsWith(former).hasSizeBetween(cut ? 1 : 2, 2);
        placed += holds.size() - 1;
        assertThat(after.names()).doesNotContain("holds.tbl.new");
        assertThat(again.check().problems()).isEmpty();
      }
    }
    assertThat(operation).isGreaterThan(4);
    assertThat(placed).isGreaterThan(1);
  }

  @Test
  void aBackupHasTheHolds() {
    ContextId held = context();
    SimulatedDisk target = new SimulatedDisk(1, 1 << 22);
    for (String reason : List.of("first", "second")) {
      ContextHold hold = store.holds().hold(held, END, reason);
      try (StoreBackup backup = StoreBackup.begin(disk, store.backupPoint(), target)) {
        backup.run(false, ReadProgress.NONE);
      }
      try (LocalStore copy =
          LocalStore.open(
              DiskImage.of(target).disk(),
              StoreOptions.DEFAULTS,
              () -> now,
              PowerCutStoreTest.SMALL)) {
        assertThat(copy.holds().all()).containsExactly(hold);
      }
    }
  }

  @Test
  void withDamagedHoldsNothingIsErased() {
    ContextId held = context();
    Turn turn = said(held, "held");
    store.holds().hold(held, END, "");
    store.close();
    for (int at = 0; at < 64 + 256; at += 5) {
      SimulatedDisk damaged = DiskImage.of(disk).withFlip("holds.tbl", at).disk();
      assertNothingIsErased(damaged, held, turn);
    }
  }

  private void assertNothingIsErased(SimulatedDisk damaged, ContextId held, Turn turn) {
    try (LocalStore other = open(damaged)) {
      assertThat(other.get(turn.payloadHash())).isEqualTo(Payload.utf8("held"));
      other.put(Payload.utf8("goes on"));
      assertThat(other.check().problems()).isNotEmpty();
      assertThatThrownBy(() -> other.erasures().plan(contexts(held), ReadProgress.NONE))
          .isInstanceOf(StoreException.Corrupt.class);
      assertThatThrownBy(() -> other.holds().hold(held, END, ""))
          .isInstanceOf(StoreException.Corrupt.class);
    }
  }

  @Test
  void withoutTheTableOfHoldsNothingIsErased() {
    ContextId held = context();
    Turn turn = said(held, "held");
    ContextId other = context();
    said(other, "erased meanwhile");
    store.holds().hold(held, END, "");
    AgreedErasure.in(store, contexts(other));
    store.close();

    assertNothingIsErased(DiskImage.of(disk).without("holds.tbl").disk(), held, turn);
  }

  @Test
  void aPowerCutWhileTheFirstHoldIsPlacedLeavesNoDamage() {
    boolean cut = true;
    for (long operation = 1; cut; operation++) {
      SimulatedDisk trial = new SimulatedDisk(operation, DiskImage.FILE_CAPACITY_BYTES);
      LocalStore open = open(trial);
      ContextId first = open.createContext().id();
      trial.cutPowerAfter(operation);
      cut = false;
      try {
        open.holds().hold(first, END, "the first");
        trial.cutPowerAfter(Long.MAX_VALUE >> 1);
        open.close();
      } catch (PowerCut e) {
        cut = true;
      }
      try (LocalStore again = open(cut ? trial.cutPower() : trial)) {
        assertThat(again.holds().all()).hasSizeBetween(cut ? 0 : 1, 1);
        assertThat(again.check().problems()).isEmpty();
      }
    }
  }

  @Test
  void aBackupKeepsItsHoldsWhenTheStoreHasLostThem() {
    ContextId held = context();
    SimulatedDisk target = new SimulatedDisk(1, 1 << 22);
    ContextHold hold = store.holds().hold(held, END, "");
    try (StoreBackup backup = StoreBackup.begin(disk, store.backupPoint(), target)) {
      assertThat(backup.run(false, ReadProgress.NONE).sound()).isTrue();
    }
    store.close();
    SimulatedDisk lost = DiskImage.of(disk).without("holds.tbl").disk();
    try (LocalStore other = open(lost);
        StoreBackup backup = StoreBackup.begin(lost, other.backupPoint(), target)) {
      assertThat(backup.run(false, ReadProgress.NONE).problems())
          .extracting(CheckReport.Problem::file)
          .containsExactly("holds.tbl");
    }
    try (LocalStore copy = open(target)) {
      assertThat(copy.holds().all()).containsExactly(hold);
    }
  }

  @Test
  void anErasureAtTheEndOfABackupLeavesTheBackupAsItWas() {
    ContextId other = context();
    Turn gone = said(other, "erased while the backup ends");
    boolean[] erased = {false};
    Disk source =
        new ForwardingDisk(disk) {
          @Override
          public boolean exists(String name) {
            if (name.equals("holds.tbl") && !erased[0]) {
              erased[0] = true;
              AgreedErasure.in(store, contexts(other));
            }
            return super.exists(name);
          }
        };
    SimulatedDisk target = new SimulatedDisk(1, 1 << 22);
    try (StoreBackup backup = StoreBackup.begin(source, store.backupPoint(), target)) {
      backup.run(false, ReadProgress.NONE);
    }
    assertThat(erased[0]).isTrue();
    assertThat(StoreRoot.read(disk).erasures()).isEqualTo(1);
    assertThat(StoreRoot.read(target).erasures()).isZero();
    try (LocalStore copy = open(target)) {
      assertThat(copy.check().problems()).isEmpty();
      assertThat(copy.get(gone.payloadHash()))
          .isEqualTo(Payload.utf8("erased while the backup ends"));
    }
  }
}
