// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// The outermost fields of the first JSON object of a file, or of the first object in the file's
/// first array. The object's end need not be at hand.
final class FirstRecord {

  private final boolean array;
  private final Map<String, String> fields = new HashMap<>();
  private boolean parts;

  private FirstRecord(boolean array) {
    this.array = array;
  }

  /// Empty if the bytes do not begin with a JSON object or array.
  static Optional<FirstRecord> read(byte[] start) {
    FirstRecord record = null;
    try (JsonParser json = StrictJson.parser(start, 0, start.length)) {
      JsonToken first = json.nextToken();
      record = first == null ? null : new FirstRecord(first == JsonToken.START_ARRAY);
      boolean object =
          first == JsonToken.START_ARRAY
              ? json.nextToken() == JsonToken.START_OBJECT
              : first == JsonToken.START_OBJECT;
      if (record == null || !object) {
        return Optional.empty();
      }
      record.readFields(json);
    } catch (JacksonException e) {
      // the bytes end here, or the record is damaged: the fields before are known
    }
    return Optional.ofNullable(record);
  }

  private void readFields(JsonParser json) {
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      JsonToken value = json.nextToken();
      fields.put(name, value == JsonToken.VALUE_STRING ? json.getString() : "");
      if (name.equals("message") && value == JsonToken.START_OBJECT) {
        readMessage(json);
      } else {
        json.skipChildren();
      }
    }
  }

  private void readMessage(JsonParser json) {
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      parts |= json.currentName().equals("parts");
      @Nullable JsonToken value = json.nextToken();
      if (value != null) {
        json.skipChildren();
      }
    }
  }

  /// True if the file is an array, and the record its first item.
  boolean isArray() {
    return array;
  }

  boolean has(String name) {
    return fields.containsKey(name);
  }

  /// The field's text; empty if it is something else or is missing.
  String text(String name) {
    return fields.getOrDefault(name, "");
  }

  /// True if the record's `message` has `parts`.
  boolean messageHasParts() {
    return parts;
  }
}
