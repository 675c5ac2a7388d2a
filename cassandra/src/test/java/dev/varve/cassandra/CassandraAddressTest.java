// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.cassandra.cql.CassandraAddress;
import dev.varve.cassandra.cql.CassandraAddress.Login;
import dev.varve.cassandra.cql.CassandraAddress.Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CassandraAddressTest {

  @Test
  void anAddressHasHostsAKeyspaceALoginAndParameters() {
    CassandraAddress address =
        CassandraAddress.parse(
            "cassandra://ada:p%40ss@one:9043,two,[::1]/team?dc=east&store=b&serial=local&tls=on");

    assertThat(address.nodes())
        .containsExactly(new Node("one", 9043), new Node("two", 9042), new Node("[::1]", 9042));
    assertThat(address.keyspace()).isEqualTo("team");
    assertThat(address.login()).isEqualTo(new Login("ada", "p@ss"));
    assertThat(address.dataCentre()).isEqualTo("east");
    assertThat(address.store()).isEqualTo("b");
    assertThat(address.isSerialLocal()).isTrue();
    assertThat(address.isEncrypted()).isTrue();
  }

  @Test
  void aPlainAddressHasTheUsualParameters() {
    CassandraAddress address = CassandraAddress.parse("cassandra://one/team");

    assertThat(address.store()).isEqualTo("varve");
    assertThat(address.login()).isNull();
    assertThat(address.dataCentre()).isNull();
    assertThat(address.isSerialLocal()).isFalse();
    assertThat(address.isEncrypted()).isFalse();
  }

  @Test
  void aPasswordIsNeverShown() {
    String address = "cassandra://ada:secret@one,two/team?dc=east";

    assertThat(CassandraAddress.parse(address)).hasToString("cassandra://one,two/team?store=varve");
    assertThatThrownBy(() -> CassandraAddress.parse("cassandra://ada:secret@one"))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageNotContaining("secret");
    assertThat(CassandraAddress.parse(address).login()).hasToString("the login of ada");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cassandra://ada:secret",
        "cassandra://ada:secret/team",
        "cassandra://ada:se/secret@one/team",
        "cassandra://ada:se/secret@one",
        "cassandra://ada:se?secret@one/team",
        "cassandra://ada:x#secret@one/team",
        "cassandra://ada:x@secret@one/team",
        "cassandra://ada:se/secret",
        "cassandra://ada:1/Secret@one",
        "cassandra://one,secret!/team",
        "cassandra://one/team?secret",
        "cassandra://one/team?secret=secret",
        "cassandra://one/team?serial=secret",
        "cassandra://one/team?store=secret!",
        "cassandra://ada:secret%zz@one/team"
      })
  void noMessageRepeatsWhatWasNotUnderstood(String text) {
    assertThatThrownBy(() -> CassandraAddress.parse(text))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageNotContainingAny("secret", "Secret");
  }

  @Test
  void loginsThatLookAlikeShareNoConnection() {
    assertThat(CassandraAddress.parse("cassandra://a%3Ab:c@one/team").cluster())
        .isNotEqualTo(CassandraAddress.parse("cassandra://a:b%3Ac@one/team").cluster());
    assertThat(CassandraAddress.parse("cassandra://a:b@one/team?store=x").cluster())
        .isEqualTo(CassandraAddress.parse("cassandra://a:b@one/team?store=y").cluster());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cassandra://one",
        "cassandra:///team",
        "cassandra://one/Team",
        "cassandra://one/team;drop",
        "cassandra://one:0/team",
        "cassandra://one:70000/team",
        "cassandra://one,,two/team",
        "cassandra://one/team?dc",
        "cassandra://one/team?dc=a%20b",
        "cassandra://one/team?dc=a&dc=b",
        "cassandra://one/team?serial=local",
        "cassandra://:secret@one/team",
        "cassandra://o ne/team",
        "cassandra://one/team?store=a%20b",
        "cassandra://one/team?serial=maybe",
        "cassandra://one/team?colour=blue",
        "cassandra://ada:%zz@one/team"
      })
  void anotherFormIsRefused(String text) {
    assertThatThrownBy(() -> CassandraAddress.parse(text))
        .isInstanceOf(StoreException.Invalid.class);
  }
}
