// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.cassandra.cql.CassandraAddress;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.KeyspaceReplication;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The making of the keyspace and of the tables, in keyspaces of the tests' own.
@Tag("cluster")
final class ClusterSetupTest {

  private static CassandraAddress keyspace(String name) {
    return CassandraAddress.parse(
        CassandraCluster.shared().freshStore().toString().replace("varve_test", name) + "&dc=dc1");
  }

  private static void define(CassandraAddress address, String... statements) {
    try (ClusterSession session = new ClusterSession(address)) {
      for (String statement : statements) {
        session.define(statement.replace("ks", address.keyspace()));
      }
    }
  }

  @Test
  void aKeyspaceWithHalfOfTheTablesIsNoStore() {
    CassandraAddress address = keyspace("varve_half");
    define(
        address,
        "CREATE KEYSPACE IF NOT EXISTS ks WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'dc1': 1}");
    String[] tables =
        ClusterSetup.statements().stream()
            .map(statement -> statement.replace("%s", "ks"))
            .toArray(String[]::new);
    define(address, tables[0], tables[1]);

    assertThat(tables[tables.length - 1]).contains("EXISTS ks.store ");
    assertThatThrownBy(() -> CassandraStore.open(address, StoreOptions.DEFAULTS))
        .isInstanceOf(StoreException.NoStore.class)
        .hasMessageContaining("no tables of format");
  }

  @Test
  void anotherReplicationThanTheKeyspacesIsRefused() {
    CassandraAddress address = CassandraCluster.shared().freshStore();

    assertThatCode(() -> CassandraStore.prepare(address, "dc1=1")).doesNotThrowAnyException();
    assertThatThrownBy(() -> CassandraStore.prepare(address, "dc1=3"))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("varve_test")
        .hasMessageContaining("expected dc1=3, found dc1=1");
  }

  @Test
  void aKeyspaceOfAnotherStrategyIsRefused() {
    CassandraAddress address = keyspace("varve_simple");
    define(
        address,
        "CREATE KEYSPACE IF NOT EXISTS ks WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 1}");

    assertThatThrownBy(() -> CassandraStore.prepare(address, "dc1=1"))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("SimpleStrategy");
  }

  @Test
  void aProgramThatDecidesElsewhereIsRefused() {
    CassandraAddress all = CassandraCluster.shared().freshStore();
    CassandraAddress one = CassandraCluster.shared().freshStore();
    CassandraStore.open(all, StoreOptions.DEFAULTS).close();
    CassandraStore.open(local(one), StoreOptions.DEFAULTS).close();
    CassandraStore.open(local(one), StoreOptions.DEFAULTS).close();

    assertThatThrownBy(() -> CassandraStore.open(local(all), StoreOptions.DEFAULTS))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("expected no serial=local");
    assertThatThrownBy(() -> CassandraStore.openExisting(one, StoreOptions.DEFAULTS))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("expected serial=local and dc=dc1, as the store was made");
  }

  private static CassandraAddress local(CassandraAddress address) {
    return CassandraAddress.parse(address + "&dc=dc1&serial=local");
  }

  @Test
  void aReplicationOfAnotherFormIsRefused() {
    for (String text : new String[] {"", "dc1", "dc1=0", "dc1=3,", "dc1=3,dc1=2", "dc1=1} AND x"}) {
      assertThatThrownBy(() -> KeyspaceReplication.parse(text))
          .as(text)
          .isInstanceOf(StoreException.Invalid.class);
    }
    KeyspaceReplication two = KeyspaceReplication.parse("dc2=2,dc1=3");
    assertThat(two.cql()).isEqualTo("{'class': 'NetworkTopologyStrategy', 'dc1': 3, 'dc2': 2}");
    assertThat(two)
        .isEqualTo(
            KeyspaceReplication.of(
                Map.of(
                    "class",
                    "org.apache.cassandra.locator.NetworkTopologyStrategy",
                    "dc1",
                    "3",
                    "dc2",
                    "2")));
  }
}
