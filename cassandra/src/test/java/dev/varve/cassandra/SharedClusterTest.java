// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.IdempotencyKey;
import dev.varve.NewTurn;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.access.DatabaseStore;
import dev.varve.access.StoreMark;
import dev.varve.turn.KeyHash;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Two services on one store, rows that are damaged, and places without a store.
@Tag("cluster")
final class SharedClusterTest {

  private static NewTurn said(String text) {
    return NewTurn.of(Payload.utf8(text), new DeclaredType("t", 1), Encoding.JSON);
  }

  private static void execute(CassandraAddress address, String cql, Object... values) {
    try (ClusterSession session = new ClusterSession(address)) {
      session.write(CqlStatement.of(cql, values));
    }
  }

  @Test
  void theMarkAndTheOverlaysOfAnotherService() {
    CassandraAddress address = CassandraCluster.shared().freshStore();
    try (DatabaseStore writer = CassandraStore.open(address, StoreOptions.DEFAULTS);
        DatabaseStore reader = CassandraStore.open(address, StoreOptions.DEFAULTS)) {
      assertThat(reader.storeId()).isEqualTo(writer.storeId());
      assertThat(reader.mark()).isEqualTo(new StoreMark(TurnId.NONE, new ContextId(0), 0));

      ContextId context = writer.createContext().id();
      TurnId first = writer.append(context, said("a")).id();
      TurnId second = writer.append(context, said("b")).id();
      long patch = writer.patch(first, Payload.utf8("c"));
      long tombstone = writer.tombstone(second);

      assertThat(reader.mark()).isEqualTo(new StoreMark(second, context, tombstone));
      assertThat(reader.overlaysAfter(0, 10))
          .extracting(Overlay::target)
          .containsExactly(first, second);
      assertThat(reader.overlaysAfter(patch, 10))
          .extracting(Overlay::seq)
          .containsExactly(tombstone);
      assertThat(reader.overlaysAfter(tombstone, 10)).isEmpty();
    }
  }

  @Test
  void twoServicesAppendToOneContextAndNothingIsLostOrDoneTwice() throws Exception {
    CassandraAddress address = CassandraCluster.shared().freshStore();
    try (Store one = CassandraStore.open(address, StoreOptions.DEFAULTS);
        Store two = CassandraStore.open(address, StoreOptions.DEFAULTS);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      ContextId shared = one.createContext().id();
      List<Future<List<TurnId>>> writers = new ArrayList<>();
      for (Store store : List.of(one, two)) {
        writers.add(
            threads.submit(
                () -> {
                  List<TurnId> own = new ArrayList<>();
                  for (int n = 0; n < 20; n++) {
                    own.add(store.append(shared, said(store.hashCode() + "/" + n)).id());
                  }
                  return own;
                }));
      }
      List<TurnId> acknowledged = new ArrayList<>();
      for (Future<List<TurnId>> writer : writers) {
        acknowledged.addAll(writer.get());
      }

      List<Turn> path = two.last(shared, 100, View.LATEST).turns();
      assertThat(path).extracting(Turn::id).containsExactlyInAnyOrderElementsOf(acknowledged);
      assertThat(path).extracting(Turn::id).isSorted();
      assertThat(path).extracting(Turn::payload).doesNotHaveDuplicates();
      assertThat(one.counts().turns()).as("turns that lost a race are gone").isEqualTo(40);
      assertThat(one.check().problems()).isEmpty();
    }
  }

  @Test
  void aRetryThroughAnotherServiceAnswersTheFirstTurn() {
    CassandraAddress address = CassandraCluster.shared().freshStore();
    NewTurn once = said("once").withKey(IdempotencyKey.of("key"));
    try (Store one = CassandraStore.open(address, StoreOptions.DEFAULTS);
        Store two = CassandraStore.open(address, StoreOptions.DEFAULTS)) {
      ContextId context = one.createContext().id();
      TurnId root = one.append(context, said("root")).id();
      Turn first = one.append(context, once);
      two.append(context, said("rewound").withParent(root));
      execute(address, "DELETE FROM ks.keyed WHERE store = ? AND key = ?", key(context));

      assertThat(two.append(context, once))
          .as("the mark shows the turn, though the service ended too early")
          .isEqualTo(first);
      assertThat(two.counts().turns()).isEqualTo(3);
    }
  }

  private static BlobHash key(ContextId context) {
    return KeyHash.of(context, IdempotencyKey.of("key"));
  }

  @Test
  void aClaimOfAWriterThatEndedIsTakenOver() {
    CassandraAddress address = CassandraCluster.shared().freshStore();
    NewTurn once = said("once").withKey(IdempotencyKey.of("key"));
    try (Store store = CassandraStore.open(address, StoreOptions.DEFAULTS);
        ClusterSession session = new ClusterSession(address)) {
      ContextId context = store.createContext().id();
      store.append(context, said("root"));
      KeyRows keys = new KeyRows(session);
      assertThat(keys.take(key(context), keys.claim(key(context)), 1L << 40)).isTrue();

      Turn first = store.append(context, once);

      assertThat(first.depth()).isEqualTo(1);
      assertThat(store.append(context, once)).isEqualTo(first);
    }
  }

  @Test
  void aDamagedCellIsRefusedNamedAndHealedByAPut() {
    CassandraAddress address = CassandraCluster.shared().freshStore();
    try (Store store = CassandraStore.open(address, StoreOptions.DEFAULTS)) {
      Payload content = Payload.utf8("short");
      for (byte[] damage :
          List.of(new byte[3], Payload.utf8("\u0001\0\0\0\0\0\0\0\0\u0005shorT").bytes())) {
        BlobHash hash = store.put(content);
        execute(address, "UPDATE ks.blob SET data = ? WHERE store = ? AND hash = ?", damage, hash);

        assertThatThrownBy(() -> store.get(hash)).isInstanceOf(StoreException.Corrupt.class);
        assertThat(store.check().problems())
            .singleElement()
            .satisfies(problem -> assertThat(problem.what()).contains(hash.toString()));
        store.put(content);

        assertThat(store.get(hash)).isEqualTo(content);
        assertThat(store.check().problems()).isEmpty();
      }
    }
  }

  @Test
  void whatIsNoStoreIsRefusedByName() {
    CassandraAddress absent = CassandraCluster.shared().freshStore();
    assertThatThrownBy(() -> CassandraStore.openExisting(absent, StoreOptions.DEFAULTS))
        .isInstanceOf(StoreException.NoStore.class)
        .hasMessageContaining(absent.toString());
    CassandraAddress empty =
        CassandraAddress.parse(absent.toString().replace("varve_test", "varve_absent"));
    assertThatThrownBy(() -> CassandraStore.open(empty, StoreOptions.DEFAULTS))
        .isInstanceOf(StoreException.NoStore.class);

    CassandraAddress newer = CassandraCluster.shared().freshStore();
    CassandraStore.open(newer, StoreOptions.DEFAULTS).close();
    execute(newer, "UPDATE ks.store SET format = 2 WHERE store = ?");
    assertThatThrownBy(() -> CassandraStore.open(newer, StoreOptions.DEFAULTS))
        .isInstanceOf(StoreException.FormatTooNew.class);
  }
}
