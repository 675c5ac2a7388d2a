// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreOptions;
import dev.varve.hash.Blake3;
import dev.varve.local.LocalStore;
import dev.varve.server.Server;
import dev.varve.server.ServerConfig;
import dev.varve.server.types.TypeBundleFiles;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;
import tools.jackson.databind.JsonNode;

/// A server on a port of its own, and a client that asks it.
final class Served implements AutoCloseable {

  static final ServerConfig ANY_PORT =
      ServerConfig.DEFAULTS
          .withHttp(new InetSocketAddress("127.0.0.1", 0))
          .withBinary(new InetSocketAddress("127.0.0.1", 0));

  /// Kept, for a logger that nobody holds is forgotten with its level.
  private static final Logger LIBRARY = Logger.getLogger("io.helidon");

  static {
    LIBRARY.setLevel(Level.WARNING);
  }

  final Store store;
  final Server server;
  private final HttpClient client = HttpClient.newHttpClient();

  Served(Path folder) {
    this(folder, ANY_PORT);
  }

  Served(Path folder, ServerConfig config) {
    this(folder, LocalStore.open(folder, StoreOptions.DEFAULTS), config);
  }

  /// A store that a test has made; bundles are kept in the folder.
  Served(Path folder, Store store) {
    this(folder, store, ANY_PORT);
  }

  private Served(Path folder, Store store, ServerConfig config) {
    this.store = store;
    this.server =
        Server.start(store, TypeBundleFiles.of(folder), config, "1.2.3", InstantSource.system());
  }

  int port() {
    return server.httpAddress().getPort();
  }

  /// What came back.
  record Reply(int status, java.net.http.HttpHeaders headers, byte[] bytes) {

    String text() {
      return new String(bytes, StandardCharsets.UTF_8);
    }

    JsonNode json() {
      return JsonTrees.read(bytes);
    }

    String header(String name) {
      return headers.firstValue(name).orElse("");
    }
  }

  Reply send(String path, UnaryOperator<HttpRequest.Builder> more) {
    HttpRequest request =
        more.apply(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))).build();
    try {
      HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
      return new Reply(response.statusCode(), response.headers(), response.body());
    } catch (IOException e) {
      throw new AssertionError(path, e);
    } catch (InterruptedException e) {
      throw new AssertionError(path, e);
    }
  }

  Reply get(String path, String... headers) {
    return send(path, request -> headers.length == 0 ? request : request.headers(headers));
  }

  Reply head(String path) {
    return send(path, HttpRequest.Builder::HEAD);
  }

  Reply post(String path, String json) {
    return send(path, request -> request.POST(BodyPublishers.ofString(json)));
  }

  Reply put(String path, byte[] body) {
    return send(path, request -> request.PUT(BodyPublishers.ofByteArray(body)));
  }

  /// Stores a blob over HTTP and answers its path.
  String putBlob(byte[] bytes) {
    String path = "/v1/blobs/" + Blake3.hash(bytes);
    put(path, bytes);
    return path;
  }

  static byte[] utf8(String text) {
    return Payload.utf8(text).bytes();
  }

  @Override
  public void close() {
    server.close();
    client.close();
  }
}
