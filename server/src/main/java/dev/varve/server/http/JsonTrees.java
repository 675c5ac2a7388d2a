// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.server.value.JsonNumbers;
import dev.varve.server.value.JsonReader;
import dev.varve.server.value.JsonTexts;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.BigIntegerNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.DecimalNode;
import tools.jackson.databind.node.DoubleNode;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.LongNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/// JSON as trees, read with bounds on nesting and on the length of a number, and without any change
/// of a value.
public final class JsonTrees {

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
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION) // one would be lost
                  .build())
          .build();

  private JsonTrees() {}

  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  public static byte[] bytes(JsonNode value) {
    return MAPPER.writeValueAsBytes(value);
  }

  /// Reads one JSON object.
  public static ObjectNode readObject(byte[] body) {
    JsonNode value = read(body);
    if (value instanceof ObjectNode object) {
      return object;
    }
    throw JsonMembers.mismatch("body", "a JSON object", value);
  }

  /// Reads the JSON object of a body that may be absent. An absent body and `null`, which generated
  /// clients send in its place, give an empty object.
  public static ObjectNode readOptionalObject(byte[] body) {
    return body.length == 0 || read(body).isNull() ? object() : readObject(body);
  }

  /// Reads one JSON value. Every number and text keeps its value; a text that UTF-8 cannot encode
  /// is refused with its place.
  public static JsonNode read(byte[] body) {
    try (JsonParser json = MAPPER.createParser(body)) {
      JsonNode value = value(json, json.nextToken());
      if (json.nextToken() != null) {
        throw HttpRefusal.invalid("invalid json: more follows the value");
      }
      return value;
    } catch (JacksonException e) {
      throw HttpRefusal.invalid("invalid json: " + JsonReader.where(e));
    }
  }

  private static JsonNode value(JsonParser json, @Nullable JsonToken token) {
    return switch (token) {
      case null -> throw HttpRefusal.invalid("invalid json: nothing there");
      case START_OBJECT -> {
        ObjectNode object = object();
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
          String name = encodable(json, json.currentName());
          object.set(name, value(json, json.nextToken()));
        }
        yield object;
      }
      case START_ARRAY -> {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        for (JsonToken next = json.nextToken();
            next != JsonToken.END_ARRAY;
            next = json.nextToken()) {
          array.add(value(json, next));
        }
        yield array;
      }
      case VALUE_STRING -> StringNode.valueOf(encodable(json, json.getString()));
      case VALUE_NUMBER_FLOAT -> number(json, JsonNumbers.decimal(json.getString()));
      case VALUE_NUMBER_INT -> integer(json);
      case VALUE_TRUE -> BooleanNode.TRUE;
      case VALUE_FALSE -> BooleanNode.FALSE;
      case VALUE_NULL -> NullNode.instance;
      default -> throw HttpRefusal.invalid("invalid json: expected a value, found " + token);
    };
  }

  private static JsonNode integer(JsonParser json) {
    if (JsonNumbers.isNegativeZero(json.getString())) {
      return DoubleNode.valueOf(-0.0);
    }
    return switch (json.getNumberType()) {
      case INT -> IntNode.valueOf(json.getIntValue());
      case LONG -> LongNode.valueOf(json.getLongValue());
      default -> BigIntegerNode.valueOf(json.getBigIntegerValue());
    };
  }

  private static JsonNode number(JsonParser json, @Nullable BigDecimal decimal) {
    if (decimal == null) {
      throw HttpRefusal.invalid(
          "invalid json: an exponent of more than 32 bits at "
              + json.streamReadContext().pathAsPointer());
    }
    return JsonNumbers.isNegativeZero(json.getString())
        ? DoubleNode.valueOf(-0.0)
        : DecimalNode.valueOf(decimal);
  }

  private static String encodable(JsonParser json, String text) {
    if (JsonTexts.isEncodable(text)) {
      return text;
    }
    throw HttpRefusal.invalid(
        "invalid json: a lone surrogate at " + json.streamReadContext().pathAsPointer());
  }
}
