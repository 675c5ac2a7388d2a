// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.ErasePlan;
import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.Payload;
import dev.varve.ReadProgress;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.disk.SimulatedDisk;
import dev.varve.hash.Blake3;
import dev.varve.sim.SimulatedTime;
import dev.varve.tree.Tree;
import dev.varve.tree.TreeEntry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What an erasure takes, what it leaves, and what refuses it.
final class ErasureTest extends ErasureTrial {

  @Test
  void anErasedContextKeepsItsTurnsAsTombstones() {
    ContextId context = store.createContext(TurnId.NONE, store.put(Payload.utf8("its title"))).id();
    Turn first = store.append(context, turn("the first thing said"));
    Turn second = store.append(context, turn("the second thing said"));
    ContextId other = store.createContext().id();
    Turn elsewhere = store.append(other, turn("said elsewhere"));

    EraseReceipt receipt = erase(contexts(context));

    assertThat(receipt.hashes()).hasSize(3);
    assertThat(receipt.plan().turns()).containsExactly(first.id(), second.id());
    PackReader.assertNowhere(DiskImage.of(disk), "thing said".getBytes(StandardCharsets.UTF_8));
    for (View view : List.of(View.LATEST, View.AS_WRITTEN)) {
      List<Turn> turns = store.last(context, 10, view).turns();
      assertThat(turns).extracting(Turn::id).containsExactly(first.id(), second.id());
      assertThat(turns).allMatch(Turn::tombstone).allMatch(turn -> turn.payload() == null);
      assertThat(turns).extracting(Turn::createdAt).doesNotContainNull();
      assertThat(turns).extracting(Turn::parent).containsExactly(TurnId.NONE, first.id());
    }
    assertThat(store.turn(elsewhere.id(), View.LATEST).payload())
        .isEqualTo(Payload.utf8("said elsewhere"));
    assertThat(store.append(context, turn("goes on")).parent()).isEqualTo(second.id());
    assertThat(store.createContext().id().value()).isGreaterThan(other.value());
  }

  @Test
  void aForkKeepsWhatItShares() {
    ContextId context = store.createContext().id();
    Turn shared = store.append(context, turn("said before the fork"));
    Turn own = store.append(context, turn("said behind the fork"));
    ContextId fork = store.fork(shared.id()).id();
    store.append(fork, turn("said in the fork"));

    ErasePlan plan = plan(contexts(context));
    erase(contexts(context));

    assertThat(plan.turns()).containsExactly(own.id());
    assertThat(store.last(fork, 10, View.LATEST).turns()).noneMatch(Turn::tombstone).hasSize(2);
    assertThat(store.turn(own.id(), View.LATEST).tombstone()).isTrue();
  }

  @Test
  void aPayloadThatAnotherContextHasStaysAndThePlanSaysWhy() {
    ContextId context = store.createContext().id();
    ContextId other = store.createContext().id();
    store.append(context, turn("said twice"));
    Turn second = store.append(other, turn("said twice"));

    ErasePlan plan = plan(contexts(context));

    assertThat(plan.counts().blobs()).isZero();
    assertThat(plan.staying())
        .containsExactly(new ErasePlan.StayingBlob(second.payloadHash(), "turn " + second.id()));
  }

  @Test
  void aBlobThatAnotherBlobNamesStays() {
    ContextId context = store.createContext().id();
    Turn named = store.append(context, turn("named by a manifest"));
    BlobHash manifest = store.put(Payload.utf8("{\"hash\":\"" + named.payloadHash() + "\"}"));

    ErasePlan plan = plan(contexts(context));

    assertThat(plan.counts().blobs()).isZero();
    assertThat(plan.staying())
        .containsExactly(new ErasePlan.StayingBlob(named.payloadHash(), "blob " + manifest));
    erase(new EraseRequest(Set.of(context), Set.of(manifest), List.of()));
    assertThat(store.has(named.payloadHash())).isFalse();
  }

  @Test
  void patchesAndFileTreesGoWithTheirTurnAndSharedFilesStay() {
    BlobHash kept = store.put(Payload.utf8("a file that another tree has"));
    BlobHash own = store.put(Payload.utf8("a file of this tree alone"));
    Tree inner = new Tree(List.of(new TreeEntry("own.txt", TreeEntry.Kind.FILE, 0644, 25, own)));
    BlobHash folder = store.put(inner.payload());
    Tree root =
        new Tree(
            List.of(
                new TreeEntry("kept.txt", TreeEntry.Kind.FILE, 0644, 28, kept),
                new TreeEntry("folder", TreeEntry.Kind.DIRECTORY, 0755, 0, folder)));
    Tree other = new Tree(List.of(new TreeEntry("kept.txt", TreeEntry.Kind.FILE, 0644, 28, kept)));
    ContextId context = store.createContext().id();
    Turn turn = store.append(context, turn("has a tree"));
    store.attachFsRoot(turn.id(), store.put(root.payload()));
    store.patch(turn.id(), Payload.utf8("says something else"));
    Turn elsewhere = store.append(store.createContext().id(), turn("has another tree"));
    store.attachFsRoot(elsewhere.id(), store.put(other.payload()));

    EraseReceipt receipt = erase(contexts(context));

    assertThat(receipt.hashes())
        .containsExactlyInAnyOrder(
            turn.payloadHash(),
            Blake3.hash(Payload.utf8("says something else")),
            root.hash(),
            folder,
            own);
    assertThat(store.has(kept)).isTrue();
    assertThat(store.turn(turn.id(), View.LATEST).payloadSizeBytes()).isEqualTo(19);
  }

  @Test
  void ofALargeBlobThePiecesGoThatNobodyElseNeeds() throws IOException {
    byte[] first = noise(300_000, 1);
    byte[] second = first.clone();
    second[250_000] ^= 1;
    BlobHash erased = putStream(first);
    BlobHash kept = putStream(second);

    EraseReceipt receipt = erase(blobs(erased));

    assertThat(store.read(kept).readAllBytes()).isEqualTo(second);
    assertThat(receipt.hashes().size()).isBetween(3, 6);
    assertThatThrownBy(() -> putStream(first)).isInstanceOf(StoreException.Erased.class);
    assertThat(store.read(putStream(noise(100_000, 7))).readAllBytes()).hasSize(100_000);
  }

  @Test
  void aRunOfErasuresRemembersAllNames() {
    BlobHash one = store.put(Payload.utf8("the first to go"));
    BlobHash two = store.put(Payload.utf8("the second to go"));
    assertThat(erase(blobs(one)).run()).isEqualTo(1);
    assertThat(erase(blobs(two)).run()).isEqualTo(2);

    assertThatThrownBy(() -> store.put(Payload.utf8("the first to go")))
        .isInstanceOf(StoreException.Erased.class);
    assertThatThrownBy(() -> store.put(Payload.utf8("the second to go")))
        .isInstanceOf(StoreException.Erased.class);
    assertThatThrownBy(() -> plan(blobs(one))).isInstanceOf(StoreException.NotFound.class);
  }

  @Test
  void aBackupFromBeforeIsNotContinued() {
    BlobHash hash = store.put(Payload.utf8("to be erased"));
    SimulatedDisk target = new SimulatedDisk(1, 1 << 22);
    try (StoreBackup backup = StoreBackup.begin(disk, store.backupPoint(), target)) {
      backup.run(false, ReadProgress.NONE);
    }
    Payload before = store.backupPoint();
    erase(blobs(hash));

    assertThatThrownBy(() -> StoreBackup.begin(disk, before, new SimulatedDisk(2)))
        .isInstanceOf(StoreException.Conflict.class);
    assertThatThrownBy(() -> StoreBackup.begin(disk, store.backupPoint(), target))
        .isInstanceOf(StoreException.Conflict.class)
        .hasMessageContaining("still has what was erased");
    SimulatedDisk fresh = new SimulatedDisk(3, 1 << 22);
    try (StoreBackup backup = StoreBackup.begin(disk, store.backupPoint(), fresh)) {
      assertThat(backup.run(false, ReadProgress.NONE).sound()).isTrue();
    }
    try (LocalStore copy =
        LocalStore.open(
            fresh, StoreOptions.DEFAULTS, SimulatedTime.standing(), StoreGeometry.DEFAULTS)) {
      assertThatThrownBy(() -> copy.put(Payload.utf8("to be erased")))
          .isInstanceOf(StoreException.Erased.class);
    }
  }

  @Test
  void whatIsNotThereOrTooShortIsRefused() {
    assertThatThrownBy(() -> plan(contexts(new ContextId(77))))
        .isInstanceOf(StoreException.NotFound.class);
    assertThatThrownBy(() -> plan(blobs(new BlobHash(1, 2, 3, 4))))
        .isInstanceOf(StoreException.NotFound.class);
    assertThatThrownBy(() -> secret("short")).isInstanceOf(StoreException.Invalid.class);
    assertThatThrownBy(() -> new EraseRequest(Set.of(), Set.of(), List.of()))
        .isInstanceOf(StoreException.Invalid.class);
  }

  @Test
  void aPlanThatTheStoreHasOutgrownIsRefused() {
    BlobHash hash = store.put(Payload.utf8("to be erased"));
    ErasePlan plan = plan(secret("to be erased"));
    store.put(Payload.utf8("written later, and to be erased"));

    assertThatThrownBy(
            () -> store.erasures().erase(secret("to be erased"), plan.digest(), ReadProgress.NONE))
        .isInstanceOf(StoreException.Conflict.class);
    assertThat(store.has(hash)).isTrue();
  }

  @Test
  void aDamagedPackIsNotRewritten() {
    BlobHash hash = store.put(Payload.utf8("to be erased"));
    store.put(Payload.wrap(noise(9_000, 1)));
    store.put(Payload.wrap(noise(9_000, 2)));
    store.close();
    SimulatedDisk damaged = DiskImage.of(disk).withFlip("blobs.pack", 1_000).disk();
    try (LocalStore other =
        LocalStore.open(
            damaged, StoreOptions.DEFAULTS, SimulatedTime.standing(), StoreGeometry.DEFAULTS)) {
      assertThatThrownBy(() -> other.erasures().plan(blobs(hash), ReadProgress.NONE))
          .isInstanceOf(StoreException.Corrupt.class);
    }
  }

  @Test
  void withoutTheNamesOfWhatWasErasedNothingIsWritten() {
    BlobHash kept = store.put(Payload.utf8("kept"));
    erase(blobs(store.put(Payload.utf8("to be erased"))));
    store.close();
    SimulatedDisk damaged = DiskImage.of(disk).without("erased.tbl").disk();
    try (LocalStore other =
        LocalStore.open(
            damaged, StoreOptions.DEFAULTS, SimulatedTime.standing(), StoreGeometry.DEFAULTS)) {
      assertThat(other.get(kept)).isEqualTo(Payload.utf8("kept"));
      assertThatThrownBy(() -> other.put(Payload.utf8("to be erased")))
          .isInstanceOf(StoreException.Corrupt.class);
      assertThat(other.check().problems()).isNotEmpty();
    }
  }
}
