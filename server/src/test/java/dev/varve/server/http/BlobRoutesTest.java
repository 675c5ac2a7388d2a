// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import static dev.varve.server.http.Served.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.hash.Blake3;
import dev.varve.server.http.Served.Reply;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BlobRoutesTest extends ServiceFixture {

  @Test
  void aBlobIsStoredOnceAndComesBack() {
    byte[] bytes = utf8("0123456789");
    String path = "/v1/blobs/" + Blake3.hash(bytes);

    Reply first = served.put(path, bytes);
    Reply again = served.put(path, bytes);
    Reply got = served.get(path);

    assertThat(first.status()).isEqualTo(201);
    assertThat(first.json().get("was_new").booleanValue()).isTrue();
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.json().get("was_new").booleanValue()).isFalse();
    assertThat(got.bytes()).isEqualTo(bytes);
    assertThat(got.header("ETag")).isEqualTo("\"" + Blake3.hash(bytes) + "\"");
    assertThat(got.header("Cache-Control")).contains("immutable");
    assertThat(got.header("Content-Type")).isEqualTo("application/octet-stream");
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 100_000, 1_500_000})
  void oneOfManyWhoPutOneNewBlobAtOnceHearsThatTheBlobIsNew(int sizeBytes) throws IOException {
    byte[] bytes = new byte[sizeBytes];
    RandomGenerator.of("L64X128MixRandom").nextBytes(bytes);
    String head =
        "PUT /v1/blobs/%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: %d\r\n"
            + "Connection: close\r\n\r\n";
    byte[] begin = utf8(head.formatted(Blake3.hash(bytes), served.port(), sizeBytes));
    List<Socket> putters = new ArrayList<>();
    List<String> answers = new ArrayList<>();
    try {
      for (int i = 0; i < 64; i++) {
        Socket putter = new Socket("127.0.0.1", served.port());
        putters.add(putter);
        putter.getOutputStream().write(begin);
        putter.getOutputStream().write(bytes, 0, sizeBytes - 1);
      }
      for (Socket putter : putters) {
        putter.getOutputStream().write(bytes, sizeBytes - 1, 1);
      }
      for (Socket putter : putters) {
        answers.add(new String(putter.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
      }
    } finally {
      for (Socket putter : putters) {
        putter.close();
      }
    }

    assertThat(answers).allMatch(answer -> answer.matches("(?s)HTTP/1.1 20[01] .*"));
    assertThat(answers).filteredOn(answer -> answer.contains("\"was_new\":true")).hasSize(1);
    assertThat(answers).filteredOn(answer -> answer.startsWith("HTTP/1.1 201 ")).hasSize(1);
  }

  @Test
  void anEmptyBlobIsABlob() {
    String path = served.putBlob(new byte[0]);

    assertThat(served.get(path).status()).isEqualTo(200);
    assertThat(served.get(path).bytes()).isEmpty();
    assertThat(served.head(path).header("Content-Length")).isEqualTo("0");
  }

  @Test
  void theHeadTellsTheSizeAndNoBytes() {
    String path = served.putBlob(utf8("0123456789"));

    Reply head = served.head(path);

    assertThat(head.status()).isEqualTo(200);
    assertThat(head.header("Content-Length")).isEqualTo("10");
    assertThat(head.header("ETag")).isNotEmpty();
    assertThat(head.bytes()).isEmpty();
    assertThat(served.get(path).text()).as("the same connection goes on").isEqualTo("0123456789");
  }

  @ParameterizedTest
  @CsvSource({
    "bytes=2-4, 206, 234, bytes 2-4/10",
    "bytes=7-, 206, 789, bytes 7-9/10",
    "bytes=-3, 206, 789, bytes 7-9/10",
    "bytes=-99, 206, 0123456789, bytes 0-9/10",
    "bytes=8-99, 206, 89, bytes 8-9/10",
    "'bytes=0-1,3-4', 200, 0123456789, ''",
    "bytes=5-2, 200, 0123456789, ''",
    "lines=1-2, 200, 0123456789, ''",
    "bytes=-, 200, 0123456789, ''"
  })
  void rangesAreAnswered(String range, int status, String text, String contentRange) {
    Reply reply = served.get(served.putBlob(utf8("0123456789")), "Range", range);

    assertThat(reply.status()).isEqualTo(status);
    assertThat(reply.text()).isEqualTo(text);
    assertThat(reply.header("Content-Range")).isEqualTo(contentRange);
  }

  @ParameterizedTest
  @CsvSource({"bytes=10-", "bytes=99-100", "bytes=-0"})
  void aRangeBehindTheEndIsRefusedWithTheSize(String range) {
    Reply reply = served.get(served.putBlob(utf8("0123456789")), "Range", range);

    assertThat(reply.status()).isEqualTo(416);
    assertThat(reply.header("Content-Range")).isEqualTo("bytes */10");
  }

  @Test
  void whoHasItAlreadyIsToldSo() {
    String path = served.putBlob(utf8("0123456789"));
    String tag = served.get(path).header("ETag");

    Reply known = served.get(path, "If-None-Match", "\"other\", W/" + tag);
    Reply other = served.get(path, "If-None-Match", "\"other\"");
    Reply stale = served.get(path, "Range", "bytes=0-1", "If-Range", "\"other\"");

    assertThat(known.status()).isEqualTo(304);
    assertThat(known.header("ETag")).isEqualTo(tag);
    assertThat(other.status()).isEqualTo(200);
    assertThat(stale.status()).as("the whole, since it is not what was begun").isEqualTo(200);
  }

  @Test
  void bytesUnderAnotherNameAreRefusedAndNotStored() {
    String name = Blake3.hash(utf8("right")).toString();

    Reply refused = served.put("/v1/blobs/" + name, utf8("wrong"));

    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.json().at("/error/message").stringValue()).contains("hash", name);
    assertThat(served.store.has(Blake3.hash(utf8("wrong")))).isFalse();
    assertThat(served.get("/v1/blobs/" + name).status()).isEqualTo(404);
  }

  @Test
  void aLargeBlobComesAndGoesInPieces() {
    byte[] large = new byte[3 << 20];
    RandomGenerator.of("L64X128MixRandom").nextBytes(large);
    String path = served.putBlob(large);

    assertThat(served.get(path).bytes()).isEqualTo(large);
    assertThat(served.head(path).header("Content-Length")).isEqualTo("3145728");
    assertThat(served.get(path, "Range", "bytes=1000000-1000009").bytes())
        .isEqualTo(Arrays.copyOfRange(large, 1_000_000, 1_000_010));
    assertThat(served.store.findChunkList(Blake3.hash(large))).as("kept as chunks").isPresent();
  }

  @Test
  void aBodyThatBreaksOffIsNoBlob() throws IOException {
    byte[] whole = utf8("0123456789");
    try (Socket socket = new Socket("127.0.0.1", served.port())) {
      socket.setSoTimeout(30_000);
      String head =
          "PUT /v1/blobs/%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n01234"
              .formatted(Blake3.hash(whole));
      socket.getOutputStream().write(utf8(head));
      socket.shutdownOutput();
      socket.getInputStream().readAllBytes();
    }

    assertThat(served.store.has(Blake3.hash(whole))).isFalse();
    assertThat(served.store.counts().blobs()).isZero();
  }

  @Test
  void whatIsMissingIsNamedOnceInTheOrderAsked() {
    served.putBlob(utf8("here"));
    String here = Blake3.hash(utf8("here")).toString();
    String gone = Blake3.hash(utf8("gone")).toString();
    String away = Blake3.hash(utf8("away")).toString();

    Reply reply =
        served.post(
            "/v1/blobs/missing",
            "{\"hashes\":[\"%s\",\"%s\",\"%s\",\"%s\"]}".formatted(gone, here, away, gone));

    assertThat(reply.text()).isEqualTo("{\"missing\":[\"" + gone + "\",\"" + away + "\"]}");
  }

  @Test
  void questionsForTooManyOrForNoHashesAreRefused() {
    String hash = "\"" + "0".repeat(64) + "\"";
    String many = "{\"hashes\":[" + "%s,".formatted(hash).repeat(10_000) + hash + "]}";

    assertThat(served.post("/v1/blobs/missing", many).status()).isEqualTo(413);
    assertThat(served.post("/v1/blobs/missing", "{}").status()).isEqualTo(422);
    assertThat(served.post("/v1/blobs/missing", "{\"hashes\":[1]}").status()).isEqualTo(422);
    assertThat(served.post("/v1/blobs/missing", "{\"hashes\":[\"x\"]}").status()).isEqualTo(422);
    assertThat(served.post("/v1/blobs/missing", "[]").status()).isEqualTo(422);
  }
}
