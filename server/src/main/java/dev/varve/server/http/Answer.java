// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// What a handler says: a status, headers, a body.
record Answer(int status, Map<String, String> headers, Body body) {

  static final String JSON = "application/json";
  static final String TEXT = "text/plain; charset=utf-8";
  static final String OCTETS = "application/octet-stream";

  /// The bytes of an answer.
  sealed interface Body {

    record None() implements Body {}

    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Whole(String type, byte[] bytes) implements Body {}

    /// Written while it is sent, so that it need not be held in memory.
    ///
    /// @param sizeBytes -1 where it is not known; the body is then sent in chunks
    record Streamed(String type, long sizeBytes, Writing writing) implements Body {}
  }

  /// Writes a body.
  interface Writing {
    void to(OutputStream out) throws IOException;
  }

  Answer {
    headers = Map.copyOf(headers);
  }

  static Answer json(int status, JsonNode value) {
    return new Answer(status, Map.of(), new Body.Whole(JSON, Json.bytes(value)));
  }

  static Answer json(int status, dev.varve.server.value.Json.Answer value) {
    return bytes(status, JSON, value.bytes());
  }

  static Answer json(dev.varve.server.value.Json.Answer value) {
    return json(200, value);
  }

  /// Written while it is sent, for what may be large.
  static Answer largeJson(dev.varve.server.value.Json.Answer value) {
    return streamed(200, JSON, -1, value::writeTo);
  }

  static Answer json(JsonNode value) {
    return json(200, value);
  }

  static Answer text(int status, String type, String text) {
    return bytes(status, type, text.getBytes(StandardCharsets.UTF_8));
  }

  static Answer bytes(int status, String type, byte[] bytes) {
    return new Answer(status, Map.of(), new Body.Whole(type, bytes));
  }

  static Answer streamed(int status, String type, long sizeBytes, Writing writing) {
    return new Answer(status, Map.of(), new Body.Streamed(type, sizeBytes, writing));
  }

  static Answer empty(int status) {
    return new Answer(status, Map.of(), new Body.None());
  }

  Answer with(String header, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new Answer(status, more, body);
  }
}
