// SPDX-License-Identifier: Apache-2.0
package dev.varve.json;

import dev.varve.BlobHash;
import java.io.StringWriter;
import java.time.Instant;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/// A JSON object on one line, for programs. Ids and hashes are strings, times are RFC 3339 in UTC,
/// and an absent value is null: each field is always there.
public final class JsonLine {

  private static final JsonFactory JSON = new JsonFactory();

  private final StringWriter text = new StringWriter();
  private final JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text);

  public JsonLine() {
    json.writeStartObject();
  }

  /// A number that is not an id.
  public JsonLine number(String name, long value) {
    json.writeNumberProperty(name, value);
    return this;
  }

  public JsonLine numberOrNull(String name, @Nullable Long value) {
    if (value == null) {
      json.writeNullProperty(name);
      return this;
    }
    return number(name, value);
  }

  public JsonLine text(String name, @Nullable String value) {
    if (value == null) {
      json.writeNullProperty(name);
    } else {
      json.writeStringProperty(name, wellFormed(value));
    }
    return this;
  }

  public JsonLine id(String name, Object id) {
    return text(name, id.toString());
  }

  public JsonLine hash(String name, @Nullable BlobHash hash) {
    return text(name, hash == null ? null : hash.toString());
  }

  public JsonLine time(String name, Instant at) {
    return text(name, at.toString());
  }

  public JsonLine bool(String name, boolean value) {
    json.writeBooleanProperty(name, value);
    return this;
  }

  /// An array of numbers as strings, like [#id].
  public JsonLine ids(String name, Iterable<?> ids) {
    json.writeArrayPropertyStart(name);
    ids.forEach(id -> json.writeString(id.toString()));
    json.writeEndArray();
    return this;
  }

  /// An array of objects.
  public <T> JsonLine objects(String name, Iterable<T> items, BiConsumer<JsonLine, T> each) {
    json.writeArrayPropertyStart(name);
    for (T item : items) {
      json.writeStartObject();
      each.accept(this, item);
      json.writeEndObject();
    }
    json.writeEndArray();
    return this;
  }

  /// An object in the object.
  public JsonLine object(String name, Consumer<JsonLine> fields) {
    json.writeObjectPropertyStart(name);
    fields.accept(this);
    json.writeEndObject();
    return this;
  }

  /// A value that is JSON already.
  public JsonLine json(String name, String value) {
    json.writeName(name);
    json.writeRawValue(value);
    return this;
  }

  /// Ends the object and hands its line to `output`. The line cannot be written to afterwards.
  public void print(Output output) {
    json.writeEndObject();
    json.close();
    output.println(text.toString());
  }

  /// A place that takes lines of text.
  @FunctionalInterface
  public interface Output {
    void println(String line);
  }

  /// A lone surrogate has no UTF-8: the escape that Java and JSON know stands in its place, as
  /// text.
  private static String wellFormed(String value) {
    if (value.codePoints().noneMatch(JsonLine::isSurrogate)) {
      return value;
    }
    StringBuilder text = new StringBuilder();
    value
        .codePoints()
        .forEach(
            c -> {
              if (isSurrogate(c)) {
                text.append(String.format("\\u%04x", c));
              } else {
                text.appendCodePoint(c);
              }
            });
    return text.toString();
  }

  private static boolean isSurrogate(int c) {
    return Character.getType(c) == Character.SURROGATE;
  }
}
