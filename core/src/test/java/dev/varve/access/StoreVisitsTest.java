// SPDX-License-Identifier: Apache-2.0
package dev.varve.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.local.LocalStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StoreVisitsTest {

  @TempDir Path folder;

  private final AtomicInteger opened = new AtomicInteger();
  private final CountDownLatch closed = new CountDownLatch(1);

  /// The store, which counts its openings and announces its first closing.
  private Store open() {
    Store store = LocalStore.open(folder.resolve("s"), StoreOptions.DEFAULTS);
    opened.incrementAndGet();
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (_, method, arguments) -> {
              try {
                Object result = method.invoke(store, arguments);
                if (method.getName().equals("close")) {
                  closed.countDown();
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void manyInARowCostFewOpenings() {
    try (StoreVisits visits = new StoreVisits(this::open)) {
      for (int i = 0; i < 1_000; i++) {
        String text = "blob " + i;
        visits.with(store -> store.put(Payload.utf8(text)));
      }
      assertThat(blobs(visits)).isEqualTo(1_000);
    }
    assertThat(opened.get()).isLessThan(500);
  }

  @Test
  void behindTheLastTheStoreIsSoonFree() throws InterruptedException {
    try (StoreVisits visits = new StoreVisits(this::open)) {
      visits.with(store -> store.put(Payload.utf8("x")));
      assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();

      open().close(); // it is free
      assertThat(blobs(visits)).isEqualTo(1);
    }
    assertThat(opened).hasValue(3);
  }

  @Test
  void whatAVisitThrowsComesBackAndTheDoorStaysOfUse() {
    try (StoreVisits visits = new StoreVisits(this::open)) {
      assertThatThrownBy(
              () ->
                  visits.with(
                      _ -> {
                        throw new StoreException.Invalid("x", "wrong");
                      }))
          .isInstanceOf(StoreException.Invalid.class);
      assertThat(blobs(visits)).isZero();
    }
    open().close();
  }

  private static long blobs(StoreVisits visits) {
    return visits.<Long>ask(store -> store.counts().blobs());
  }
}
