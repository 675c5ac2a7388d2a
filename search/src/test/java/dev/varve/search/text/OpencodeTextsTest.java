// SPDX-License-Identifier: Apache-2.0
package dev.varve.search.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.Encoding;
import dev.varve.Payload;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The rows of opencode's database.
class OpencodeTextsTest {

  private static List<FoundText> found(String kind, String json) {
    return TurnTexts.of("opencode." + kind, Encoding.JSON, Payload.utf8(json)).texts();
  }

  private static List<String> texts(String kind, String json) {
    return found(kind, json).stream().map(text -> text.kind() + " " + text.text()).toList();
  }

  @Test
  void theKindOfATurnSaysWhoseWordsAPartHas() {
    String text = "{\"type\":\"text\",\"text\":\"fix it\",\"time\":{\"start\":1}}";
    assertThat(texts("user", text)).containsExactly("PROMPT fix it");
    assertThat(texts("assistant", text)).containsExactly("ANSWER fix it");
    assertThat(texts("reasoning", "{\"type\":\"reasoning\",\"text\":\"hm\"}"))
        .containsExactly("THINKING hm");
  }

  @Test
  void oneToolPartIsACallAndItsResultWithTheExitStatus() {
    List<FoundText> texts =
        found(
            "tool",
            """
            {"type":"tool","tool":"bash","callID":"c1","state":{"status":"completed",
            "input":{"command":"make test","description":"run"},"output":"2 failed",
            "metadata":{"output":"2 failed","exit":2},"title":"make test"}}
            """);
    assertThat(texts)
        .extracting(FoundText::kind)
        .containsExactly(TextKind.COMMAND, TextKind.OUTPUT);
    assertThat(texts.getFirst().text()).startsWith("make test");
    assertThat(texts.getLast().text()).isEqualTo("2 failed");
    assertThat(texts.getLast().exit()).isEqualTo(2);
    assertThat(texts).extracting(FoundText::tool).containsOnly("bash");
    assertThat(texts).extracting(FoundText::call).containsOnly("c1");
  }

  @Test
  void aFailedToolAnEditAndARunningToolAreReadAsWhatTheyAre() {
    List<FoundText> failed =
        found(
            "tool",
            """
            {"type":"tool","tool":"read","callID":"c","state":{"status":"error",
            "input":{"filePath":"/src/none.txt"},"error":"File not found"}}
            """);
    assertThat(failed)
        .extracting(FoundText::kind)
        .containsExactly(TextKind.COMMAND, TextKind.PATH, TextKind.OUTPUT);
    assertThat(failed.getLast().exit()).isEqualTo(1);
    assertThat(
            texts(
                "tool",
                """
                {"type":"tool","tool":"edit","callID":"c","state":{"status":"completed",
                "input":{"filePath":"a.txt","oldString":"one","newString":"two"},"output":"ok"}}
                """))
        .contains("PATH a.txt", "EDIT one", "EDIT two", "OUTPUT ok");
    assertThat(
            texts(
                "tool",
                """
                {"type":"tool","tool":"bash","callID":"c","state":{"status":"running",
                "input":{"command":"sleep 20"}}}
                """))
        .containsExactly("COMMAND sleep 20");
  }

  @Test
  void theErrorOfAnAnswerIsFoundAndTheSettingsOfAMessageAreNot() {
    assertThat(
            texts(
                "message",
                """
                {"role":"assistant","error":{"name":"APIError","data":{"message":"overloaded"}}}
                """))
        .containsExactly("TEXT overloaded");
    assertThat(texts("message", "{\"role\":\"user\",\"agent\":\"build\"}")).isEmpty();
  }
}
