// SPDX-License-Identifier: Apache-2.0
package dev.varve.contract;

import static dev.varve.contract.Samples.ABSENT_BLOB;
import static dev.varve.contract.Samples.noise;
import static dev.varve.contract.Samples.said;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreCounts;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.sim.ReferenceBlake3;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Blobs: named by their content, kept once.
public interface BlobContract extends StoreFixture {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 64, 65, 1023, 1024, 1025, 2048, 10_240, 100_000, 1 << 20})
  default void aBlobComesBackUnderTheHashOfItsBytes(int sizeBytes) {
    for (Payload bytes : new Payload[] {noise(sizeBytes, sizeBytes), zeros(sizeBytes)}) {
      BlobHash hash = store().put(bytes);

      assertThat(hash).isEqualTo(ReferenceBlake3.hash(bytes));
      assertThat(store().has(hash)).isTrue();
      assertThat(store().get(hash)).isEqualTo(bytes);
    }
  }

  private static Payload zeros(int sizeBytes) {
    return Payload.wrap(new byte[sizeBytes]);
  }

  @Test
  default void theSameBytesAreKeptOnce() {
    store().put(Payload.utf8("blob"));
    StoreCounts once = store().counts();

    store().put(Payload.utf8("blob"));

    assertThat(store().counts()).isEqualTo(once);
    assertThat(once.blobs()).isEqualTo(1);
    assertThat(once.rawBytes()).isEqualTo(4);
  }

  @Test
  default void payloadsOfTurnsAndBlobsAreKeptTogether() {
    BlobHash put = store().put(Payload.utf8("shared"));
    var one = store().createContext().id();
    var other = store().createContext().id();

    assertThat(store().append(one, said("shared")).payloadHash()).isEqualTo(put);
    store().append(one, said("shared"));
    store().append(other, said("shared"));

    assertThat(store().counts().blobs()).isEqualTo(1);
    BlobHash own = store().append(other, said("own")).payloadHash();
    assertThat(store().get(own)).isEqualTo(Payload.utf8("own"));
  }

  @Test
  default void whatWasNeverPutIsNotThere() {
    BlobHash there = store().put(Payload.utf8("blob"));
    BlobHash almost = new BlobHash(there.w0(), there.w1(), there.w2(), there.w3() ^ 1);
    BlobHash nothing = new BlobHash(0, 0, 0, 0);

    for (BlobHash absent : new BlobHash[] {ABSENT_BLOB, almost, nothing}) {
      assertThat(store().has(absent)).isFalse();
      assertThatThrownBy(() -> store().get(absent))
          .isInstanceOfSatisfying(
              StoreException.NotFound.class,
              refusal -> {
                assertThat(refusal.kind()).isEqualTo("blob");
                assertThat(refusal.id()).isEqualTo(absent.toString());
              });
    }
    assertThat(store().get(there)).isEqualTo(Payload.utf8("blob"));
  }

  @Test
  default void aBlobOverTheLimitIsRefusedAndOneAtTheLimitIsNot() {
    Store small = openWith(new StoreLimits(1000, 100, 10));

    BlobHash hash = small.put(noise(1, 1000));

    assertThat(small.get(hash).sizeBytes()).isEqualTo(1000);
    assertThatThrownBy(() -> small.put(noise(2, 1001))).isInstanceOf(StoreException.TooLarge.class);
    assertThat(small.counts().blobs()).isEqualTo(1);
    assertThat(small.has(ReferenceBlake3.hash(noise(2, 1001)))).isFalse();
  }

  @Test
  default void manyBlobsAreAllFound() {
    int count = 500;
    for (int i = 0; i < count; i++) {
      store().put(Payload.utf8("blob " + i));
    }

    for (int i = 0; i < count; i++) {
      Payload bytes = Payload.utf8("blob " + i);
      assertThat(store().get(ReferenceBlake3.hash(bytes))).isEqualTo(bytes);
    }
    assertThat(store().counts().blobs()).isEqualTo(count);
  }
}
