// SPDX-License-Identifier: Apache-2.0
package dev.varve.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.BulkStore;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.EraseRequest;
import dev.varve.NewTurn;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.contract.AgreedErasure;
import dev.varve.hash.Blake3;
import dev.varve.local.LocalStore;
import dev.varve.sim.ForwardingStore;
import dev.varve.sim.RandomOperations;
import dev.varve.sim.StoreDifference;
import dev.varve.sim.StoreModel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Copies of stores, compared with their sources through all that readers can ask.
final class StoreCopyTest {

  private static final DeclaredType TYPE = new DeclaredType("test.Message", 1);

  @TempDir Path temporary;

  private static NewTurn said(String text) {
    return NewTurn.of(Payload.utf8(text), TYPE, Encoding.JSON);
  }

  private static StoreModel random() {
    return new StoreModel(RandomOperations.LIMITS, InstantSource.system(), RandomOperations.CHUNKS);
  }

  private static StoreCopyReport copy(BulkStore source, BulkStore target) {
    return new StoreCopy(source, target, CopyProgress.NONE, new CopyBatch(20, 5_000, 32)).run();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void aCopyAnswersEachQuestionAsItsSourceDoesAndSoDoesTheNext(long seed) {
    StoreModel source = random();
    StoreModel target = random();
    RandomOperations operations = new RandomOperations(new SplittableRandom(seed));
    for (int run = 0; run < 4; run++) {
      for (int i = 0; i < 150; i++) {
        operations.next(source).ask(source);
      }

      assertThat(copy(source, target).complete()).isTrue();

      assertThat(StoreDifference.find(source, target, RandomOperations.LIMITS.pageTurns()))
          .as("seed %d, run %d", seed, run)
          .isEmpty();
    }
    StoreCopyReport again = copy(source, target);
    assertThat(again).isEqualTo(new StoreCopyReport(0, 0, 0, 0, 0, 0, 0, true));
  }

  /// Refuses a write after so many.
  private static final class BreakingStore extends ForwardingStore {

    private int left;

    BreakingStore(BulkStore store, int writes) {
      super(store);
      this.left = writes;
    }

    private void write() {
      if (left-- == 0) {
        throw new StoreException.Io("target", "gone", new IOException("gone"));
      }
    }

    @Override
    public List<BlobHash> putAll(List<Payload> blobs) {
      write();
      return super.putAll(blobs);
    }

    @Override
    public Turn restoreTurn(TurnId id, ContextId context, NewTurn turn, Instant createdAt) {
      write();
      return super.restoreTurn(id, context, turn, createdAt);
    }

    @Override
    public long tombstone(TurnId turn) {
      write();
      return super.tombstone(turn);
    }

    @Override
    public long patch(TurnId turn, Payload payload) {
      write();
      return super.patch(turn, payload);
    }
  }

  @Test
  void aCopyThatBreaksOffAtAnyWriteIsCompletedByTheNext() {
    StoreModel source = random();
    RandomOperations operations = new RandomOperations(new SplittableRandom(42));
    for (int i = 0; i < 120; i++) {
      operations.next(source).ask(source);
    }
    int broken = 0;
    for (int writes = 0; ; writes++) {
      StoreModel target = random();
      boolean whole = true;
      try {
        copy(source, new BreakingStore(target, writes));
      } catch (StoreException.Io e) {
        whole = false;
        broken++;
      }
      copy(source, target);
      assertThat(StoreDifference.find(source, target, RandomOperations.LIMITS.pageTurns()))
          .as("after %d writes", writes)
          .isEmpty();
      if (whole) {
        break;
      }
    }
    assertThat(broken).isGreaterThan(10);
  }

  /// Counts the questions, each of which takes a journey where the store is elsewhere.
  private static final class CountingStore extends ForwardingStore {

    private int questions;

    CountingStore(BulkStore store) {
      super(store);
    }

    @Override
    public Turn turn(TurnId id, View view) {
      questions++;
      return super.turn(id, view);
    }

    @Override
    public boolean has(BlobHash hash) {
      questions++;
      return super.has(hash);
    }

    @Override
    public List<BlobHash> lacking(List<BlobHash> hashes) {
      questions++;
      return super.lacking(hashes);
    }

    @Override
    public long sizeBytes(BlobHash hash) {
      questions++;
      return super.sizeBytes(hash);
    }

    @Override
    public ContextHead head(ContextId context) {
      questions++;
      return super.head(context);
    }

    @Override
    public List<ContextHead> contextsBelow(@Nullable ContextId below, int limit) {
      questions++;
      return super.contextsBelow(below, limit);
    }

    @Override
    public List<Overlay> overlays(TurnId turn) {
      questions++;
      return super.overlays(turn);
    }

    @Override
    public List<Overlay> overlaysAfter(long seq, int limit) {
      questions++;
      return super.overlaysAfter(seq, limit);
    }

    @Override
    public List<BlobHash> blobs(@Nullable BlobHash after, int limit) {
      questions++;
      return super.blobs(after, limit);
    }
  }

  @Test
  void aRepeatedCopyAsksForPagesAndNotForEachThing() {
    StoreModel source = new StoreModel();
    for (int i = 0; i < 400; i++) {
      BlobHash about = source.put(Payload.utf8("about " + i));
      ContextId context = source.createContext(TurnId.NONE, about).id();
      TurnId turn = source.append(context, said("turn " + i)).id();
      source.patch(turn, Payload.utf8("patched " + i));
    }
    StoreModel target = new StoreModel();
    copy(source, target);
    ContextId context = source.createContext().id();
    source.tombstone(source.append(context, said("new")).id());
    CountingStore asked = new CountingStore(source);
    CountingStore filled = new CountingStore(target);
    CopyBatch pages = new CopyBatch(100, 5_000, 32);

    StoreCopyReport report = new StoreCopy(asked, filled, CopyProgress.NONE, pages).run();

    assertThat(report).isEqualTo(new StoreCopyReport(1, 3, 1, 0, 1, 0, 1, true));
    assertThat(StoreDifference.find(source, target, 100)).isEmpty();
    assertThat(asked.questions).isLessThan(50);
    assertThat(filled.questions).isLessThan(50);
  }

  @Test
  void overlaysInAnotherOrderAreComparedTurnByTurn() {
    StoreModel source = new StoreModel();
    ContextId context = source.createContext().id();
    TurnId first = source.append(context, said("a")).id();
    TurnId second = source.append(context, said("b")).id();
    StoreModel target = new StoreModel();
    copy(source, target);
    source.patch(first, Payload.utf8("c"));
    source.tombstone(second);
    target.tombstone(second);

    assertThat(copy(source, target).overlays()).isEqualTo(1);

    assertThat(target.turn(first, View.LATEST).payload()).isEqualTo(Payload.utf8("c"));
    target.patch(second, Payload.utf8("only here"));
    assertThatThrownBy(() -> copy(source, target))
        .isInstanceOf(StoreException.Conflict.class)
        .hasMessageContaining("overlays of turn 2");
  }

  @Test
  void aContextThatIsAnotherInTheCopyIsRefused() {
    StoreModel source = new StoreModel();
    ContextId context = source.createContext().id();
    source.append(context, said("a"));
    StoreModel target = new StoreModel();
    Instant then = Instant.ofEpochMilli(1_500_000_000_000L);
    target.restoreContext(context, TurnId.NONE, TurnId.NONE, then, then, null);

    assertThatThrownBy(() -> copy(source, target))
        .isInstanceOf(StoreException.Conflict.class)
        .hasMessageContaining("context 1");
  }

  @Test
  void aTargetWithTurnsOfItsOwnIsRefusedAndLeftAlone() {
    StoreModel source = new StoreModel();
    ContextId context = source.createContext().id();
    source.append(context, said("a"));
    StoreModel target = new StoreModel();
    copy(source, target);
    target.append(context, said("only here"));

    assertThatThrownBy(() -> copy(source, target)).isInstanceOf(StoreException.Conflict.class);

    source.append(context, said("b"));
    source.append(context, said("c"));
    assertThatThrownBy(() -> copy(source, target))
        .isInstanceOf(StoreException.Conflict.class)
        .hasMessageContaining("turn 2");
    assertThat(target.counts().turns()).isEqualTo(2);
  }

  @Test
  void numbersFarApartAreFound() {
    StoreModel source = new StoreModel();
    ContextId context = new ContextId(9);
    Instant then = Instant.ofEpochMilli(1_500_000_000_000L);
    TurnId parent = TurnId.NONE;
    for (long id = 5; id < 1L << 40; id *= 977) {
      parent =
          source.restoreTurn(new TurnId(id), context, said("t" + id).withParent(parent), then).id();
    }
    source.restoreContext(context, parent, TurnId.NONE, then, then, null);
    StoreModel target = new StoreModel();

    assertThat(copy(source, target).turns()).isEqualTo(source.counts().turns());

    assertThat(StoreDifference.find(source, target, 100)).isEmpty();
  }

  @Test
  void aStoreInAFolderIsCopiedWithItsLargeBlobs() throws Exception {
    Path folder = temporary.resolve("source");
    byte[] bytes = new byte[3 << 20];
    new SplittableRandom(7).nextBytes(bytes);
    try (BulkStore source = LocalStore.open(folder, StoreOptions.DEFAULTS);
        BulkStore target = LocalStore.open(temporary.resolve("target"), StoreOptions.DEFAULTS)) {
      BlobHash large = source.put(new ByteArrayInputStream(bytes), null);
      ContextId context = source.createContext().id();
      source.append(context, said("a").withFsRoot(large));

      StoreCopyReport report = copy(source, target);

      assertThat(report.blobs()).isEqualTo(source.counts().blobs());
      assertThat(target.read(large)).hasBinaryContent(bytes);
      assertThat(target.turn(new TurnId(1), View.LATEST))
          .isEqualTo(source.turn(new TurnId(1), View.LATEST));
      assertThat(target.check().sound()).isTrue();
    }
  }

  @Test
  void aTurnWhosePayloadWasErasedIsADeletedTurnInTheCopy() {
    Path folder = temporary.resolve("source");
    LocalStore erasing = LocalStore.open(folder, StoreOptions.DEFAULTS);
    ContextId context = erasing.createContext().id();
    erasing.append(context, said("a"));
    BlobHash secret = erasing.append(context, said("secret")).payloadHash();
    erasing.append(context, said("c"));
    EraseRequest request = new EraseRequest(Set.of(), Set.of(secret), List.of());
    AgreedErasure.in(erasing, request);
    erasing.close();
    StoreModel target = new StoreModel();

    try (BulkStore source = LocalStore.open(folder, StoreOptions.DEFAULTS)) {
      StoreCopyReport report = copy(source, target);

      assertThat(report.turns()).isEqualTo(3);
      assertThat(report.erasedTurns()).isEqualTo(1);
      assertThat(target.turn(new TurnId(2), View.LATEST).tombstone()).isTrue();
      assertThat(target.turn(new TurnId(3), View.LATEST).payload()).isEqualTo(Payload.utf8("c"));
      assertThat(target.has(secret)).isFalse();
      StoreCopyReport again = copy(source, target);
      assertThat(again).isEqualTo(new StoreCopyReport(0, 0, 0, 0, 0, 0, 0, true));
    }
  }

  /// The tombstone that stands in the copy for the erased payload makes the two stores' numbers of
  /// overlays equal.
  @Test
  void aPatchAfterAnErasedTurnReachesTheCopy() {
    try (LocalStore source = LocalStore.open(temporary.resolve("source"), StoreOptions.DEFAULTS)) {
      ContextId context = source.createContext().id();
      TurnId patched = source.append(context, said("a")).id();
      BlobHash secret = source.append(context, said("secret")).payloadHash();
      AgreedErasure.in(source, new EraseRequest(Set.of(), Set.of(secret), List.of()));
      StoreModel target = new StoreModel();
      copy(source, target);
      source.patch(patched, Payload.utf8("b"));

      copy(source, target);

      assertThat(target.turn(patched, View.LATEST).payload()).isEqualTo(Payload.utf8("b"));
    }
  }

  @Test
  void anErasedDescriptionAndAnErasedPatchAreLeftOutOfTheCopy() {
    LocalStore source = LocalStore.open(temporary.resolve("source"), StoreOptions.DEFAULTS);
    ContextId kept = source.createContext().id();
    TurnId patched = source.append(kept, said("a")).id();
    source.patch(patched, Payload.utf8("secret"));
    BlobHash secret = Blake3.hash(Payload.utf8("secret"));
    ContextId described =
        source.createContext(TurnId.NONE, source.put(Payload.utf8("about the secret"))).id();
    EraseRequest request = new EraseRequest(Set.of(described), Set.of(secret), List.of());
    AgreedErasure.in(source, request);
    StoreModel target = new StoreModel();

    try (source) {
      copy(source, target);

      assertThat(target.head(described).about()).isNull();
      assertThat(target.turn(patched, View.LATEST).tombstone()).isTrue();
      assertThat(target.has(secret)).isFalse();
      assertThat(copy(source, target)).isEqualTo(new StoreCopyReport(0, 0, 0, 0, 0, 0, 0, true));
    }
  }
}
