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
import dev.varve.ErasedBlob;
import dev.varve.IdempotencyKey;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.ReadProgress;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.View;
import dev.varve.contract.AgreedErasure;
import dev.varve.disk.SimulatedDisk;
import dev.varve.hash.Blake3;
import dev.varve.sim.SimulatedTime;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Payloads that a patch or a tombstone hides are garbage, unless something else needs them.
class GarbageTest {

  private final SimulatedDisk disk = new SimulatedDisk(0, 1 << 22);
  private LocalStore store = open();
  private final ContextId context = store.createContext().id();

  private LocalStore open() {
    return LocalStore.open(
        disk, StoreOptions.DEFAULTS, SimulatedTime.standing(), PowerCutStoreTest.SMALL);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static NewTurn turn(String text) {
    return NewTurn.of(Payload.utf8(text), new DeclaredType("note", 1), Encoding.JSON);
  }

  private Turn said(String text) {
    return store.append(context, turn(text));
  }

  private ErasePlan plan() {
    return store.erasures().plan(EraseRequest.GARBAGE, ReadProgress.NONE);
  }

  private EraseReceipt collect() {
    EraseReceipt receipt = AgreedErasure.in(store, EraseRequest.GARBAGE);
    assertThat(store.check().problems()).isEmpty();
    store.close();
    PackReader.assertGone(DiskImage.of(disk), receipt.hashes());
    store = open();
    assertThat(store.check().problems()).isEmpty();
    return receipt;
  }

  private static BlobHash hash(String text) {
    return Blake3.hash(Payload.utf8(text));
  }

  @Test
  void whatPatchesReplacedAndTombstonesHideGoesAndTheNewestViewStays() {
    Turn patched = said("written first");
    store.patch(patched.id(), Payload.utf8("patched once"));
    store.patch(patched.id(), Payload.utf8("patched twice"));
    Turn deleted = said("written and deleted");
    store.patch(deleted.id(), Payload.utf8("patched and deleted"));
    store.tombstone(deleted.id());
    Turn kept = said("neither");

    EraseReceipt receipt = collect();

    assertThat(receipt.hashes())
        .containsExactlyInAnyOrder(
            hash("written first"),
            hash("patched once"),
            hash("written and deleted"),
            hash("patched and deleted"));
    assertThat(receipt.plan().going())
        .allMatch(going -> going.cause() == ErasedBlob.Cause.COLLECTED);
    assertThat(store.turn(patched.id(), View.LATEST).payload())
        .isEqualTo(Payload.utf8("patched twice"));
    assertThat(store.turn(kept.id(), View.AS_WRITTEN).payload()).isEqualTo(Payload.utf8("neither"));
    assertThat(store.turn(patched.id(), View.AS_WRITTEN).tombstone()).isTrue();
    assertThat(store.turn(deleted.id(), View.LATEST).tombstone()).isTrue();
    assertThat(store.last(context, 9, View.AS_WRITTEN).turns()).hasSize(3);
    assertThat(plan().counts().packBytes()).isZero();
  }

  @Test
  void whatSomethingElseNeedsStays() {
    Turn patched = said("said twice");
    store.patch(patched.id(), Payload.utf8("patched"));
    Turn again = said("said twice");
    Turn named = said("named by a manifest");
    BlobHash manifest = store.put(Payload.utf8("{\"of\":\"" + hash("named by a manifest") + "\"}"));
    store.patch(named.id(), Payload.utf8("patched too"));
    ContextId held = store.createContext().id();
    Turn kept = store.append(held, turn("written in a held context"));
    store.tombstone(kept.id());
    store.holds().hold(held, null, "audit");

    ErasePlan plan = plan();

    assertThat(plan.counts().blobs()).isZero();
    assertThat(plan.staying())
        .containsExactlyInAnyOrder(
            new ErasePlan.StayingBlob(hash("said twice"), "turn " + again.id()),
            new ErasePlan.StayingBlob(hash("named by a manifest"), "blob " + manifest),
            new ErasePlan.StayingBlob(
                hash("written in a held context"), "context " + held + ", held (audit)"));
    store.holds().release(held);
    assertThat(plan().going())
        .extracting(ErasePlan.GoingBlob::hash)
        .containsExactly(hash("written in a held context"));
  }

  @Test
  void collectedContentComesBackByItselfAndARetryIsAnsweredAsBefore() {
    NewTurn once = turn("written first").withKey(IdempotencyKey.of("once"));
    Turn patched = store.append(context, once);
    store.patch(patched.id(), Payload.utf8("patched"));
    collect();

    assertThat(store.append(context, once).id()).isEqualTo(patched.id());
    assertThat(store.has(hash("patched"))).isTrue();
    assertThat(store.counts().blobs()).isEqualTo(1);
    assertThat(store.put(Payload.utf8("written first"))).isEqualTo(hash("written first"));
    assertThat(store.counts().blobs()).isEqualTo(2);
    assertThat(store.turn(patched.id(), View.AS_WRITTEN).payload())
        .isEqualTo(Payload.utf8("written first"));
    assertThat(store.check().problems()).isEmpty();
  }

  /// What the plan says is what the disk gets back; also of content that is kept as chunks.
  @Test
  void theSpaceThatWasPlannedComesBack() {
    byte[] large = new byte[200_000];
    new SplittableRandom(1).nextBytes(large);
    Turn patched =
        store.append(
            context, NewTurn.of(Payload.wrap(large), new DeclaredType("note", 1), Encoding.RAW));
    store.patch(patched.id(), Payload.utf8("too large"));
    store.close();
    int before = DiskImage.of(disk).file("blobs.pack").length;
    store = open();
    long planned = plan().counts().packBytes();

    EraseReceipt receipt = collect();
    store.close();
    int after = DiskImage.of(disk).file("blobs.pack").length;
    store = open();

    assertThat(planned).isGreaterThan(199_000);
    assertThat(before - after).isEqualTo((int) planned);
    assertThat(receipt.packBytes().before() - receipt.packBytes().after()).isEqualTo(planned);
  }

  @Test
  void aStoreWithoutGarbageHasNoneAndKeepsItsFormat() {
    said("said");
    assertThat(plan().counts().packBytes()).isZero();
    assertThat(plan().counts().blobs()).isZero();
    assertThat(StoreRoot.read(disk).erasures()).isZero();
  }

  @Test
  void whatBecomesGarbageAfterThePlanIsLeftToTheNextCollection() {
    Turn first = said("written first");
    store.patch(first.id(), Payload.utf8("patched"));
    ErasePlan plan = plan();
    Turn second = said("written second");
    store.patch(second.id(), Payload.utf8("patched too"));

    EraseReceipt receipt =
        store.erasures().erase(EraseRequest.GARBAGE, plan.digest(), ReadProgress.NONE);

    assertThat(receipt.hashes()).containsExactly(hash("written first"));
    assertThat(collect().hashes()).containsExactly(hash("written second"));
    assertThat(store.turn(second.id(), View.LATEST).payload())
        .isEqualTo(Payload.utf8("patched too"));
  }
}
