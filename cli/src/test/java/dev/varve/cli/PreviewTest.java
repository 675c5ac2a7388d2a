// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.Payload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PreviewTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"role\":\"user\",\"content\":\"hello\"}|user: hello",
        "{\"type\":\"message\",\"message\":{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"hi\"}]}}|assistant:"
            + " hi",
        "{\"content\":\"no role\"}|no role",
        "{\"a\":1,  \"b\":2}|{\"a\":1, \"b\":2}",
        "[1,2]|[1,2]",
        "{broken|{broken",
        "just text|just text",
      })
  void aMessageShowsItsWords(String payload, String preview) {
    assertThat(Preview.of(Payload.utf8(payload))).isEqualTo(preview);
  }

  @Test
  void onlyTheFirstLineIsShown() {
    assertThat(Preview.of(Payload.utf8("one\ntwo"))).isEqualTo("one …");
  }

  @Test
  void whatIsNotTextIsSaidToBeBinary() {
    assertThat(Preview.of(Payload.of(new byte[] {(byte) 0x82, 0x01, (byte) 0xff})))
        .isEqualTo("(binary)");
    assertThat(Preview.of(Payload.utf8("a\0b"))).isEqualTo("(binary)");
    assertThat(Preview.of(Payload.EMPTY)).isEqualTo("(empty)");
  }

  @Test
  void aLongTextIsLookedAtOnlyAtItsBeginning() {
    // The look ends inside a character of four bytes, and inside a string.
    String text = "{\"text\":\"x" + "😀".repeat(10_000) + "\"}";

    assertThat(Preview.of(Payload.utf8(text))).startsWith("{\"text\":\"x😀");
  }

  @Test
  void jsonThatNestsWithoutEndIsNoTrouble() {
    assertThat(Preview.of(Payload.utf8("[".repeat(100_000)))).startsWith("[[[");
  }
}
