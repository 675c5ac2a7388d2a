// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class EntryWordsTest {

  private static EntryWords words(String line) {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    return EntryWords.of(bytes, 0, bytes.length);
  }

  private static String message(String rest) {
    return "{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"message\":{" + rest + "}}";
  }

  @Test
  void theFirstTextOfAMessageIsWhatItSays() {
    EntryWords words =
        words(
            message(
                "\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"hm\"},{\"type\":\"text\",\"text\":\""
                    + " \"},{\"type\":\"text\",\"text\":\"Done.\"}]"));

    assertThat(words.kind()).isEqualTo(EntryKind.ASSISTANT);
    assertThat(words.text()).isEqualTo("Done.");
    assertThat(words.id()).isEqualTo("a");
  }

  @Test
  void aMessageWithoutTextTellsWhatItDoes() {
    String calls =
        "{\"type\":\"toolCall\",\"id\":\"c\",\"name\":\"write\",\"arguments\":null},"
            + "{\"type\":\"toolCall\",\"id\":\"d\",\"name\":\"bash\"}";
    assertThat(words(message("\"role\":\"assistant\",\"content\":[" + calls + "]")).text())
        .isEqualTo("calls write, bash");
    assertThat(
            words(message("\"role\":\"user\",\"content\":[{\"type\":\"image\",\"data\":\"x\"}]"))
                .text())
        .isEqualTo("(image)");
    assertThat(
            words(
                    message(
                        "\"role\":\"toolResult\",\"toolName\":\"edit\",\"isError\":true,"
                            + "\"content\":[]"))
                .text())
        .isEqualTo("edit failed");
  }

  @Test
  void aTextLongerThanTheLookIsCutAndNotLost() {
    for (String unit : new String[] {"x", "ü", "\\n", "\\u00fc", "\\\\", "😀"}) {
      String text = "begin" + unit.repeat(30_000);
      EntryWords words = words(message("\"role\":\"user\",\"content\":\"" + text + "\""));

      assertThat(words.kind()).as(unit).isEqualTo(EntryKind.USER);
      assertThat(words.text()).as(unit).startsWith("begin").hasSizeLessThan(700);
    }
  }

  @Test
  void oddValuesAreNoReasonToFail() {
    for (String line :
        new String[] {
          "", "[]", "{", "{\"type\":1}", "{\"message\":[]}", message("\"role\":{}"), "\u0000"
        }) {
      assertThat(words(line).text()).as(line).isEmpty();
    }
  }
}
