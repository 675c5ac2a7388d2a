// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Requests that two programs could understand in two ways, and what is no request at all.
final class MalformedTest extends ServiceFixture {

  /// Everything that comes back until the service ends the connection.
  private String said(String request) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", served.port())) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static final String SMUGGLED = "GET /healthz HTTP/1.1~Host: localhost~~";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "400 | POST /v1/contexts HTTP/1.1~Host: localhost~Content-Length: 2~Content-Length: 40~~{}",
        "400 | POST /v1/contexts HTTP/1.1~Host: localhost~Content-Length: 4~Transfer-Encoding:"
            + " chunked~~0~~",
        "400 | POST /v1/contexts HTTP/1.1~Host: localhost~Transfer-Encoding: xchunked~~0~~",
        "400 | POST /v1/contexts HTTP/1.1~Host: localhost~Content-Length: +2~~{}",
        "400 | POST /v1/contexts HTTP/1.1~Host: localhost~Content-Length: -1~~{}",
        "501 | POST /v1/contexts HTTP/1.1~Host: localhost~Transfer-Encoding: gzip, chunked~~0~~",
        "400 | GET /healthz HTTP/1.1~Host: localhost~Host: evil~~",
        "400 | GET /healthz HTTP/1.1~~",
        "400 | GET /healthz HTTP/1.1~Host : localhost~~",
        "505 | GET /healthz HTTP/1.0~~",
        "400 | PRI * HTTP/2.0~~SM~~",
      })
  void isRefusedInTheShapeOfAllRefusalsAndEndsTheConnection(int status, String request)
      throws IOException {
    String answer = said((request + SMUGGLED).replace("~", "\r\n"));

    assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
    assertThat(answer.split("HTTP/1\\.1 ", -1)).as("one answer").hasSize(2);
    assertThat(answer)
        .contains("{\"error\":{\"code\":" + status + ",\"message\":\"")
        .contains("Content-Type: application/json")
        .contains("X-Content-Type-Options: nosniff");
    assertThat(served.get("/metrics").text())
        .contains(
            "varve_requests_total{operation=\"none\",port=\"http\",status=\"" + status + "\"} 1.0");
  }

  @Test
  void whoAsksBeforeSendingABodyIsRefusedWithoutIt() throws IOException {
    String answer =
        said(
            "POST /v1/contexts HTTP/1.1\r\nHost: evil\r\nExpect: 100-continue\r\n"
                + "Content-Length: 2\r\n\r\n");

    assertThat(answer).startsWith("HTTP/1.1 421 ").contains("Connection: close");
  }

  @Test
  void digitsOfOtherScriptsAreNoNumbers() {
    served.post("/v1/contexts", "");

    assertThat(served.get("/v1/contexts/1").status()).isEqualTo(200);
    assertThat(served.get("/v1/contexts/%D9%A1").status()).isEqualTo(422);
    assertThat(served.get("/v1/contexts/+1").status()).isEqualTo(422);
    assertThat(served.get("/v1/contexts?limit=%D9%A1").status()).isEqualTo(422);
    assertThat(served.get("/v1/contexts/1/turns?before_turn_id=%2B1").status()).isEqualTo(422);
  }

  @Test
  void aNameThatStandsTwiceIsRefused() {
    assertThat(served.post("/v1/contexts", "{\"base_turn_id\":1,\"base_turn_id\":0}").status())
        .isEqualTo(422);
    assertThat(served.store.counts().contexts()).isZero();
  }
}
