// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// A service finds turns by their words while turns arrive.
final class SearchRoutesTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir Path folder;
  private Served served;
  private ContextId context;

  @BeforeEach
  void start() {
    Path store = folder.resolve("s");
    served = new Served(store, Served.ANY_PORT.withSearch(store));
    context = served.store.createContext().id();
  }

  @AfterEach
  void stop() {
    served.close();
  }

  private void say(String json) {
    DeclaredType type = new DeclaredType("claude-code.line", 1);
    served.store.append(context, NewTurn.of(Payload.utf8(json), type, Encoding.JSON));
  }

  private void run(String id, String command, String output, boolean failed) {
    say(
        ("{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"%s\",\"name\":"
                + "\"Bash\",\"input\":{\"command\":\"%s\"}}]}")
            .formatted(id, command));
    say(
        ("{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"%s\","
                + "\"content\":\"%s\",\"is_error\":%s}]}")
            .formatted(id, output, failed));
  }

  /// Asks until the index has every turn: it follows by itself.
  private JsonNode whole(String path) {
    Instant end = Instant.now().plus(PATIENCE);
    while (true) {
      Served.Reply reply = served.get(path);
      assertThat(reply.status()).as(reply.text()).isEqualTo(200);
      JsonNode answer = reply.json();
      if (answer.path("turns_indexed").asLong() == answer.path("turns").asLong()) {
        return answer;
      }
      assertThat(Instant.now()).as("indexed in time: %s", answer).isBefore(end);
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Test
  void turnsAreFoundWithTheirWordsMarked() {
    say("{\"role\":\"user\",\"content\":\"Why is the connection pool exhausted?\"}");
    JsonNode answer = whole("/v1/search?q=" + encoded("\"connection pool\" role:prompt"));

    assertThat(answer.path("total_count").asInt()).isEqualTo(1);
    JsonNode hit = answer.path("hits").get(0);
    assertThat(hit.path("snippet").asString()).contains("connection pool exhausted");
    assertThat(hit.path("marks")).hasSize(2);
    assertThat(hit.path("turn_id").asString()).isNotEmpty();
  }

  @Test
  void anErrorLeadsToWhatWorked() {
    run("a", "make build", "error: undefined symbol frobnicate", true);
    run("b", "make clean", "make: cannot remove", true);
    run("c", "make -B build", "built", false);
    JsonNode fix = whole("/v1/search/fix?q=" + encoded("undefined symbol frobnicate"));

    JsonNode then = fix.path("hits").get(0).path("then");
    assertThat(then).hasSize(2);
    assertThat(then.get(1).path("command").asString()).isEqualTo("make -B build");
    assertThat(then.get(1).path("exit").asInt()).isZero();
    JsonNode how = whole("/v1/search/how?q=build");
    assertThat(how.path("hits")).hasSize(1);
    assertThat(how.path("hits").get(0).path("text").asString()).isEqualTo("make -B build");
  }

  @Test
  void aQuestionInPlainWordsIsAnswered() {
    say("{\"role\":\"assistant\",\"content\":\"We decided on port 9010 for the service.\"}");
    JsonNode answer = whole("/v1/search/recall?q=" + encoded("which port did we take?"));

    assertThat(answer.path("hits").get(0).path("text").asString()).contains("port 9010");
  }

  @Test
  void mistakesAreNamed() {
    Served.Reply wrong = served.get("/v1/search?q=" + encoded("pool \"open"));

    assertThat(wrong.status()).isEqualTo(422);
    assertThat(wrong.text()).contains("column 6");
    assertThat(served.get("/v1/search/recall").status()).isEqualTo(422);
  }
}
