// SPDX-License-Identifier: Apache-2.0
package dev.varve.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.IdempotencyKey;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.access.DatabaseStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// Erasures of a store that several services have open.
public interface SharedEraseContract {

  /// A new store: each call of the answer opens this same store, as one more service.
  Supplier<DatabaseStore> freshStore();

  private static NewTurn said(String text) {
    return NewTurn.of(Payload.utf8(text), new DeclaredType("t", 1), Encoding.JSON);
  }

  private static EraseRequest secret(String text) {
    return new EraseRequest(Set.of(), Set.of(), List.of(Payload.utf8(text)));
  }

  private static EraseRequest contexts(ContextId context) {
    return new EraseRequest(Set.of(context), Set.of(), List.of());
  }

  private static InputStream stream(byte[] bytes) {
    return new ByteArrayInputStream(bytes);
  }

  /// Content that is kept as chunks and does not compress, with a text in the middle.
  private static byte[] large(String text) {
    byte[] bytes = new byte[400_000];
    new SplittableRandom(7).nextBytes(bytes);
    byte[] inside = text.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(inside, 0, bytes, 200_000, inside.length);
    return bytes;
  }

  @Test
  default void noWayInBringsErasedContentBackThroughAnotherService() {
    Supplier<DatabaseStore> shared = freshStore();
    try (DatabaseStore eraser = shared.get();
        DatabaseStore other = shared.get()) {
      ContextId context = other.createContext().id();
      NewTurn keyed = said("the key is AKIA-EXAMPLE-1").withKey(IdempotencyKey.of("key"));
      Turn spoken = other.append(context, keyed);
      Turn next = other.append(context, said("next"));
      Payload content = Payload.utf8("the key is AKIA-EXAMPLE-1");

      EraseReceipt receipt = AgreedErasure.in(eraser, secret("AKIA-EXAMPLE-1"));

      BlobHash erased = spoken.payloadHash();
      assertThat(receipt.hashes()).containsExactly(erased);
      assertThat(receipt.storeId()).isEqualTo(other.storeId());
      List<ThrowingCallable> ways =
          List.of(
              () -> other.put(content),
              () -> other.put(stream(content.unsafeArray()), null),
              () -> other.putAll(List.of(Payload.utf8("beside"), content)),
              () -> other.append(context, said("the key is AKIA-EXAMPLE-1")),
              () -> other.append(context, keyed),
              () -> other.patch(next.id(), content),
              () ->
                  other.restoreTurn(
                      new TurnId(1000),
                      context,
                      said("the key is AKIA-EXAMPLE-1").withParent(next.id()),
                      Instant.EPOCH),
              () -> other.attachFsRoot(next.id(), erased),
              () -> other.createContext(TurnId.NONE, erased),
              () -> other.describe(context, erased));
      for (ThrowingCallable way : ways) {
        assertThatThrownBy(way)
            .isInstanceOf(StoreException.Erased.class)
            .hasMessageContaining(erased.toString())
            .hasMessageContaining("secret");
      }
      assertThat(other.has(erased)).isFalse();
      assertThatThrownBy(() -> other.get(erased))
          .isInstanceOfSatisfying(
              StoreException.NotFound.class, absent -> assertThat(absent.isErased()).isTrue());
      Turn seen = other.turn(spoken.id(), View.LATEST);
      assertThat(seen.tombstone()).isTrue();
      assertThat(seen.payload()).isNull();
      assertThat(seen.payloadSizeBytes()).isEqualTo(content.sizeBytes());
      assertThat(seen.payloadHash()).isEqualTo(erased);
      assertThat(other.mark().erasures()).isEqualTo(1);
      assertThat(other.check().problems()).isEmpty();
    }
  }

  @Test
  default void receiptsAreKeptAndContentIsReadmittedOnPurposeAlone() {
    Supplier<DatabaseStore> shared = freshStore();
    Payload content = Payload.utf8("again AKIA-EXAMPLE-2");
    try (DatabaseStore one = shared.get();
        DatabaseStore two = shared.get()) {
      BlobHash hash = one.put(content);
      assertThat(two.receipt(1)).isEmpty();
      assertThatThrownBy(() -> two.readmit(content)).isInstanceOf(StoreException.NotFound.class);

      EraseReceipt receipt = AgreedErasure.in(one, secret("AKIA-EXAMPLE-2"));
      one.put(Payload.utf8("another AKIA-EXAMPLE-2"));
      EraseReceipt second = AgreedErasure.in(two, secret("AKIA-EXAMPLE-2"));

      assertThat(two.receipt(1))
          .get()
          .satisfies(
              kept -> {
                assertThat(kept.run()).isEqualTo(1);
                assertThat(kept.hashes()).containsExactly(hash);
                assertThat(kept.erasedAt()).isEqualTo(receipt.erasedAt());
                assertThat(kept.packBytes()).isEqualTo(receipt.packBytes());
                assertThat(kept.plan().counts()).isEqualTo(receipt.plan().counts());
                assertThat(kept.plan().digest()).isEqualTo(receipt.plan().digest());
              });
      assertThat(second.run()).isEqualTo(2);
      assertThat(two.readmit(content)).isEqualTo(1);
      assertThat(one.put(content)).isEqualTo(hash);
      assertThat(two.get(hash)).isEqualTo(content);
      AgreedErasure.in(one, secret("AKIA-EXAMPLE-2"));
      assertThatThrownBy(() -> two.put(content)).isInstanceOf(StoreException.Erased.class);
    }
  }

  @Test
  default void aLargeBlobGoesWithItsPiecesAndThoseComeBackByNoStream() throws Exception {
    byte[] bytes = large("AKIA-EXAMPLE-3");
    try (DatabaseStore store = freshStore().get()) {
      BlobHash hash = store.put(stream(bytes), null);
      assertThat(store.findChunkList(hash)).isPresent();
      BlobHash kept = store.put(Payload.utf8("kept"));

      EraseReceipt receipt = AgreedErasure.in(store, secret("AKIA-EXAMPLE-3"));

      assertThat(receipt.hashes()).hasSizeGreaterThan(3).contains(hash).doesNotContain(kept);
      assertThat(store.counts().blobs()).isEqualTo(1);
      assertThatThrownBy(() -> store.put(stream(bytes), null))
          .isInstanceOf(StoreException.Erased.class);
      assertThatThrownBy(() -> store.put(Payload.wrap(bytes)))
          .isInstanceOf(StoreException.Erased.class);
      assertThatThrownBy(() -> store.read(hash)).isInstanceOf(StoreException.NotFound.class);
      assertThat(store.check().problems()).isEmpty();
    }
  }

  @Test
  default void aStreamOfWhichAnErasureTookPiecesIsRefused() {
    byte[] bytes = large("AKIA-EXAMPLE-4");
    Supplier<DatabaseStore> shared = freshStore();
    try (DatabaseStore writer = shared.get();
        DatabaseStore eraser = shared.get()) {
      AtomicBoolean erased = new AtomicBoolean();
      InputStream grown =
          new InputStream() {
            private final InputStream begin = stream(bytes);
            private int more = 9_000_000;

            @Override
            public int read() throws IOException {
              int next = begin.read();
              if (next >= 0 || more == 0) {
                return next;
              }
              more--;
              if (more == 1_000 && !erased.getAndSet(true)) { // chunks were kept by now
                AgreedErasure.in(eraser, secret("AKIA-EXAMPLE-4"));
              }
              return more % 251;
            }
          };

      assertThatThrownBy(() -> writer.put(grown, null)).isInstanceOf(StoreException.Conflict.class);

      assertThat(erased).isTrue();
      assertThat(writer.check().problems()).isEmpty();
    }
  }

  @Test
  default void whatAnAcknowledgedAppendNamesIsThereBesideErasures() throws Exception {
    Supplier<DatabaseStore> shared = freshStore();
    try (DatabaseStore one = shared.get();
        DatabaseStore two = shared.get();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      AtomicBoolean ended = new AtomicBoolean();
      List<Future<List<Turn>>> writers = new ArrayList<>();
      for (DatabaseStore store : List.of(one, two)) {
        ContextId own = store.createContext().id();
        writers.add(threads.submit(() -> write(store, own, ended)));
      }
      int runs = 0;
      for (int round = 0; round < 12; round++) {
        ContextId doomed = one.createContext().id();
        try {
          one.append(doomed, said("payload " + round));
          AgreedErasure.in(two, contexts(doomed));
          runs++;
        } catch (StoreException.Conflict | StoreException.Erased e) {
          // somebody else wrote the same in between
        }
      }
      ended.set(true);

      assertThat(one.mark().erasures()).isEqualTo(runs);
      for (Future<List<Turn>> writer : writers) {
        for (Turn turn : writer.get()) {
          assertThat(two.turn(turn.id(), View.AS_WRITTEN).payload()).isNotNull();
        }
      }
      assertThat(one.check().problems()).isEmpty();
    }
  }

  private static List<Turn> write(DatabaseStore store, ContextId context, AtomicBoolean ended) {
    List<Turn> acknowledged = new ArrayList<>();
    for (int n = 0; !ended.get(); n++) {
      try {
        acknowledged.add(store.append(context, said("payload " + n % 12)));
      } catch (StoreException.Erased e) {
        // erased before
      }
    }
    return acknowledged;
  }
}
