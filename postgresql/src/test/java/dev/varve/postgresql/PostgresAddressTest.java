// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PostgresAddressTest {

  @Test
  void anAddressHasHostsADatabaseASchemaAndParametersOfTheDriver() {
    PostgresAddress address =
        PostgresAddress.parse(
            "postgresql://ada:p%40ss@one:5433,two/team?schema=agents&sslmode=verify-full");

    Properties properties = address.properties();
    assertThat(address.jdbcUrl()).isEqualTo("jdbc:postgresql://one:5433,two/team");
    assertThat(address.schema()).isEqualTo("agents");
    assertThat(properties)
        .containsEntry("user", "ada")
        .containsEntry("password", "p@ss")
        .containsEntry("sslmode", "verify-full");
  }

  @Test
  void theSchemaIsVarveUnlessAnotherIsNamed() {
    assertThat(PostgresAddress.parse("postgres://host/team").schema()).isEqualTo("varve");
  }

  @Test
  void aPasswordIsNeverShown() {
    String address = "postgresql://ada:secret@host/team?sslmode=require";

    assertThat(PostgresAddress.parse(address)).hasToString("postgresql://host/team?schema=varve");
    assertThatThrownBy(() -> PostgresAddress.parse("postgresql://ada:secret@host"))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageNotContaining("secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgresql://ada:secret",
        "postgresql://ada:secret/team",
        "postgresql://ada:se/secret@one/team",
        "postgresql://ada:se/secret@one",
        "postgresql://ada:1/secret@one",
        "postgresql://ada:se?secret@one/team",
        "postgresql://ada:x#secret@one/team",
        "postgresql://ada:x@secret@one/team",
        "postgresql://one,secret!/team",
        "postgresql://one/team?secret",
        "postgresql://one/team?se%20cret=secret",
        "postgresql://one/team?schema=secret!",
        "postgresql://ada:secret%zz@one/team"
      })
  void noMessageRepeatsWhatWasNotUnderstood(String text) {
    assertThatThrownBy(() -> PostgresAddress.parse(text))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageNotContaining("secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgresql://host",
        "postgresql:///team",
        "postgresql://:secret@host/team",
        "postgresql://host,/team",
        "postgresql://ho st/team",
        "postgresql://host:x/team",
        "postgresql://host/team?schema=a;drop",
        "postgresql://host/team?schema=Upper",
        "postgresql://host/team?sslmode",
        "postgresql://ada:%zz@host/team"
      })
  void anotherFormIsRefused(String text) {
    assertThatThrownBy(() -> PostgresAddress.parse(text))
        .isInstanceOf(StoreException.Invalid.class);
  }
}
