// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ElidedLineTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '#',
      value = {
        "{\"a\":1,\"s\":\"x\",\"b\":2} | {\"a\":1,\"b\":2}",
        "{\"s\":\"x\",\"a\":1} | {\"a\":1}",
        "{\"s\":\"x\",\"t\":{\"s\":1},\"a\":1,\"t\":[2]} | {\"a\":1}",
        "{ \"s\" : \"x\" , \"a\" : 1 , \"t\" : null } | { \"a\" : 1  }",
        "{\"a\":{\"s\":1},\"s\":\"\\\"},\\\\\"} | {\"a\":{\"s\":1}}",
        "{\"a\":\"デモ 😀\",\"s\":1,\"b\":\"\\ud800\"} | {\"a\":\"デモ 😀\",\"b\":\"\\ud800\"}",
        "{\"s\":1} | {\"s\":1}",
        "{\"a\":1,\"s\":2 | {\"a\":1,\"s\":2",
        "{\"a\":1,\"s\":2}{\"a\":1} | {\"a\":1,\"s\":2}{\"a\":1}",
        "[{\"s\":1}] | [{\"s\":1}]"
      })
  void membersGoWithOneCommaAndComeBack(String line, String kept) {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);

    ElidedLine elided = ElidedLine.of(bytes, Set.of("s", "t"));

    assertThat(new String(elided.kept(), StandardCharsets.UTF_8)).isEqualTo(kept);
    assertThat(elided.restored()).isEqualTo(bytes);
  }
}
