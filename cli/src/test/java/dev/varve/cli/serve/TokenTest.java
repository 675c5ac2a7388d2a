// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import static dev.varve.cli.Call.varve;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Call;
import dev.varve.server.access.Scope;
import dev.varve.server.access.TokenAuthenticator;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TokenTest {

  @TempDir Path folder;

  private Path store() {
    return folder.resolve("s");
  }

  @Test
  void aTokenIsMadeListedAndTakenBack() {
    String token = varve(store(), "token", "create", "ci", "--rate", "5").out().strip();
    Path file = folder.resolve("s.tokens");

    assertThat(
            TokenAuthenticator.open(file, InstantSource.fixed(Call.NOW))
                .authenticate(token)
                .orElseThrow()
                .admit(Scope.WRITE)
                .name())
        .isEqualTo("ADMITTED");
    assertThat(varve(store(), "token", "list").out())
        .contains("ci", "read,write", "5")
        .doesNotContain(token);
    assertThat(varve(store(), "token", "revoke", "ci").status()).isZero();
    assertThat(TokenAuthenticator.open(file, InstantSource.fixed(Call.NOW)).authenticate(token))
        .isEmpty();
    assertThat(varve(store(), "token", "list").err()).contains("no tokens yet");
  }

  @Test
  void aTokenMayExpire() {
    assertThat(varve(store(), "token", "create", "ci", "--expires", "90d", "--json").out())
        .contains("\"expires_at\":\"2026-04-05T12:00:00Z\"");
    assertThat(varve(store(), "token", "list").out()).contains("2026-04-05 12:00");
    assertThat(varve(store(), "token", "list", "--json").out()).contains("\"expires_at\":");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "token",
        "token create",
        "token create x --scopes all",
        "token create x --rate -1",
        "token create x --expires soon",
        "token create x --expires 0",
        "token create ci",
        "serve --http nowhere:port",
        "serve --http 0 --tls-cert x",
        "serve --http 0.0.0.0:0"
      })
  void aWrongCallIsStatusTwo(String command) {
    varve(store(), "token", "create", "ci");

    Call.Result result = varve(store(), command.split(" "));

    assertThat(result.status()).as(result.err()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
  }

  @Test
  void whatIsNotThereIsStatusOne() {
    assertThat(varve(store(), "token", "revoke", "nobody").status()).isEqualTo(1);
    assertThat(
            varve(store(), "serve", "--http", "0", "--token-file", folder.resolve("no").toString())
                .status())
        .isEqualTo(1);
  }

  @Test
  void theTokenIsForTheScriptAndTheRestForThePerson() {
    assertThat(varve(store(), "token", "create", "ci", "--json").out())
        .contains("\"name\":\"ci\"", "\"token\":\"varve_");
    assertThat(varve(store(), "token", "list", "--json").out())
        .contains("\"scopes\":\"read,write\",\"rate_per_second\":0");
  }
}
