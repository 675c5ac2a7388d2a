// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.value;

import dev.varve.Payload;
import dev.varve.StoreException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// Takes JSON apart, within [Bounds].
///
/// A whole number beyond 64 bits becomes a [Value.Real], as it does for most readers of JSON.
public final class JsonReader {

  private final JsonParser json;
  private final Bounds bounds;
  private int valuesLeft;

  private JsonReader(JsonParser json, Bounds bounds) {
    this.json = json;
    this.bounds = bounds;
    this.valuesLeft = bounds.values();
  }

  /// The one value that `payload` holds.
  ///
  /// @throws StoreException.Invalid if it is not JSON, a name stands twice in an object, more
  ///   follows, or the bounds are crossed
  public static Value read(Payload payload, Bounds bounds) {
    if (payload.sizeBytes() > bounds.sizeBytes()) {
      throw new StoreException.TooLarge("JSON", payload.sizeBytes(), bounds.sizeBytes());
    }
    try (JsonParser json = Json.parser(payload.unsafeArray())) {
      JsonReader reader = new JsonReader(json, bounds);
      Value value = reader.value(json.nextToken(), 0);
      if (json.nextToken() != null) {
        throw invalid(json, "more follows the value");
      }
      return value;
    } catch (JacksonException e) {
      throw new StoreException.Invalid("invalid json", where(e));
    }
  }

  /// Jackson's message in one line, without the source it quotes.
  static String where(JacksonException e) {
    String what = e.getOriginalMessage() == null ? "not JSON" : e.getOriginalMessage();
    what = what.lines().findFirst().orElse("not JSON");
    return e.getLocation() == null || e.getLocation().getLineNr() < 1
        ? what
        : what
            + " at line "
            + e.getLocation().getLineNr()
            + ", column "
            + e.getLocation().getColumnNr();
  }

  private Value value(JsonToken token, int depth) {
    if (token == null) {
      throw invalid(json, "nothing there");
    }
    if (--valuesLeft < 0) {
      throw invalid(json, "more than " + bounds.values() + " values");
    }
    if (depth > bounds.depth()) {
      throw invalid(json, "nested deeper than " + bounds.depth() + " levels");
    }
    return switch (token) {
      case VALUE_NULL -> Value.Nil.NIL;
      case VALUE_TRUE -> new Value.Bool(true);
      case VALUE_FALSE -> new Value.Bool(false);
      case VALUE_STRING -> new Value.Text(json.getString());
      case VALUE_NUMBER_INT -> integer();
      case VALUE_NUMBER_FLOAT -> new Value.Real(json.getDoubleValue());
      case START_ARRAY -> items(depth);
      case START_OBJECT -> entries(depth);
      default -> throw invalid(json, "expected a value");
    };
  }

  private Value integer() {
    if (json.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
      return Value.Int.of(json.getLongValue());
    }
    BigInteger big = json.getBigIntegerValue();
    return big.signum() > 0 && big.bitLength() <= Long.SIZE
        ? Value.Int.unsigned(big.longValue())
        : new Value.Real(big.doubleValue());
  }

  private Value items(int depth) {
    List<Value> values = new ArrayList<>();
    for (JsonToken token = json.nextToken();
        token != JsonToken.END_ARRAY;
        token = json.nextToken()) {
      values.add(value(token, depth + 1));
    }
    return new Value.Items(values);
  }

  private Value entries(int depth) {
    List<Value.Entry> entries = new ArrayList<>();
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      if (--valuesLeft < 0) {
        throw invalid(json, "more than " + bounds.values() + " values");
      }
      Value key = new Value.Text(json.currentName());
      entries.add(new Value.Entry(key, value(json.nextToken(), depth + 1)));
    }
    return new Value.Entries(entries);
  }

  private static StoreException.Invalid invalid(JsonParser json, String why) {
    return new StoreException.Invalid(
        "invalid json",
        why
            + " at line "
            + json.currentLocation().getLineNr()
            + ", column "
            + json.currentLocation().getColumnNr());
  }
}
