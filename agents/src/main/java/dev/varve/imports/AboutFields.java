// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

import dev.varve.Payload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// The fields of an `about` blob. Anybody may have written the blob, so the importer that looks for
/// its own fields checks each of them.
///
/// Fields that are neither text, number nor a list of text are passed over, so that a later version
/// may add some.
public final class AboutFields {

  private static final int SIZE_BYTES_MAX = 16 << 20;

  private final Map<String, String> values = new HashMap<>();
  private final Map<String, List<String>> lists = new HashMap<>();

  private AboutFields() {}

  /// Reads a blob; empty if it is not one JSON object.
  public static Optional<AboutFields> read(Payload about) {
    if (about.sizeBytes() > SIZE_BYTES_MAX) {
      return Optional.empty();
    }
    AboutFields fields = new AboutFields();
    try (JsonParser json = StrictJson.parser(about.unsafeArray(), 0, about.sizeBytes())) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        fields.take(json.currentName(), json.nextToken(), json);
      }
      return Optional.of(fields);
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  private void take(String name, JsonToken value, JsonParser json) {
    if (value == JsonToken.VALUE_STRING || value == JsonToken.VALUE_NUMBER_INT) {
      values.put(name, json.getString());
    } else if (value == JsonToken.START_ARRAY) {
      List<String> list = new ArrayList<>();
      JsonToken item = json.nextToken();
      while (item != JsonToken.END_ARRAY) {
        if (item == JsonToken.VALUE_STRING) {
          list.add(json.getString());
        } else {
          json.skipChildren();
        }
        item = json.nextToken();
      }
      lists.put(name, list);
    } else {
      json.skipChildren();
    }
  }

  /// The field's text or the digits of its number; empty text if there is no such field.
  public String text(String name) {
    return values.getOrDefault(name, "");
  }

  /// Like [#text], but empty if there is no such field.
  public Optional<String> find(String name) {
    return Optional.ofNullable(values.get(name));
  }

  /// The texts of a list; none if there is no such field.
  public List<String> list(String name) {
    return lists.getOrDefault(name, List.of());
  }
}
