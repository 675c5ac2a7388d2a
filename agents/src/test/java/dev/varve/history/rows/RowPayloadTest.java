// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.rows;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowPayloadTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[{\"type\": \"text\"}] | [{\"type\": \"text\"}]",
        "7                      | 7",
        "1,\"role\":\"x\"         | \"1,\\\"role\\\":\\\"x\\\"\"",
        "[1] [2]                | \"[1] [2]\"",
        "]                      | \"]\"",
        "``                     | \"\"",
      })
  void aContentThatIsOneValueStaysAndAnyOtherIsAText(String content, String spelled) {
    assertThat(RowPayload.of("user", "parts", content).text())
        .isEqualTo("{\"role\":\"user\",\"parts\":" + spelled + "}");
  }
}
