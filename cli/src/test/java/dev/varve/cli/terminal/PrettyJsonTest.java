// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PrettyJsonTest {

  @Test
  void onlyWhiteSpaceChanges() {
    String json =
        "{\"b\":1.10,\"a\":[12345678901234567890,1e400,-0],\"b\":{\"c\":null,\"d\":\"\\u001b\"}}";

    String pretty = PrettyJson.find(json).orElseThrow();

    assertThat(pretty.lines().count()).isGreaterThan(5);
    assertThat(pretty.replaceAll("\\s", "").toLowerCase(java.util.Locale.ROOT)).isEqualTo(json);
  }

  @ParameterizedTest
  @ValueSource(strings = {"text", "", "12", "{\"a\":1", "{} {}", "{\"a\":1}\n{\"a\":2}", "{]"})
  void whatIsNotOneObjectOrArrayIsLeftAlone(String text) {
    assertThat(PrettyJson.find(text)).isEmpty();
  }
}
