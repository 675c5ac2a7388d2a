// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.server.value.JsonOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// The answer of a handler: a status, headers and a body.
public record HttpAnswer(int status, Map<String, String> headers, Body body) {

  public static final String JSON = "application/json";
  public static final String EVENT_STREAM = "text/event-stream";
  public static final String TEXT = "text/plain; charset=utf-8";
  public static final String OCTETS = "application/octet-stream";

  /// The bytes of an answer.
  public sealed interface Body {

    record None() implements Body {}

    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Whole(String type, byte[] bytes) implements Body {}

    /// A body that is produced while it is sent, so that it need not fit into memory.
    ///
    /// @param sizeBytes -1 if unknown; the body is then sent in chunks
    record Streamed(String type, long sizeBytes, BodyWriter writing) implements Body {}
  }

  /// Writes a body.
  public interface BodyWriter {
    void to(OutputStream out) throws IOException;
  }

  public HttpAnswer {
    headers = Map.copyOf(headers);
  }

  public static HttpAnswer json(int status, JsonNode value) {
    return new HttpAnswer(status, Map.of(), new Body.Whole(JSON, JsonTrees.bytes(value)));
  }

  public static HttpAnswer json(int status, JsonOutput value) {
    return bytes(status, JSON, value.bytes());
  }

  public static HttpAnswer json(JsonOutput value) {
    return json(200, value);
  }

  /// An answer that is produced while it is sent, for values that may be large.
  public static HttpAnswer largeJson(JsonOutput value) {
    return streamed(200, JSON, -1, value::writeTo);
  }

  public static HttpAnswer json(JsonNode value) {
    return json(200, value);
  }

  public static HttpAnswer text(int status, String type, String text) {
    return bytes(status, type, text.getBytes(StandardCharsets.UTF_8));
  }

  public static HttpAnswer bytes(int status, String type, byte[] bytes) {
    return new HttpAnswer(status, Map.of(), new Body.Whole(type, bytes));
  }

  public static HttpAnswer streamed(int status, String type, long sizeBytes, BodyWriter writing) {
    return new HttpAnswer(status, Map.of(), new Body.Streamed(type, sizeBytes, writing));
  }

  public static HttpAnswer empty(int status) {
    return new HttpAnswer(status, Map.of(), new Body.None());
  }

  public HttpAnswer with(String header, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new HttpAnswer(status, more, body);
  }
}
