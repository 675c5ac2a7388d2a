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

/// The reader of JSON into a [PayloadValue], within [ValueBounds]. No number changes its value: one
/// that neither 64 bits nor a double hold becomes a [PayloadValue.Decimal].
public final class JsonReader {

  private final JsonParser json;
  private final ValueBounds bounds;
  private int valuesLeft;

  private JsonReader(JsonParser json, ValueBounds bounds) {
    this.json = json;
    this.bounds = bounds;
    this.valuesLeft = bounds.values();
  }

  /// The one value in `payload`.
  ///
  /// @throws StoreException.Invalid if the payload is not JSON, repeats a name within an object,
  ///   continues after the value, or exceeds the bounds
  public static PayloadValue read(Payload payload, ValueBounds bounds) {
    if (payload.sizeBytes() > bounds.sizeBytes()) {
      throw new StoreException.TooLarge("JSON", payload.sizeBytes(), bounds.sizeBytes());
    }
    try (JsonParser json = JsonStreams.parser(payload.unsafeArray())) {
      JsonReader reader = new JsonReader(json, bounds);
      PayloadValue value = reader.value(json.nextToken(), 0);
      if (json.nextToken() != null) {
        throw invalid(json, "more follows the value");
      }
      return value;
    } catch (JacksonException e) {
      throw new StoreException.Invalid("invalid json", where(e));
    }
  }

  /// Returns what an error says in one line, with the place and without the source that Jackson
  /// quotes.
  public static String where(JacksonException e) {
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

  private PayloadValue value(JsonToken token, int depth) {
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
      case VALUE_NULL -> PayloadValue.Nil.NIL;
      case VALUE_TRUE -> new PayloadValue.Bool(true);
      case VALUE_FALSE -> new PayloadValue.Bool(false);
      case VALUE_STRING -> new PayloadValue.Text(json.getString());
      case VALUE_NUMBER_INT -> integer();
      case VALUE_NUMBER_FLOAT -> JsonNumbers.value(json.getString());
      case START_ARRAY -> items(depth);
      case START_OBJECT -> entries(depth);
      default -> throw invalid(json, "expected a value");
    };
  }

  private PayloadValue integer() {
    if (JsonNumbers.isNegativeZero(json.getString())) {
      return new PayloadValue.Real(-0.0);
    }
    if (json.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
      return PayloadValue.Int.of(json.getLongValue());
    }
    BigInteger big = json.getBigIntegerValue();
    return big.signum() > 0 && big.bitLength() <= Long.SIZE
        ? PayloadValue.Int.unsigned(big.longValue())
        : new PayloadValue.Decimal(json.getString());
  }

  private PayloadValue items(int depth) {
    List<PayloadValue> values = new ArrayList<>();
    for (JsonToken token = json.nextToken();
        token != JsonToken.END_ARRAY;
        token = json.nextToken()) {
      values.add(value(token, depth + 1));
    }
    return new PayloadValue.Items(values);
  }

  private PayloadValue entries(int depth) {
    List<PayloadValue.Entry> entries = new ArrayList<>();
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      if (--valuesLeft < 0) {
        throw invalid(json, "more than " + bounds.values() + " values");
      }
      PayloadValue key = new PayloadValue.Text(json.currentName());
      entries.add(new PayloadValue.Entry(key, value(json.nextToken(), depth + 1)));
    }
    return new PayloadValue.Entries(entries);
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
