// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.Payload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PayloadPreviewTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"role\":\"user\",\"content\":\"hello\"}|user: hello",
        "{\"type\":\"message\",\"message\":{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"hi\"}]}}|assistant:"
            + " hi",
        "{\"content\":\"no role\"}|no role",
        "{\"role\":\"assistant\",\"content\":[{\"type\":\"toolCall\",\"name\":\"bash\",\"arguments\":{\"command\":\"ls"
            + " -la\"}}]}|assistant: bash ls -la",
        "{\"type\":\"function_call\",\"name\":\"exec\",\"arguments\":\"[1]\"}|exec [1]",
        "{\"type\":\"model_change\",\"to\":3}|model_change {\"type\":\"model_change\",\"to\":3}",
        "{\"a\":1,  \"b\":2}|{\"a\":1, \"b\":2}",
        "[1,2]|[1,2]",
        "{broken|{broken",
        "just text|just text",
      })
  void aMessageShowsItsWords(String payload, String preview) {
    assertThat(PayloadPreview.of(Payload.utf8(payload))).isEqualTo(preview);
  }

  @Test
  void onlyTheFirstLineIsShown() {
    assertThat(PayloadPreview.of(Payload.utf8("one\ntwo"))).isEqualTo("one …");
  }

  @Test
  void whatIsNotTextIsSaidToBeBinary() {
    assertThat(PayloadPreview.of(Payload.of(new byte[] {(byte) 0x82, 0x01, (byte) 0xff})))
        .isEqualTo("(binary)");
    assertThat(PayloadPreview.of(Payload.utf8("a\0b"))).isEqualTo("(binary)");
    assertThat(PayloadPreview.of(Payload.EMPTY)).isEqualTo("(empty)");
  }

  @Test
  void theWordsOfALongTextAreCut() {
    // The cut falls inside a character of four bytes.
    String text = "{\"text\":\"x" + "😀".repeat(10_000) + "\"}";

    assertThat(PayloadPreview.of(Payload.utf8(text))).startsWith("x😀");
  }

  @Test
  void theWordsBehindALongPartAreFound() {
    String image = "{\"role\":\"user\",\"parts\":[{\"data\":\"" + "A".repeat(1 << 20) + "\"},";

    assertThat(PayloadPreview.of(Payload.utf8(image + "{\"text\":\"look\"}]}")))
        .isEqualTo("user: look");
    assertThat(PayloadPreview.of(Payload.utf8("[" + "1,".repeat(1_000) + "{\"text\":\"look\"}]")))
        .isEqualTo("look");
  }

  @Test
  void jsonThatNestsWithoutEndIsNoTrouble() {
    assertThat(PayloadPreview.of(Payload.utf8("[".repeat(100_000)))).startsWith("[[[");
  }
}
