// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.IdempotencyKey;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.TurnId;
import dev.varve.cassandra.cql.CassandraAddress;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.CqlStatement;
import dev.varve.turn.KeyHash;
import java.time.Duration;
import java.time.InstantSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Conditional writes that never come through, because a row is damaged: each ends with a refusal
/// when the patience is over.
@Tag("cluster")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class BoundedRetryTest {

  private final CassandraAddress address = CassandraCluster.shared().freshStore();
  private ContextId context;
  private TurnId turn;
  private Store store;

  @BeforeEach
  void aStoreWithLittlePatience() {
    try (Store patient = CassandraStore.open(address, StoreOptions.DEFAULTS)) {
      context = patient.createContext().id();
      turn = patient.append(context, said("first")).id();
    }
    store =
        CassandraStore.open(
            new ClusterSession(address, Duration.ofSeconds(1)),
            StoreOptions.DEFAULTS,
            InstantSource.system(),
            GateTimes.DEFAULTS,
            false);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static NewTurn said(String text) {
    return NewTurn.of(Payload.utf8(text), new DeclaredType("t", 1), Encoding.JSON);
  }

  private void damage(String cql, Object... values) {
    try (ClusterSession session = new ClusterSession(address)) {
      session.write(CqlStatement.of(cql, values));
    }
  }

  private void assertEnds(ThrowingCallable asking) {
    assertThatThrownBy(asking)
        .isInstanceOf(StoreException.Io.class)
        .hasMessageContaining(address.toString())
        .hasMessageContaining("no conditional write came through");
  }

  @Test
  void numbersWithoutAPlace() {
    damage("DELETE next FROM ks.seq WHERE store = ? AND name = ?", "turn");
    damage("DELETE next FROM ks.seq WHERE store = ? AND name = ?", "context");

    assertEnds(() -> store.append(context, said("second")));
    assertEnds(store::createContext);
  }

  @Test
  void aHeadWithoutATime() {
    damage("DELETE active_ms FROM ks.head WHERE store = ? AND context_id = ?", context.value());

    assertEnds(() -> store.append(context, said("second")));
    assertEnds(() -> store.describe(context, store.put(Payload.utf8("about"))));
  }

  @Test
  void aHeadWithoutATurn() {
    damage("INSERT INTO ks.head (store, context_id, lane) VALUES (?, ?, ?)", 77L, 0L);
    ContextHead head = store.head(context);
    try (ClusterSession session = new ClusterSession(address, Duration.ofSeconds(1))) {
      HeadRow row =
          new HeadRow(
              new ContextHead(
                  new ContextId(77),
                  TurnId.NONE,
                  0,
                  TurnId.NONE,
                  head.createdAt(),
                  head.activeAt(),
                  null),
              0);

      assertEnds(() -> new HeadRows(session).insert(row));
    }
  }

  @Test
  void aClaimWithoutANumber() {
    BlobHash key = KeyHash.of(context, IdempotencyKey.of("key"));
    damage("INSERT INTO ks.claim (store, key) VALUES (?, ?)", key);

    assertEnds(() -> store.append(context, said("second").withKey(IdempotencyKey.of("key"))));
  }

  @Test
  void aPlaceThatNeverPasses() {
    damage("DELETE next FROM ks.seq WHERE store = ? AND name = ?", "turn");
    try (ClusterSession session = new ClusterSession(address, Duration.ofSeconds(1))) {
      NumberBlocks numbers = new NumberBlocks(session, new PartList(session), PartList.Kind.TURN);

      assertEnds(() -> numbers.passBeyond(turn.value() + 100));
    }
  }
}
