// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.varve.BlobHash;
import dev.varve.hash.Blake3;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A server of blobs on loopback, as docs/http-api.md tells it, that can be made to misbehave.
final class BlobServer implements AutoCloseable {

  private static final String PATH = "/v1/blobs/";
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  final Map<String, byte[]> blobs = new ConcurrentHashMap<>();

  /// What was asked: method, the end of the path, range.
  final List<String> asked = new CopyOnWriteArrayList<>();

  /// Only so many bytes of a body are sent before the connection breaks.
  volatile int breaksAfter = Integer.MAX_VALUE;

  /// Nothing is sent behind so many bytes, and the connection stays open.
  volatile int stallsAfter = Integer.MAX_VALUE;

  /// A GET is answered with this status; with 599, a body is promised that never comes.
  volatile int status;

  volatile String token = "";

  /// The answer to what is missing, instead of the truth.
  volatile @Nullable String missing;

  private final CountDownLatch closing = new CountDownLatch(1);
  private final HttpServer server;

  BlobServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(PATH, this::handle);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  BlobHash put(byte[] bytes) {
    BlobHash hash = Blake3.hash(bytes);
    blobs.put(hash.toString(), bytes);
    return hash;
  }

  private void handle(HttpExchange exchange) throws IOException {
    String name = exchange.getRequestURI().getPath().substring(PATH.length());
    String range = exchange.getRequestHeaders().getFirst("Range");
    asked.add(exchange.getRequestMethod() + " " + name + (range == null ? "" : " " + range));
    String bearer = exchange.getRequestHeaders().getFirst("Authorization");
    try (exchange) {
      if (!token.isEmpty() && !("Bearer " + token).equals(bearer)) {
        exchange.sendResponseHeaders(401, -1);
      } else if (exchange.getRequestMethod().equals("POST")) {
        answerMissing(exchange);
      } else if (exchange.getRequestMethod().equals("PUT")) {
        byte[] bytes = exchange.getRequestBody().readAllBytes();
        boolean right = put(bytes).toString().equals(name);
        exchange.sendResponseHeaders(right ? 201 : 422, -1);
      } else {
        get(exchange, name, range);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void answerMissing(HttpExchange exchange) throws IOException {
    String asking = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    List<String> lacking =
        HASH.matcher(asking)
            .results()
            .map(MatchResult::group)
            .filter(hash -> !blobs.containsKey(hash))
            .map(hash -> "\"" + hash + "\"")
            .toList();
    String answer = missing == null ? "{\"missing\":[" + String.join(",", lacking) + "]}" : missing;
    byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private void get(HttpExchange exchange, String name, @Nullable String range)
      throws IOException, InterruptedException {
    byte[] bytes = blobs.get(name);
    if (status != 0) {
      exchange.getResponseHeaders().set("Location", "http://127.0.0.1:1/elsewhere");
      exchange.sendResponseHeaders(status, status == 599 ? 1_000 : -1);
      if (status == 599) {
        exchange.getResponseBody().flush();
        closing.await();
      }
    } else if (bytes == null) {
      exchange.sendResponseHeaders(404, -1);
    } else {
      int from = range == null ? 0 : Integer.parseInt(range.replaceAll("\\D", ""));
      if (from >= bytes.length && from > 0) {
        exchange.sendResponseHeaders(416, -1);
        return;
      }
      if (range != null) {
        String sent = "bytes " + from + "-" + (bytes.length - 1) + "/" + bytes.length;
        exchange.getResponseHeaders().set("Content-Range", sent);
      }
      send(exchange, range == null ? 200 : 206, Arrays.copyOfRange(bytes, from, bytes.length));
    }
  }

  private void send(HttpExchange exchange, int code, byte[] body)
      throws IOException, InterruptedException {
    exchange.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
    int sent = Math.min(body.length, Math.min(breaksAfter, stallsAfter));
    OutputStream out = exchange.getResponseBody();
    out.write(body, 0, sent);
    out.flush();
    if (sent < body.length && stallsAfter < breaksAfter) {
      closing.await();
    }
  }

  @Override
  public void close() {
    closing.countDown();
    server.stop(0);
  }
}
