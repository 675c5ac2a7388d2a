// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Durability;
import dev.varve.Encoding;
import dev.varve.ErasePlan;
import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.ErasedBlob;
import dev.varve.IdempotencyKey;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.ReadProgress;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.contract.AgreedErasure;
import dev.varve.disk.SimulatedDisk;
import dev.varve.hash.Blake3;
import dev.varve.sim.SimulatedTime;
import dev.varve.tree.Tree;
import dev.varve.tree.TreeEntry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ErasureTest {

  private static final DeclaredType TYPE = new DeclaredType("note", 1);
  private static final String SECRET = "AKIA/IOSFODNN\"7EXAMPLE";

  private final SimulatedDisk disk = new SimulatedDisk(0, 1 << 22);
  private LocalStore store = open();

  private LocalStore open() {
    return LocalStore.open(
        disk,
        StoreOptions.DEFAULTS.withDurability(Durability.FORCE_EACH),
        SimulatedTime.standing(),
        StoreGeometry.DEFAULTS);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static NewTurn turn(String text) {
    return NewTurn.of(Payload.utf8(text), TYPE, Encoding.JSON);
  }

  private ErasePlan plan(EraseRequest request) {
    return store.erasures().plan(request, ReadProgress.NONE);
  }

  private EraseReceipt erase(EraseRequest request) {
    EraseReceipt receipt = AgreedErasure.in(store, request);
    assertThat(store.check().problems()).isEmpty();
    store.close();
    PackReader.assertGone(DiskImage.of(disk), receipt.hashes());
    store = open();
    assertThat(store.check().problems()).isEmpty();
    return receipt;
  }

  private static EraseRequest contexts(ContextId... contexts) {
    return new EraseRequest(Set.of(contexts), Set.of(), List.of());
  }

  private static EraseRequest blobs(BlobHash... blobs) {
    return new EraseRequest(Set.of(), Set.of(blobs), List.of());
  }

  private static EraseRequest secret(String secret) {
    return new EraseRequest(Set.of(), Set.of(), List.of(Payload.utf8(secret)));
  }

  private static byte[] noise(int sizeBytes, long seed) {
    byte[] bytes = new byte[sizeBytes];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  private BlobHash putStream(byte[] bytes) throws IOException {
    return store.put(new ByteArrayInputStream(bytes), null);
  }

  // ---- contexts

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

  // ---- blobs

  @Test
  void anErasedBlobIsNotTakenBackByAnyWayIn() throws IOException {
    byte[] content = noise(200_000, 1);
    Payload payload = Payload.wrap(content);
    ContextId context = store.createContext().id();
    NewTurn appended = NewTurn.of(payload, TYPE, Encoding.RAW).withKey(IdempotencyKey.of("once"));
    Turn turn = store.append(context, appended);
    BlobHash hash = turn.payloadHash();
    erase(blobs(hash));
    long blobs = store.counts().blobs();

    for (Runnable way :
        List.<Runnable>of(
            () -> store.put(payload),
            () -> store.putAll(List.of(Payload.utf8("beside"), payload)),
            () -> putUnchecked(content, hash),
            () -> putUnchecked(content, null),
            () -> store.append(context, appended),
            () -> store.append(context, NewTurn.of(payload, TYPE, Encoding.RAW)),
            () -> store.patch(turn.id(), payload),
            () -> store.attachFsRoot(turn.id(), hash),
            () -> store.createContext(TurnId.NONE, hash),
            () -> store.describe(context, hash),
            () ->
                store.restoreTurn(
                    new TurnId(900),
                    context,
                    NewTurn.of(payload, TYPE, Encoding.RAW).withParent(TurnId.NONE),
                    turn.createdAt()))) {
      assertThatThrownBy(way::run).isInstanceOf(StoreException.Erased.class);
    }
    assertThat(store.counts().blobs()).isEqualTo(blobs);
    assertThatThrownBy(() -> store.get(hash))
        .isInstanceOf(StoreException.NotFound.class)
        .hasMessageContaining("erased blob");
    assertThat(store.findChild(TurnId.NONE, hash)).contains(turn.id());
    store.close();
    PackReader.assertGone(DiskImage.of(disk), List.of(hash));
    store = open();
  }

  private void putUnchecked(byte[] content, BlobHash expected) {
    try {
      store.put(new ByteArrayInputStream(content), expected);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
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
  void contentIsTakenBackOnPurpose() throws IOException {
    byte[] content = noise(200_000, 1);
    BlobHash hash = putStream(content);
    BlobHash other = store.put(Payload.utf8("stays erased"));
    erase(blobs(hash, other));

    assertThat(store.readmitAndClose(Payload.wrap(content))).isGreaterThan(3);
    store = open();

    assertThat(store.has(hash)).isFalse();
    assertThat(store.check().problems()).isEmpty();
    assertThat(store.put(Payload.wrap(content))).isEqualTo(hash);
    assertThat(store.read(hash).readAllBytes()).isEqualTo(content);
    assertThatThrownBy(() -> store.put(Payload.utf8("stays erased")))
        .isInstanceOf(StoreException.Erased.class);
    assertThatThrownBy(() -> store.readmitAndClose(Payload.utf8("was never there")))
        .isInstanceOf(StoreException.NotFound.class);
    store = open();
    assertThat(store.check().problems()).isEmpty();
    erase(blobs(hash));
    assertThatThrownBy(() -> putStream(content)).isInstanceOf(StoreException.Erased.class);
  }

  @Test
  void aTurnWhosePayloadComesBackIsNoTombstoneAnyMore() {
    ContextId context = store.createContext().id();
    Turn turn = store.append(context, turn("comes back"));
    erase(blobs(turn.payloadHash()));
    store.readmitAndClose(Payload.utf8("comes back"));
    store = open();

    assertThat(store.turn(turn.id(), View.LATEST).tombstone()).isTrue();
    store.put(Payload.utf8("comes back"));
    assertThat(store.turn(turn.id(), View.LATEST).payload()).isEqualTo(Payload.utf8("comes back"));
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

  // ---- secrets

  @Test
  void aSecretIsErasedInEveryForm() throws IOException {
    String json = "{\"k\":\"" + SECRET.replace("\"", "\\\"") + "\"}";
    String nested = "{\"l\":\"" + json.replace("\\", "\\\\").replace("\"", "\\\"") + "\"}";
    String base64 =
        Base64.getEncoder().encodeToString(("x" + json).getBytes(StandardCharsets.UTF_8));
    ContextId context = store.createContext().id();
    for (String text : List.of("as it is: " + SECRET, json, nested, "{\"b\":\"" + base64 + "\"}")) {
      store.append(context, turn(text));
    }
    Turn kept = store.append(context, turn("nothing secret"));
    byte[] large = noise(400_000, 3);
    byte[] secret = SECRET.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(secret, 0, large, 123_456, secret.length);
    BlobHash chunked = putStream(large);

    EraseReceipt receipt = erase(secret(SECRET));

    assertThat(receipt.plan().turns()).hasSize(4);
    assertThat(receipt.plan().going())
        .filteredOn(going -> going.cause() == ErasedBlob.Cause.SECRET)
        .hasSizeGreaterThan(5);
    assertThat(store.has(chunked)).isFalse();
    assertThat(store.turn(kept.id(), View.LATEST).tombstone()).isFalse();
    assertThat(plan(secret(SECRET)).counts().blobs()).isZero();
    for (String form : List.of(SECRET, SECRET.replace("\"", "\\\""), base64.substring(12, 30))) {
      PackReader.assertNowhere(DiskImage.of(disk), form.getBytes(StandardCharsets.UTF_8));
    }
  }

  /// The cuts are where the content says; a secret of 40 bytes is moved over more than two chunks.
  @Test
  void aSecretAcrossChunksIsFoundWhereverTheCutIs() throws IOException {
    byte[] content = noise(140_000, 5);
    byte[] secret = noise(40, 6);
    EraseRequest request = new EraseRequest(Set.of(), Set.of(), List.of(Payload.wrap(secret)));
    BlobHash plain = putStream(content);
    for (int at = 3; at < content.length - 40; at += 9_871) {
      byte[] with = content.clone();
      System.arraycopy(secret, 0, with, at, secret.length);
      BlobHash hash = putStream(with);
      assertThat(plan(request).going()).extracting(ErasePlan.GoingBlob::hash).contains(hash);
    }
    erase(request);
    assertThat(store.read(plain).readAllBytes()).isEqualTo(content);
  }

  // ---- what is refused

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
