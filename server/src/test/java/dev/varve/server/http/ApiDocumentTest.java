// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.server.http.Served.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The document is made from the routes; here it is held to what the service does.
final class ApiDocumentTest extends ServiceFixture {

  private static String filled(String path) {
    return path.replace("{hash}", "0".repeat(64)).replaceAll("\\{\\w+}", "1");
  }

  @Test
  void everyOperationOfTheDocumentIsAnsweredByARoute() {
    JsonNode paths = served.get("/openapi.json").json().get("paths");
    List<String> unknown = new ArrayList<>();
    int operations = 0;
    for (Map.Entry<String, JsonNode> path : paths.properties()) {
      for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
        operations++;
        if (path.getKey().endsWith("/events")) {
          continue; // they do not end
        }
        String method = operation.getKey().toUpperCase(java.util.Locale.ROOT);
        Reply reply =
            served.send(
                filled(path.getKey()),
                r -> r.method(method, java.net.http.HttpRequest.BodyPublishers.noBody()));
        JsonNode answers = operation.getValue().get("responses");
        boolean isTold = answers.has(Integer.toString(reply.status())) || reply.status() >= 400;
        if (!isTold || reply.status() == 405 || reply.text().contains("\"message\":\"route\"")) {
          unknown.add(method + " " + path.getKey() + ": " + reply.status());
        }
      }
    }
    assertThat(unknown).isEmpty();
    assertThat(operations).isGreaterThan(25);
  }

  /// Without a width, generated clients in Java take 32 bits and refuse every answer with a time.
  @Test
  void everyWholeNumberHasAWidth() {
    List<JsonNode> numbers = new ArrayList<>();
    addWholeNumbers(served.get("/openapi.json").json(), numbers);
    assertThat(numbers).hasSizeGreaterThan(150);
    assertThat(numbers)
        .allSatisfy(
            number -> assertThat(number.path("format").asString("none")).isEqualTo("int64"));
  }

  private static void addWholeNumbers(JsonNode node, List<JsonNode> numbers) {
    JsonNode type = node.path("type");
    if (type.toString().contains("\"integer\"") && !type.isObject()) {
      numbers.add(node);
    }
    node.forEach(member -> addWholeNumbers(member, numbers));
  }

  @Test
  void operationsHaveNamesOfTheirOwnAndSaySomething() {
    JsonNode document = served.get("/openapi.json").json();
    List<String> ids = new ArrayList<>();
    for (Map.Entry<String, JsonNode> path : document.get("paths").properties()) {
      path.getValue()
          .forEach(
              operation -> {
                ids.add(operation.get("operationId").stringValue());
                assertThat(operation.get("summary").stringValue()).endsWith(".");
              });
    }
    assertThat(document.get("openapi").stringValue()).startsWith("3.1");
    assertThat(ids).doesNotHaveDuplicates();
  }

  @Test
  void thePageAboutTheInterfaceNeedsNothingFromElsewhereAndLinksToTheDocument() {
    Reply page = served.get("/api");

    assertThat(page.header("Content-Type")).startsWith("text/html");
    assertThat(page.text())
        .contains("Varve 1.2.3", "openapi.json")
        .doesNotContain("http://", "<script");
    assertThat(page.header("Content-Security-Policy")).contains("style-src 'sha256-");
  }

  @Test
  void whatWasAskedIsCounted() {
    served.get("/healthz");
    served.get("/nowhere");
    served.post("/v1/contexts", "");

    String metrics = served.get("/metrics").text();
    assertThat(metrics)
        .contains("varve_requests_total{operation=\"healthz\",port=\"http\",status=\"200\"} 1.0")
        .contains("varve_requests_total{operation=\"none\",port=\"http\",status=\"404\"} 1.0")
        .contains("varve_store{kind=\"contexts\"} 1.0")
        .contains("varve_build_info{version=\"1.2.3\"} 1");
    JsonNode json = served.get("/v1/metrics").json();
    assertThat(json.at("/objects/contexts_total").intValue()).isEqualTo(1);
    assertThat(json.at("/errors/by_type/http").intValue()).isEqualTo(1);
    assertThat(json.at("/perf/http_latency_ms/count").intValue()).isGreaterThan(3);
    assertThat(json.at("/sessions/total").intValue()).isZero();
  }
}
