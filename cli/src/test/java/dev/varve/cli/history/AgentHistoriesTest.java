// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Call;
import dev.varve.history.PathHash;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The histories of a home with sessions of Gemini CLI and Qwen Code.
class AgentHistoriesTest {

  private static final String GEMINI_ID = "0a1b2c3d-0000-4000-8000-000000000001";
  private static final String GEMINI =
      ".gemini/tmp/shop/chats/session-2026-01-05T10-00-0a1b2c3d.jsonl";
  private static final String QWEN_ID = "00000000-0000-4000-8000-000000000002";
  private static final String QWEN = ".qwen/projects/-src-shop/chats/" + QWEN_ID + ".jsonl";

  @TempDir Path folder;

  @BeforeEach
  void writeTheSessions() throws IOException {
    write(
        GEMINI,
        """
        {"sessionId":"%s","projectHash":"%s","startTime":"2026-01-05T10:00:00.000Z","kind":"main"}
        {"$set":{"messages":[{"id":"c","type":"user","content":[{"text":"<session_context>\\n  - /src/shop\\n"}]}]}}
        {"id":"u","timestamp":"2026-01-05T10:00:01.000Z","type":"user","content":[{"text":"paint the door"}]}
        {"id":"a","timestamp":"2026-01-05T10:00:02.000Z","type":"gemini","content":"It is scarlet now."}
        """
            .formatted(GEMINI_ID, PathHash.of("/src/shop")));
    write(
        QWEN,
        """
        {"uuid":"u","parentUuid":null,"sessionId":"%1$s","timestamp":"2026-01-05T09:00:00.000Z","type":"user","cwd":"/src/shop","message":{"role":"user","parts":[{"text":"oil the hinge"}]}}
        {"uuid":"a","parentUuid":"u","sessionId":"%1$s","timestamp":"2026-01-05T09:00:01.000Z","type":"assistant","cwd":"/src/shop","message":{"role":"model","parts":[{"text":"It creaks no more."}]}}
        """
            .formatted(QWEN_ID));
    write(".gemini/oauth_creds.json", "{\"access_token\":\"secret\"}");
    write(".qwen/settings.json", "{\"key\":\"secret\"}");
  }

  private void write(String name, String text) throws IOException {
    Path file = folder.resolve("home").resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private Call.Result varve(String... args) {
    return new Call()
        .with("HOME", folder.resolve("home").toString())
        .on(folder.resolve("store"), args);
  }

  @Test
  void aSyncArchivesBothAndAnotherTakesNothing() {
    assertThat(varve("agents").out())
        .containsPattern("gemini +1 .* 0 %")
        .containsPattern("qwen +1 .* 0 %");
    assertThat(varve("sync").out()).contains("2 sessions, 5 new turns, 2 new contexts");
    assertThat(varve("sync").out()).contains("2 unchanged").contains(" 0 new turns");
    assertThat(varve("agents").out())
        .containsPattern("gemini +1 .* 100 %")
        .containsPattern("qwen +1 .* 100 %");
  }

  @ParameterizedTest
  @CsvSource({
    "gemini, paint the door, scarlet, It is scarlet now.",
    "qwen, oil the hinge, creaks, It creaks no more.",
  })
  void aSessionIsFoundByAgentProjectAndWords(
      String agent, String title, String word, String answer) {
    varve("sync");

    assertThat(varve("contexts", "--agent", agent, "--project", "shop").lines())
        .hasSize(2)
        .last()
        .asString()
        .contains("shop", title);
    assertThat(varve("search", word).out()).contains(answer).contains(agent);
  }

  @ParameterizedTest
  @CsvSource({"gemini, " + GEMINI_ID, "qwen, " + QWEN_ID})
  void aSessionThatIsGoneComesBackByteForByte(String agent, String id) throws IOException {
    String name = agent.equals("gemini") ? GEMINI : QWEN;
    Path file = folder.resolve("home").resolve(name);
    String text = Files.readString(file);
    String context =
        varve("import", agent, file.toString(), "--json")
            .out()
            .replaceFirst("(?s).*\"manifest_context_id\":\"(\\d+)\".*", "$1");
    Files.delete(file);

    assertThat(varve("put-back", context, "--dry-run").out()).contains("1 file would be written");
    assertThat(file).doesNotExist();
    assertThat(varve("put-back", context).err()).contains("--resume " + id);
    assertThat(file).hasContent(text.stripTrailing());

    Files.writeString(file, "another");
    assertThat(varve("put-back", context).status()).isEqualTo(2);
    assertThat(file).hasContent("another");
  }

  @ParameterizedTest
  @CsvSource({"gemini, " + GEMINI, "qwen, " + QWEN})
  void aFileIsRecognisedByItsContentAndRefusedByEveryOtherImport(String agent, String name)
      throws IOException {
    Path file = folder.resolve("x.txt");
    Files.copy(folder.resolve("home").resolve(name), file);
    for (String other : new String[] {"pi", "claude-code", "codex", "gemini", "qwen"}) {
      if (!other.equals(agent)) {
        Call.Result refused = varve("import", other, file.toString());
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err() + refused.out()).contains("'varve import " + agent + "'");
      }
    }
    assertThat(varve("contexts", "--all").out()).as("no trace").isEmpty();

    assertThat(varve("import", file.toString()).status()).isZero();
    assertThat(varve("contexts", "--agent", agent).lines()).hasSize(2);
  }
}
