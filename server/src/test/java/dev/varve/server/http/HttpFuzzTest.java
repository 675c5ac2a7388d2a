// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.server.http.Served.Reply;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Requests that nobody would send on purpose: each is answered with a status of its own making or
/// the connection is closed, and the service goes on. `-Dsim.runs=N` sends more, `-Dsim.seed=N` one
/// round again.
final class HttpFuzzTest {

  private static final List<String> PIECES =
      List.of(
          "/",
          "v1",
          "contexts",
          "turns",
          "blobs",
          "registry",
          "bundles",
          "fs",
          "events-",
          "mcp",
          "search",
          "..",
          ".",
          "",
          "%2f",
          "%2e%2e",
          "%00",
          "%",
          "%zz",
          "%ff",
          "%c3%28",
          "\u00e9",
          " ",
          "?",
          "&",
          "=",
          "#",
          "q=",
          "limit=",
          "1",
          "-1",
          "99999999999999999999",
          "0",
          "{",
          "}",
          ";",
          "\\",
          "'",
          "\"",
          "<x>",
          "((((",
          "NOT ",
          "id = 1",
          "view=raw");

  private static final List<String> BODIES =
      List.of(
          "{",
          "}",
          "[",
          "]",
          ":",
          ",",
          "\"",
          "\"type_id\"",
          "\"data\"",
          "\"turns\"",
          "\"hashes\"",
          "\"jsonrpc\":\"2.0\"",
          "\"method\":\"tools/call\"",
          "\"id\":1",
          "null",
          "true",
          "1e999",
          "-0",
          "\\u0000",
          "\\ud800",
          "\u0000",
          "9".repeat(400),
          "[".repeat(300),
          "{\"a\":".repeat(300),
          "\"base_turn_id\":1",
          "\"payload_base64\":\"!\"");

  private static final List<String> METHODS =
      List.of("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "get", "X");

  @TempDir Path folder;

  private static String mix(List<String> pieces, SplittableRandom random, int most) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      text.append(pieces.get(random.nextInt(pieces.size())));
      text.append(random.nextInt(3) == 0 ? "/" : "");
    }
    return text.toString();
  }

  private static String request(SplittableRandom random) {
    String body = mix(BODIES, random, 12);
    int length = body.getBytes(StandardCharsets.UTF_8).length;
    StringBuilder text = new StringBuilder();
    text.append(METHODS.get(random.nextInt(METHODS.size()))).append(" /");
    text.append(mix(PIECES, random, 10)).append(" HTTP/1.1\r\n");
    text.append("Host: localhost\r\nConnection: close\r\n");
    switch (random.nextInt(8)) {
      case 0 -> text.append("Content-Length: ").append(random.nextInt(-2, 1 << 20)).append("\r\n");
      case 1 -> text.append("Transfer-Encoding: chunked\r\n");
      case 2 -> text.append("Range: bytes=").append(mix(PIECES, random, 3)).append("\r\n");
      case 3 -> text.append("Authorization: ").append(mix(PIECES, random, 9)).append("\r\n");
      case 4 ->
          text.append("If-None-Match: ")
              .append("\"x\",".repeat(random.nextInt(900)))
              .append("\r\n");
      default -> text.append("Content-Length: ").append(length).append("\r\n");
    }
    return text.append("\r\n").append(body).toString();
  }

  @Test
  void nonsenseIsAnsweredOrRefusedAndTheServiceGoesOn() throws IOException {
    long seed = Long.getLong("sim.seed", -1) < 0 ? 20260102 : Long.getLong("sim.seed");
    int runs = Integer.getInteger("sim.runs", 100) * 4;
    try (Served served = new Served(folder.resolve("s"))) {
      served.post("/v1/contexts", "");
      for (int run = 0; run < runs; run++) {
        SplittableRandom random = new SplittableRandom(seed + run);
        String request = request(random);
        String reply = exchange(served, request);
        assertThat(reply)
            .as("seed %d: %s", seed + run, request)
            .matches(text -> text.isEmpty() || text.startsWith("HTTP/1.1 "))
            .doesNotStartWith("HTTP/1.1 500");
      }
      Reply well = served.get("/health");
      assertThat(well.status()).isEqualTo(200);
      assertThat(served.get("/v1/contexts/1").status()).isEqualTo(200);
    }
  }

  private static String exchange(Served served, String request) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", served.port())) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (SocketException e) {
      return ""; // closed while we still sent
    }
  }
}
