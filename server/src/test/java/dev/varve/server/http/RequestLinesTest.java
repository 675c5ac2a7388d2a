// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.View;
import dev.varve.client.RemoteOptions;
import dev.varve.client.RemoteStore;
import dev.varve.server.access.Scope;
import dev.varve.server.access.TokenAuthenticator;
import dev.varve.server.access.TokenFile;
import dev.varve.server.logs.LogConfig;
import dev.varve.server.logs.LogFormat;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// The access log of a service, asked over both ports.
final class RequestLinesTest {

  private static final DeclaredType NOTE = new DeclaredType("note", 1);

  @TempDir Path folder;
  private Path log;
  private LogConfig config;

  @BeforeEach
  void configure() {
    log = folder.resolve("access");
    config = LogConfig.NONE.withAccess(log).withFormat(LogFormat.JSON);
  }

  private List<JsonNode> lines() throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : Files.readAllLines(log)) {
      lines.add(JsonTrees.read(line.getBytes(StandardCharsets.UTF_8)));
    }
    return lines;
  }

  private static String text(JsonNode line, String field) {
    return line.get(field).stringValue();
  }

  @Test
  void eachRequestOverHttpHasALineWithItsBytes() throws IOException {
    byte[] blob = new byte[300_000];
    int length;
    try (Served served = new Served(folder.resolve("s"), Served.ANY_PORT.withLogs(config))) {
      String path = served.putBlob(blob);
      served.get(path + "?secret=in-the-query");
      served.head(path);
      length = served.get("/v1/contexts").bytes().length;
      served.get("/nowhere");
    }

    assertThat(lines())
        .extracting(
            line ->
                text(line, "what")
                    + " "
                    + line.get("status").intValue()
                    + " "
                    + line.get("received_bytes").longValue()
                    + " "
                    + line.get("sent_bytes").longValue())
        .containsExactlyInAnyOrder(
            "putBlob 201 300000 " + sent("putBlob"),
            "getBlob 200 0 300000",
            "getBlob 200 0 0",
            "listContexts 200 0 " + length,
            "none 404 0 0");
    assertThat(lines())
        .allSatisfy(
            line -> {
              assertThat(text(line, "port")).isEqualTo("http");
              assertThat(text(line, "peer")).startsWith("127.0.0.1:");
              assertThat(text(line, "target")).startsWith("/");
              assertThat(line.get("taken_ms").doubleValue()).isNotNegative();
            });
    assertThat(Files.readString(log)).doesNotContain("in-the-query");
  }

  /// The bytes of the answer to the only request of an operation.
  private long sent(String operation) throws IOException {
    return lines().stream()
        .filter(line -> text(line, "what").equals(operation))
        .findFirst()
        .orElseThrow()
        .get("sent_bytes")
        .longValue();
  }

  @Test
  void eachMessageOfTheBinaryPortHasALine() throws IOException {
    try (Served served = new Served(folder.resolve("s"), Served.ANY_PORT.withLogs(config));
        Store remote = RemoteStore.connect(served.server.binaryAddress(), RemoteOptions.DEFAULTS)) {
      ContextId context = remote.createContext().id();
      remote.append(context, NewTurn.of(Payload.utf8("a secret thought"), NOTE, Encoding.RAW));
      remote.last(context, 5, View.LATEST);
    }

    assertThat(lines())
        .extracting(line -> text(line, "what") + " " + text(line, "target"))
        .containsSubsequence("CONTEXT_CREATE ", "TURN_APPEND context 1", "PAGE_LAST context 1");
    JsonNode append =
        lines().stream()
            .filter(line -> text(line, "what").equals("TURN_APPEND"))
            .findFirst()
            .orElseThrow();
    assertThat(append.get("received_bytes").longValue()).isBetween(16L, 300L);
    assertThat(append.get("sent_bytes").longValue()).isPositive();
    assertThat(append.get("status").intValue()).isEqualTo(200);
    assertThat(Files.readString(log)).doesNotContain("thought");
  }

  @Test
  void aClientIsNamedAndItsTokenIsNot() throws IOException {
    Path file = folder.resolve("tokens");
    String token = TokenAuthenticator.create();
    String wrong = TokenAuthenticator.create();
    new TokenFile(file)
        .change(
            _ ->
                List.of(
                    TokenAuthenticator.record(
                        token, "ci", EnumSet.allOf(Scope.class), 0, Instant.EPOCH)));
    try (Served served =
        new Served(folder.resolve("s"), Served.ANY_PORT.withTokens(file).withLogs(config))) {
      served.get("/v1/contexts", "Authorization", "Bearer " + token);
      served.get("/v1/contexts", "Authorization", "Bearer " + wrong);
      served.send(
          "/mcp",
          r ->
              r.header("Authorization", "Bearer " + token)
                  .POST(
                      BodyPublishers.ofString(
                          "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
                              + "{\"name\":\"varve_create_context\",\"arguments\":{}}}")));
    }

    assertThat(lines())
        .extracting(line -> text(line, "who") + " " + text(line, "what"))
        .contains("ci listContexts", "- listContexts", "ci createContext");
    assertThat(Files.readString(log)).doesNotContain(token, wrong);
  }
}
