// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.BlobHash;
import dev.varve.BulkStore;
import dev.varve.Payload;
import dev.varve.sim.ForwardingStore;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// A store in which reading blobs takes until the test says.
final class SlowStore extends ForwardingStore {

  private final CountDownLatch released = new CountDownLatch(1);
  private final AtomicInteger reading = new AtomicInteger();
  private final AtomicInteger readingMost = new AtomicInteger();
  private final CountDownLatch begun;

  /// @param begun how many reads [#awaitBegun()] waits for
  SlowStore(BulkStore store, int begun) {
    super(store);
    this.begun = new CountDownLatch(begun);
  }

  @Override
  public Payload get(BlobHash hash) {
    readingMost.accumulateAndGet(reading.incrementAndGet(), Math::max);
    begun.countDown();
    await(released);
    reading.decrementAndGet();
    return super.get(hash);
  }

  void awaitBegun() {
    await(begun);
  }

  void release() {
    released.countDown();
  }

  /// How many reads were under way at once, at most.
  int readingMost() {
    return readingMost.get();
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(30, TimeUnit.SECONDS)) {
        throw new AssertionError("nothing happens");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
