// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.cassandra.cql.CassandraAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Three nodes under load: one is killed and comes back, one is frozen, all are killed. Each writer
/// keeps a journal of the appends that were acknowledged.
@Tag("three-nodes")
final class LostNodeTest {

  private static final System.Logger LOG = System.getLogger(LostNodeTest.class.getPackageName());

  /// The turns that are awaited in each state of the cluster.
  private static final int AWAITED = 60;

  /// The acknowledged appends of one writer.
  private record Journal(ContextId context, List<TurnId> acknowledged) {}

  private final AtomicBoolean ends = new AtomicBoolean();
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final AtomicInteger unknown = new AtomicInteger();
  private final AtomicLong longestNanos = new AtomicLong();

  private static NewTurn said(String text) {
    return NewTurn.of(Payload.utf8(text), new DeclaredType("t", 1), Encoding.JSON);
  }

  @Test
  void nothingAcknowledgedIsLostOrDoneTwice() throws Exception {
    CassandraCluster cluster = CassandraCluster.start(3);
    CassandraAddress address = cluster.freshStore();
    CassandraStore.prepare(address, "dc1=3");
    try (Store one = CassandraStore.open(address, StoreOptions.DEFAULTS);
        Store two = CassandraStore.open(address, StoreOptions.DEFAULTS);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      ContextId shared = one.createContext().id();
      List<Future<Journal>> writers = new ArrayList<>();
      for (Store store : List.of(one, two)) {
        writers.add(threads.submit(() -> write(store, shared)));
        writers.add(threads.submit(() -> write(store, store.createContext().id())));
      }
      try {
        awaitAppends("three nodes");
        cluster.kill(2);
        awaitAppends("a dead node");
        cluster.restart(2);
        cluster.awaitReady(2);
        cluster.signal(3, "STOP");
        awaitAppends("a frozen node");
        cluster.signal(3, "CONT");
        awaitAppends("three nodes again");
        for (int node = 1; node <= 3; node++) {
          cluster.kill(node);
        }
        for (int node = 1; node <= 3; node++) {
          cluster.restart(node);
        }
        for (int node = 1; node <= 3; node++) {
          cluster.awaitReady(node);
        }
        awaitAppends("all nodes were killed");
      } finally {
        ends.set(true);
      }
      List<TurnId> all = new ArrayList<>();
      for (Future<Journal> writer : writers) {
        Journal journal = writer.get();
        List<Turn> path = new ArrayList<>();
        two.replay(two.head(journal.context()).head(), View.LATEST, path::add);
        assertThat(path).extracting(Turn::id).isSorted().containsAll(journal.acknowledged());
        assertThat(path).extracting(Turn::payload).doesNotHaveDuplicates();
        all.addAll(journal.acknowledged());
      }
      assertThat(all).doesNotHaveDuplicates();
      assertThat(one.check().problems()).isEmpty();
    }
  }

  private Journal write(Store store, ContextId context) {
    Journal journal = new Journal(context, new ArrayList<>());
    for (int n = 0; !ends.get(); n++) {
      long start = System.nanoTime();
      try {
        String text = Thread.currentThread().threadId() + "/" + n;
        journal.acknowledged().add(store.append(context, said(text)).id());
        acknowledged.incrementAndGet();
        longestNanos.accumulateAndGet(System.nanoTime() - start, Math::max);
      } catch (StoreException.Io e) {
        unknown.incrementAndGet(); // may be there or not, but not twice
      }
    }
    return journal;
  }

  private void awaitAppends(String state) {
    long start = System.nanoTime();
    int before = acknowledged.get();
    longestNanos.set(0);
    while (acknowledged.get() < before + AWAITED) {
      assertThat(System.nanoTime() - start).as(state).isLessThan(Duration.ofMinutes(4).toNanos());
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
    LOG.log(
        System.Logger.Level.INFO,
        "%s: %d appends in %d ms, the longest %d ms, %d unknown so far"
            .formatted(
                state,
                acknowledged.get() - before,
                (System.nanoTime() - start) / 1_000_000,
                longestNanos.get() / 1_000_000,
                unknown.get()));
  }
}
