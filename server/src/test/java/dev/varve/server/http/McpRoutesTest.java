// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import static dev.varve.server.http.Served.ANY_PORT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.server.access.Scope;
import dev.varve.server.access.TokenAuthenticator;
import dev.varve.server.access.TokenFile;
import dev.varve.server.http.Served.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

final class McpRoutesTest {

  @TempDir Path folder;

  private static String call(String tool, String arguments) {
    return "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\""
        + tool
        + "\",\"arguments\":"
        + arguments
        + "}}";
  }

  private static JsonNode result(Served served, String tool, String arguments) {
    return served.post("/mcp", call(tool, arguments)).json().get("result");
  }

  /// What a tool answers, as JSON.
  private static JsonNode said(Served served, String tool, String arguments) {
    return JsonTrees.read(
        result(served, tool, arguments)
            .at("/content/0/text")
            .stringValue()
            .getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void anAgentWritesAndReadsItsHistory() {
    try (Served served = new Served(folder.resolve("s"))) {
      JsonNode made = said(served, "cxdb_create_context", "{}");
      String context = made.at("/context_id").asString();
      for (String role : List.of("user", "assistant", "system")) {
        JsonNode said =
            result(
                served,
                "cxdb_append_message",
                "{\"context_id\":\"%s\",\"role\":\"%s\",\"text\":\"from %s\"}"
                    .formatted(context, role, role));
        assertThat(said.get("isError").booleanValue()).as(said.toString()).isFalse();
      }
      JsonNode read = said(served, "varve_get_turns", "{\"context_id\":" + context + "}");
      assertThat(read.at("/turns/0/data/10/1").asString("")).isEqualTo("from user");
      assertThat(read.toString()).doesNotContain("projection_error");
      JsonNode turns =
          said(served, "cxdb_get_turns", "{\"context_id\":" + context + ",\"view\":\"raw\"}");
      JsonNode own =
          said(
              served,
              "cxdb_append_turn",
              "{\"context_id\":\"1\",\"type_id\":\"x.Y\",\"type_version\":1,\"data\":{\"1\":\"hi\"}}");

      assertThat(turns.at("/turns").size()).isEqualTo(3);
      assertThat(turns.at("/turns/0/declared_type/type_id").stringValue())
          .isEqualTo("cxdb.ConversationItem");
      assertThat(own.at("/depth").intValue()).isEqualTo(3);
      assertThat(said(served, "cxdb_list_contexts", "{}").at("/count").intValue()).isEqualTo(1);
      assertThat(said(served, "cxdb_search", "{\"q\":\"depth = 3\"}").at("/total_count").intValue())
          .isEqualTo(1);
      assertThat(
              result(served, "cxdb_get_context", "{\"context_id\":\"1\"}")
                  .get("isError")
                  .booleanValue())
          .isFalse();
      assertThat(
              result(served, "cxdb_get_provenance", "{\"context_id\":\"1\"}")
                  .get("isError")
                  .booleanValue())
          .isFalse();
    }
  }

  @Test
  void theNamesOfCxdbsGatewayAreUnderstood() {
    try (Served served = new Served(folder.resolve("s"))) {
      said(served, "cxdb_create_context", "{}");
      JsonNode raw =
          said(
              served,
              "cxdb_append_turn",
              "{\"context_id\":\"1\",\"type_id\":\"x.Y\",\"type_version\":1,\"payload_base64\":\"gA==\"}");
      said(
          served,
          "cxdb_append_message",
          "{\"context_id\":\"1\",\"role\":\"user\",\"text\":\"second\"}");

      JsonNode one =
          said(
              served,
              "cxdb_get_turns",
              "{\"context_id\":\"1\",\"turn_id\":\"%s\",\"view\":\"raw\"}"
                  .formatted(raw.get("turn_id").stringValue()));

      assertThat(one.get("turns").size()).isEqualTo(1);
      assertThat(one.at("/turns/0/bytes_b64").stringValue()).isEqualTo("gA==");
      assertThat(
              said(served, "cxdb_search_contexts", "{\"query\":\"depth = 1\"}")
                  .get("total_count")
                  .intValue())
          .isEqualTo(1);
    }
  }

  @Test
  void whatGoesWrongIsToldToTheAgentOrToTheProgram() {
    try (Served served = new Served(folder.resolve("s"))) {
      JsonNode missing = result(served, "cxdb_get_turns", "{\"context_id\":\"9\"}");
      assertThat(missing.get("isError").booleanValue()).isTrue();
      assertThat(missing.at("/content/0/text").stringValue()).contains("context 9");
      assertThat(result(served, "cxdb_get_turns", "{}").get("isError").booleanValue()).isTrue();
      assertThat(result(served, "cxdb_search", "{\"q\":\"(\"}").get("isError").booleanValue())
          .isTrue();
      assertThat(
              result(served, "cxdb_get_turns", "{\"context_id\":\"1\",\"x\":1}")
                  .at("/content/0/text")
                  .stringValue())
          .contains("no such argument");
      assertThat(served.post("/mcp", call("rm", "{}")).json().at("/error/code").intValue())
          .isEqualTo(-32602);
      assertThat(served.post("/mcp", "{").status()).isEqualTo(400);
      assertThat(served.post("/mcp", "{").json().at("/error/code").intValue()).isEqualTo(-32700);
      assertThat(
              served
                  .post("/mcp", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"}")
                  .json()
                  .at("/error/code")
                  .intValue())
          .isEqualTo(-32601);
      assertThat(
              served
                  .post("/mcp", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}")
                  .status())
          .isEqualTo(202);
      assertThat(served.get("/mcp").status()).isEqualTo(405);
    }
  }

  @Test
  void anAnswerThatIsLargerThanAnyAgentReadsIsRefused() {
    try (Served served = new Served(folder.resolve("s"))) {
      var context = served.store.createContext().id();
      served.store.append(
          context,
          dev.varve.NewTurn.of(
              dev.varve.Payload.wrap(new byte[6 << 20]),
              new dev.varve.DeclaredType("x", 1),
              dev.varve.Encoding.RAW));

      Reply reply =
          served.post(
              "/mcp",
              call("cxdb_get_turns", "{\"context_id\":\"" + context + "\",\"view\":\"raw\"}"));

      assertThat(reply.json().at("/result/isError").booleanValue()).isTrue();
      assertThat(reply.text()).contains("ask for fewer turns").hasSizeLessThan(2000);
    }
  }

  @Test
  void aTokenThatMayOnlyReadWritesNothingThroughATool() throws Exception {
    Path file = folder.resolve("tokens");
    Path log = folder.resolve("audit");
    String token = TokenAuthenticator.create();
    new TokenFile(file)
        .change(
            _ ->
                List.of(
                    TokenAuthenticator.record(
                        token, "reader", EnumSet.of(Scope.READ), 0, Instant.EPOCH)));
    try (Served served =
        new Served(folder.resolve("s"), ANY_PORT.withTokens(file).withAudit(log))) {
      Reply reply =
          served.send(
              "/mcp",
              r ->
                  r.header("Authorization", "Bearer " + token)
                      .POST(BodyPublishers.ofString(call("cxdb_create_context", "{}"))));

      assertThat(reply.json().at("/result/isError").booleanValue()).isTrue();
      assertThat(served.store.counts().contexts()).isZero();
    }
    assertThat(Files.readString(log)).contains("\"createContext\"", "403").hasLineCount(1);
  }
}
