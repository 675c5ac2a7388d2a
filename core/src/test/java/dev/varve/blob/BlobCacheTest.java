// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreOptions;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BlobCacheTest {

  /// All in one shard, which has a sixteenth of the capacity.
  private static BlobHash hash(long number) {
    return new BlobHash(number, 0, 0, 0);
  }

  private static Payload payload(int sizeBytes) {
    return Payload.wrap(new byte[sizeBytes]);
  }

  @Test
  void whatWasPutIsFound() {
    BlobCache cache = new BlobCache(1 << 20);
    Payload bytes = payload(10);
    cache.put(hash(1), bytes);

    assertThat(cache.find(hash(1))).isSameAs(bytes);
    assertThat(cache.find(hash(2))).isNull();
  }

  @Test
  void theLeastRecentlyUsedGoesFirst() {
    BlobCache cache = new BlobCache(16 * 13_400); // ten thousand bytes in the shard
    for (int i = 0; i < 8; i++) {
      cache.put(hash(i), payload(1000)); // 1160 bytes each: eight fit
    }
    assertThat(cache.find(hash(0))).as("used again").isNotNull();
    cache.put(hash(8), payload(1000));

    assertThat(cache.find(hash(1))).as("the oldest that nobody used").isNull();
    assertThat(cache.find(hash(0))).isNotNull();
    assertThat(cache.find(hash(2))).isNotNull();
    assertThat(cache.find(hash(8))).isNotNull();
  }

  @Test
  void itNeverHoldsMoreThanItsCapacity() {
    int capacity = 200_000;
    BlobCache cache = new BlobCache(capacity);
    SplittableRandom random = new SplittableRandom(1);
    BlobHash[] hashes = new BlobHash[5000];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = new BlobHash(random.nextLong(), random.nextLong(), 0, 0);
      cache.put(hashes[i], payload(random.nextInt(2000)));
      cache.put(hashes[i], payload(random.nextInt(2000))); // twice is not twice the bytes
    }
    long held = 0;
    int count = 0;
    for (BlobHash hash : hashes) {
      Payload found = cache.find(hash);
      held += found == null ? 0 : found.sizeBytes() + 160;
      count += found == null ? 0 : 1;
    }
    assertThat(held).isLessThanOrEqualTo(capacity);
    assertThat(count).as("it is used").isGreaterThan(50);
  }

  @Test
  void largeBlobsAreKeptAndDriveOutOnlyEachOther() {
    BlobCache cache = new BlobCache(16 * 13_400); // 53,600 bytes for large ones
    cache.put(hash(1), payload(1000));
    for (int i = 2; i < 6; i++) {
      cache.put(hash(i), payload(15_000));
    }

    assertThat(cache.find(hash(2))).as("the oldest").isNull();
    assertThat(cache.find(hash(3))).isNotNull();
    assertThat(cache.find(hash(5))).isNotNull();
    assertThat(cache.find(hash(1))).isNotNull();
  }

  @Test
  void aBlobOverAnEighthOfTheCapacityIsNotKept() {
    BlobCache cache = new BlobCache(16 * 13_400);
    cache.put(hash(1), payload(15_000));
    cache.put(hash(2), payload(26_700));

    assertThat(cache.find(hash(2))).isNull();
    assertThat(cache.find(hash(1))).isNotNull();
  }

  @Test
  void aBlobOfAMebibyteIsKeptByDefault() {
    BlobCache cache = new BlobCache(StoreOptions.DEFAULTS.blobCacheBytes());
    cache.put(hash(1), payload(1 << 20));

    assertThat(cache.find(hash(1))).isNotNull();
  }

  @Test
  void withoutCapacityItHoldsNothing() {
    BlobCache cache = new BlobCache(0);
    cache.put(hash(1), Payload.EMPTY);

    assertThat(cache.find(hash(1))).isNull();
  }
}
