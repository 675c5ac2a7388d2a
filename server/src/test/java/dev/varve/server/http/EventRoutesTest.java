// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EventRoutesTest {

  @TempDir Path folder;
  private Served served;
  private final HttpClient client = HttpClient.newHttpClient();

  @BeforeEach
  void start() {
    served = new Served(folder.resolve("s"));
  }

  @AfterEach
  void stop() {
    served.close();
    client.close();
  }

  private BufferedReader listen(String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + served.port() + path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    HttpResponse<java.io.InputStream> response =
        client.send(request.build(), BodyHandlers.ofInputStream());
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type")).hasValue("text/event-stream");
    return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
  }

  /// The lines of the next event.
  private static List<String> next(BufferedReader events) throws IOException {
    List<String> lines = new ArrayList<>();
    String line = events.readLine();
    while (line != null && !line.isEmpty()) {
      lines.add(line);
      line = events.readLine();
    }
    return lines;
  }

  private void append(int context) {
    served.post(
        "/v1/contexts/" + context + "/append",
        "{\"type_id\":\"t\",\"type_version\":2,\"payload_base64\":\"\"}");
  }

  @Test
  void whatHappensIsToldAsItHappens() throws Exception {
    try (BufferedReader events = listen("/v1/events")) {
      assertThat(next(events)).contains("event: connected", "data: {}");

      served.post("/v1/contexts", "");
      append(1);

      assertThat(next(events))
          .contains("event: context_created")
          .anyMatch(line -> line.startsWith("data: {\"context_id\":\"1\",\"session_id\":\"http\""));
      assertThat(next(events))
          .contains(
              "event: turn_appended",
              "data: {\"context_id\":\"1\",\"turn_id\":\"1\",\"parent_turn_id\":\"0\",\"depth\":0,"
                  + "\"declared_type_id\":\"t\",\"declared_type_version\":2}");
    }
  }

  @Test
  void whoComesBackGetsWhatWasMissed() throws Exception {
    String seen;
    try (BufferedReader events = listen("/v1/events")) {
      next(events);
      served.post("/v1/contexts", "");
      seen =
          next(events).stream().filter(line -> line.startsWith("id: ")).findFirst().orElseThrow();
    }
    append(1);
    append(1);

    try (BufferedReader events = listen("/v1/events", "Last-Event-ID", seen.substring(4))) {
      assertThat(next(events)).contains("event: connected", seen);
      assertThat(next(events)).contains("event: turn_appended");
      assertThat(next(events)).contains("event: turn_appended");
    }
    try (BufferedReader events = listen("/v1/events", "Last-Event-ID", "of-another-run-7")) {
      next(events);
      assertThat(next(events)).contains("event: gap");
    }
  }

  @Test
  void anErasureIsTold() throws Exception {
    served.post("/v1/contexts", "");
    served.post(
        "/v1/contexts/1/append",
        "{\"type_id\":\"t\",\"type_version\":2,\"payload_base64\":\"QUtJQS1FWEFNUExFLTk=\"}");
    String choice = "{\"secrets\":[\"AKIA-EXAMPLE-9\"]";
    try (BufferedReader events = listen("/v1/events")) {
      next(events);
      String digest =
          served.post("/v1/erasures/plan", choice + "}").json().get("plan_digest").stringValue();
      served.post("/v1/erasures", choice + ",\"plan_digest\":\"" + digest + "\"}");

      assertThat(next(events)).contains("event: blobs_erased", "data: {\"run\":1}");
    }
  }

  @Test
  void oneContextCanBeWatchedAlone() throws Exception {
    served.post("/v1/contexts", "");
    served.post("/v1/contexts", "");
    try (BufferedReader events = listen("/v1/contexts/2/events")) {
      next(events);
      append(1);
      append(2);

      assertThat(next(events)).anyMatch(line -> line.startsWith("data: {\"context_id\":\"2\""));
    }
    assertThat(served.get("/v1/contexts/9/events").status()).isEqualTo(404);
  }

  @Test
  void listenersDoNotHoldUpTheEnd() throws Exception {
    try (BufferedReader events = listen("/v1/events")) {
      next(events);

      served.server.close();

      assertThat(events.readLine()).isNull();
    }
  }
}
