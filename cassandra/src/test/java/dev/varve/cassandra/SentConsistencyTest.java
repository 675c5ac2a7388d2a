// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.IdempotencyKey;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreOptions;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.access.DatabaseStore;
import dev.varve.cassandra.cql.CassandraAddress;
import dev.varve.cassandra.cql.DriverSettings;
import dev.varve.hash.Blake3;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The consistency with which each statement of a store is sent: plain reads and writes reach as
/// many data centres as conditions do.
@Tag("cluster")
final class SentConsistencyTest {

  @Test
  void plainStatementsReachAllDataCentresAsConditionsDo() {
    assertLevels(
        CassandraCluster.shared().freshStore(),
        DefaultConsistencyLevel.QUORUM,
        DefaultConsistencyLevel.SERIAL);
  }

  @Test
  void plainStatementsStayInTheDataCentreInWhichConditionsAreDecided() {
    assertLevels(
        CassandraAddress.parse(
            CassandraCluster.shared().url("local-" + System.nanoTime()) + "&serial=local"),
        DefaultConsistencyLevel.LOCAL_QUORUM,
        DefaultConsistencyLevel.LOCAL_SERIAL);
  }

  private static void assertLevels(
      CassandraAddress address, ConsistencyLevel plain, ConsistencyLevel serial) {
    SentStatements.take();
    useAll(address);

    List<BoundStatement> sent = SentStatements.take();
    assertThat(sent).hasSizeGreaterThan(30);
    for (BoundStatement statement : sent) {
      String cql = statement.getPreparedStatement().getQuery();
      boolean isCondition = cql.contains(" IF ");
      if (!isCondition && statement.getConsistencyLevel() != serial) {
        assertThat(statement.getConsistencyLevel()).as(cql).isEqualTo(plain);
      }
      if (isCondition) {
        assertThat(statement.getConsistencyLevel()).as(cql).isEqualTo(plain);
        assertThat(statement.getSerialConsistencyLevel()).as(cql).isEqualTo(serial);
        assertThat(statement.isIdempotent()).as(cql).isFalse();
      }
      if (cql.startsWith("SELECT") && cql.matches(".*\\.(head|seq|claim) .*")) {
        assertThat(statement.getConsistencyLevel()).as(cql).isEqualTo(serial);
      }
      if (cql.startsWith("SELECT count(*)")) {
        assertThat(statement.isIdempotent()).as("asked of one node at a time: " + cql).isFalse();
        assertThat(statement.getTimeout()).as(cql).isGreaterThan(DriverSettings.REQUEST_TIMEOUT);
      }
    }
  }

  private static void useAll(CassandraAddress address) {
    try (DatabaseStore store = CassandraStore.open(address, StoreOptions.DEFAULTS)) {
      ContextId context = store.createContext().id();
      NewTurn turn = NewTurn.of(Payload.utf8("a"), new DeclaredType("t", 1), Encoding.JSON);
      TurnId id = store.append(context, turn.withKey(IdempotencyKey.of("key"))).id();
      store.patch(id, Payload.utf8("b"));
      store.describe(context, store.put(Payload.utf8("about")));
      assertThat(store.last(context, 10, View.LATEST).turns()).hasSize(1);
      assertThat(store.findChild(TurnId.NONE, Blake3.hash(Payload.utf8("a")))).contains(id);
      assertThat(store.contexts(null, 10)).hasSize(1);
      assertThat(store.counts().turns()).isEqualTo(1);
      assertThat(store.check().problems()).isEmpty();
    }
  }
}
