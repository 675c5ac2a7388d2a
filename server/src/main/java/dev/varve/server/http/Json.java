// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// JSON as trees, read with bounds on depth and on the length of a number.
final class Json {

  /// Deeper than any real payload, shallower than a thread's stack.
  private static final int DEPTH_MAX = 200;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEPTH_MAX)
                          .maxNumberLength(1000)
                          .maxStringLength(Integer.MAX_VALUE) // the body itself is bounded
                          .build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(
              DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY) // one of the two would be lost
          .build();

  private Json() {}

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  static byte[] bytes(JsonNode value) {
    return MAPPER.writeValueAsBytes(value);
  }

  /// Reads one JSON object.
  static ObjectNode readObject(byte[] body) {
    JsonNode value = read(body);
    if (value instanceof ObjectNode object) {
      return object;
    }
    throw HttpRefusal.invalid("body: expected a JSON object, found " + value.getNodeType());
  }

  static JsonNode read(byte[] body) {
    try {
      return MAPPER.readTree(body);
    } catch (JacksonException e) {
      throw HttpRefusal.invalid("invalid json: " + e.getOriginalMessage());
    }
  }
}
