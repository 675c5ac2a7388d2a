// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Call;
import dev.varve.cli.ServiceProcess;
import dev.varve.cli.session.ExitCodes;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/// The lines that a service writes about its start, its requests and its end.
final class ServeLogsTest {

  private static final int PATIENCE_SECONDS = 120;
  private static final Pattern URL = Pattern.compile("\"http\":\"([^\"]+)\"");

  @TempDir Path folder;
  private Process server;
  private BufferedReader out;
  private URI contexts;

  private void serve(String... more) throws IOException {
    server = ServiceProcess.start(folder.resolve("store"), folder.resolve("talk"), more);
    out = server.inputReader();
    Matcher url = URL.matcher(String.valueOf(out.readLine()));
    assertThat(url.find()).as("%s", talk()).isTrue();
    contexts = URI.create(url.group(1) + "/v1/contexts");
  }

  private List<String> talk() throws IOException {
    return Files.readAllLines(folder.resolve("talk")).stream()
        .filter(line -> !line.startsWith("SLF4J")) // of a library, where tests run without a logger
        .toList();
  }

  private void ask() throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      assertThat(
              client
                  .send(
                      HttpRequest.newBuilder(contexts).build(),
                      HttpResponse.BodyHandlers.discarding())
                  .statusCode())
          .isEqualTo(200);
    }
  }

  private void stop() throws InterruptedException {
    server.destroy();
    assertThat(server.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(server.exitValue()).isEqualTo(ExitCodes.OK);
  }

  @AfterEach
  void end() throws InterruptedException {
    if (server != null) {
      server.destroyForcibly().waitFor();
    }
  }

  @Test
  void theFirstLineNamesVersionStoreFormatAndSettings() throws Exception {
    Path settings = Files.writeString(folder.resolve("varve.conf"), "cache-mib = 16\n");
    serve("--config", settings.toString());
    stop();

    assertThat(talk().getFirst())
        .contains(" start version=", " store=" + folder.resolve("store") + " ", " format=1 ")
        .contains("the command line", settings.toString())
        .doesNotContain("cache-mib");
  }

  @Test
  void asJsonEachLineOfStandardErrorAndOfTheAccessLogIsAnObject() throws Exception {
    serve("--log-format", "json", "--access-log", "-");
    ask();
    JsonNode request = new ObjectMapper().readTree(out.readLine());
    stop();

    assertThat(request.get("event").stringValue()).isEqualTo("request");
    assertThat(request.get("what").stringValue()).isEqualTo("listContexts");
    List<JsonNode> lines = talk().stream().map(new ObjectMapper()::readTree).toList();
    assertThat(lines)
        .extracting(line -> line.get("event").stringValue())
        .startsWith("start")
        .contains("message");
    assertThat(lines)
        .filteredOn(line -> line.get("event").stringValue().equals("message"))
        .extracting(line -> line.get("text").stringValue())
        .anyMatch(text -> text.startsWith("stopping"));
    assertThat(lines.getFirst().get("format").intValue()).isEqualTo(1);
  }

  @Test
  void anAccessLogThatIsMovedAwayIsFollowedByANewOne() throws Exception {
    Path log = folder.resolve("access");
    Path old = folder.resolve("access.1");
    serve("--access-log", log.toString());
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (Files.size(log) == 0 && System.nanoTime() < until) {
      ask();
    }
    Files.move(log, old);
    while (!Files.exists(log) && System.nanoTime() < until) {
      ask();
    }
    stop();

    assertThat(log).exists();
    assertThat(Files.readString(old)).contains("what=listContexts");
    assertThat(Files.readString(log)).contains("what=listContexts");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--slow-ms | -1 | --slow-ms: expected 0 or more, found -1",
        "--log-format | xml | --log-format: expected text or json, found 'xml'",
      })
  void aWrongOptionIsRefused(String option, String value, String message) {
    Call.Result result = new Call().run("serve", "--print-config", option + "=" + value);

    assertThat(result.status()).isEqualTo(ExitCodes.USAGE);
    assertThat(result.err()).contains(message);
  }

  @Test
  void theOptionsAreVariablesToo() {
    assertThat(
            new Call()
                .with("VARVE_ACCESS_LOG", "a.log")
                .with("VARVE_SLOW_MS", "250")
                .with("VARVE_LOG_FORMAT", "json")
                .run("serve", "--print-config")
                .lines())
        .contains("access-log = a.log", "slow-ms = 250", "log-format = json");
  }
}
