// SPDX-License-Identifier: Apache-2.0
package dev.varve.search.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.Encoding;
import dev.varve.Payload;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The records of Gemini CLI and Qwen Code.
class PartTextsTest {

  private static List<String> texts(String json) {
    return TurnTexts.of("x.y", Encoding.JSON, Payload.utf8(json)).texts().stream()
        .map(text -> text.kind() + " " + text.text())
        .toList();
  }

  @Test
  void anAnswerOfGeminiHasItsTextItsThoughtsAndItsCallsOnce() {
    assertThat(
            texts(
                """
                {"id":"a","type":"gemini","content":"looking","thoughts":[{"subject":"Plan",
                "description":"read it"}],"toolCalls":[{"id":"k","name":"run_shell_command",
                "args":{"command":"ls"},"result":[{"functionResponse":{"response":{"output":"f"}}}],
                "resultDisplay":"f"}]}
                """))
        .containsExactly("ANSWER looking", "THINKING Plan\nread it", "COMMAND ls");
    assertThat(texts("{\"id\":\"a\",\"type\":\"gemini\",\"content\":\"done\",\"thoughts\":[]}"))
        .containsExactly("ANSWER done");
  }

  @Test
  void promptsAndResultsOfGeminiAreParts() {
    assertThat(texts("{\"id\":\"u\",\"type\":\"user\",\"content\":[{\"text\":\"fix it\"}]}"))
        .containsExactly("PROMPT fix it");
    assertThat(
            texts(
                "{\"id\":\"u\",\"type\":\"user\",\"content\":[{\"functionResponse\":"
                    + "{\"id\":\"k\",\"name\":\"ls\",\"response\":{\"output\":\"a b\"}}}]}"))
        .containsExactly("OUTPUT a b");
  }

  @Test
  void aRecordOfQwenHasTheTextsOfItsMessageAndNotThoseThatRepeatThem() {
    assertThat(
            texts(
                """
                {"uuid":"u","type":"assistant","message":{"role":"model","parts":[
                {"text":"hm","thought":true},{"text":"Writing."},
                {"functionCall":{"id":"k","name":"shell","args":{"command":"ls"}}}]}}
                """))
        .containsExactly("THINKING hm", "ANSWER Writing.", "COMMAND ls");
    assertThat(
            texts(
                """
                {"uuid":"u","type":"tool_result","message":{"role":"user","parts":[
                {"functionResponse":{"id":"k","name":"shell","response":{"error":"no"}}}]},
                "toolCallResult":{"resultDisplay":"no"}}
                """))
        .containsExactly("OUTPUT no");
  }
}
