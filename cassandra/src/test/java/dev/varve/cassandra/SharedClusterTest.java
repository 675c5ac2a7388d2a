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
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.cassandra.cql.CassandraAddress;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.CqlStatement;
import dev.varve.turn.KeyHash;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Services that ended too early, rows that are damaged, and places without a store.
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
  void aRetryIsKnownThoughTheServiceEndedTooEarly() {
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
    execute(newer, "UPDATE ks.store SET format = 9 WHERE store = ?");
    assertThatThrownBy(() -> CassandraStore.open(newer, StoreOptions.DEFAULTS))
        .isInstanceOf(StoreException.FormatTooNew.class);
  }
}
