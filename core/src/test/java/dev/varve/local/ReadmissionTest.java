// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.Encoding;
import dev.varve.IdempotencyKey;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Content that was erased: no way in takes it back, until it is taken back on purpose.
final class ReadmissionTest extends ErasureTrial {

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
}
