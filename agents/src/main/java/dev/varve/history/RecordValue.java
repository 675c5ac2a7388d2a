// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.imports.StrictJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// A value of a record, as far as profiles look into records: some levels deep, and only the
/// beginning of a long text. A value that is missing, too deep or of another kind is empty.
public final class RecordValue {

  /// The most bytes of a text that are kept.
  private static final int TEXT_BYTES_MAX = 1 << 10;

  private static final int DEPTH_MAX = 6;
  private static final int ITEMS_MAX = 1 << 10;

  /// The value that is not there.
  public static final RecordValue NONE = new RecordValue("", Map.of(), List.of(), false);

  private final String text;
  private final Map<String, RecordValue> members;
  private final List<RecordValue> items;
  private final boolean string;

  private RecordValue(
      String text, Map<String, RecordValue> members, List<RecordValue> items, boolean string) {
    this.text = text;
    this.members = members;
    this.items = items;
    this.string = string;
  }

  /// Reads a line that is one JSON object and nothing else; empty if the line is something else.
  public static Optional<RecordValue> object(byte[] line) {
    try (JsonParser json = StrictJson.parser(line, 0, line.length)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      RecordValue value = read(json, line, 0);
      return json.nextToken() == null ? Optional.of(value) : Optional.empty();
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  private static RecordValue read(JsonParser json, byte[] line, int depth) {
    return switch (json.currentToken()) {
      case START_OBJECT -> {
        if (depth == DEPTH_MAX) {
          json.skipChildren();
          yield NONE;
        }
        Map<String, RecordValue> members = new HashMap<>();
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
          String name = json.currentName();
          json.nextToken();
          members.put(name, read(json, line, depth + 1)); // the last one counts, as in JavaScript
        }
        yield new RecordValue("", members, List.of(), false);
      }
      case START_ARRAY -> {
        if (depth == DEPTH_MAX) {
          json.skipChildren();
          yield NONE;
        }
        List<RecordValue> items = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
          RecordValue item = read(json, line, depth + 1);
          if (items.size() < ITEMS_MAX) {
            items.add(item);
          }
        }
        yield new RecordValue("", Map.of(), items, false);
      }
      case VALUE_STRING ->
          new RecordValue(
              beginning(line, (int) json.currentTokenLocation().getByteOffset()),
              Map.of(),
              List.of(),
              true);
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT, VALUE_TRUE, VALUE_FALSE ->
          new RecordValue(json.getString(), Map.of(), List.of(), false);
      default -> NONE;
    };
  }

  /// The beginning of the string whose quote stands at `from`: the parser need not hold all of it.
  private static String beginning(byte[] line, int from) {
    int most = Math.min(line.length, from + 1 + TEXT_BYTES_MAX);
    int to = from + 1;
    int whole = to; // behind the last character that is whole
    while (to < most && line[to] != '"') {
      to += line[to] != '\\' ? 1 : to + 1 < most && line[to + 1] == 'u' ? 6 : 2;
      if (to <= most && (to == most || (line[to] & 0xC0) != 0x80)) {
        whole = to;
      }
    }
    int end = to < most ? to : whole;
    boolean plain = true;
    for (int i = from + 1; i < end && plain; i++) {
      plain = line[i] != '\\';
    }
    if (plain) {
      return new String(line, from + 1, end - from - 1, StandardCharsets.UTF_8);
    }
    byte[] quoted = new byte[end - from + 1];
    System.arraycopy(line, from, quoted, 0, end - from);
    quoted[end - from] = '"';
    try (JsonParser json = StrictJson.parser(quoted, 0, quoted.length)) {
      json.nextToken();
      return json.getString();
    }
  }

  /// A member of an object.
  public RecordValue get(String name) {
    return members.getOrDefault(name, NONE);
  }

  /// The names of an object's members, sorted.
  public Set<String> names() {
    return new TreeSet<>(members.keySet());
  }

  /// Says whether an object has the member, be it null.
  public boolean has(String name) {
    return members.containsKey(name);
  }

  /// A member's text: see [#text()].
  public String text(String name) {
    return get(name).text();
  }

  /// The beginning of a string, or a number or truth value as it is spelled.
  public String text() {
    return text;
  }

  /// Says whether this is a string.
  public boolean isString() {
    return string;
  }

  /// Says whether this is an object with members.
  public boolean isObject() {
    return !members.isEmpty();
  }

  /// Says whether the value is `true`.
  public boolean isTrue() {
    return !string && text.equals("true");
  }

  /// The items of an array.
  public List<RecordValue> items() {
    return items;
  }

  /// A count; 0 if this is none.
  public long count() {
    try {
      return string ? 0 : Math.max(0, Long.parseLong(text));
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
