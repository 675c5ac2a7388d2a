// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SourceFormatTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          PI          | {"type":"session","version":3,"id":"01a2","cwd":"/src"}
          CLAUDE_CODE | {"parentUuid":null,"type":"user","uuid":"u","message":{"role":"user"}}
          CLAUDE_CODE | {"type":"summary","summary":"Fix it","leafUuid":"u"}
          CLAUDE_CODE | {"type":"queue-operation","operation":"enqueue","sessionId":"s"}
          CLAUDE_CODE | {"type":"file-history-snapshot","messageId":"m","snapshot":{}}
          QWEN_CODE   | {"uuid":"u","parentUuid":null,"sessionId":"s","message":{"parts":[]}}
          QWEN_CODE   | {"uuid":"u","parentUuid":null,"type":"system","systemPayload":{}}
          CODEX       | {"payload":{"id":"x"},"timestamp":"2026-01-01","type":"session_meta"}
          CODEX       | {"id":"x","timestamp":"2025-05-07","instructions":null}
          GEMINI_CLI  | {"sessionId":"s","projectHash":"p","startTime":"2026-01-01"}
          GEMINI_CLI  | [{"sessionId":"s","messageId":0,"type":"user","message":"hello"}]
          COPILOT_CLI | {"type":"session.start","data":{"sessionId":"s"},"id":"e"}
          FACTORY     | {"type":"session_start","id":"s","cwd":"/src"}
          KIRO        | {"version":"v1","kind":"Prompt","data":{}}
          CURSOR      | {"role":"user","message":{"content":[]}}
          AMP         | {"id":"T-0190","messages":[{"role":"user"}]}
          CLINE       | [{"role":"user","content":[{"type":"text"}]}]
          DEEPSEEK    | {"type":"session","version":0,"id":"s","createdAt":1,"delegationDepth":0}
          AIDER       | # aider chat started at 2026-01-01 10:00:00
          """)
  void aFormatIsToldByTheFirstRecord(SourceFormat format, String start) {
    assertThat(SourceFormat.of(utf8(start + "\n"))).contains(format);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n",
        "{",
        "[]",
        "[[",
        "{}",
        "null",
        "notes",
        "{\"type\":\"message\"}",
        "\0\0"
      })
  void whatIsNoneOfThemHasNoFormat(String start) {
    assertThat(SourceFormat.of(utf8(start))).isEqualTo(Optional.empty());
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
