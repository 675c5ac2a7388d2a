// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.BlobHash;
import java.io.StringWriter;
import java.time.Instant;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/// One object on one line, for programs. Ids and hashes are strings, times are RFC 3339 in UTC,
/// what is absent is null: a field is always there.
final class JsonLine {

  private static final JsonFactory JSON = new JsonFactory();

  private final StringWriter text = new StringWriter();
  private final JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text);

  JsonLine() {
    json.writeStartObject();
  }

  /// A number that is not an id.
  JsonLine number(String name, long value) {
    json.writeNumberProperty(name, value);
    return this;
  }

  JsonLine numberOrNull(String name, @Nullable Long value) {
    if (value == null) {
      json.writeNullProperty(name);
      return this;
    }
    return number(name, value);
  }

  JsonLine text(String name, @Nullable String value) {
    if (value == null) {
      json.writeNullProperty(name);
    } else {
      json.writeStringProperty(name, wellFormed(value));
    }
    return this;
  }

  JsonLine id(String name, Object id) {
    return text(name, id.toString());
  }

  JsonLine hash(String name, @Nullable BlobHash hash) {
    return text(name, hash == null ? null : hash.toString());
  }

  JsonLine time(String name, Instant at) {
    return text(name, at.toString());
  }

  JsonLine bool(String name, boolean value) {
    json.writeBooleanProperty(name, value);
    return this;
  }

  /// An array of numbers as strings, like [#id].
  JsonLine ids(String name, Iterable<?> ids) {
    json.writeArrayPropertyStart(name);
    ids.forEach(id -> json.writeString(id.toString()));
    json.writeEndArray();
    return this;
  }

  /// An array of objects.
  <T> JsonLine objects(String name, Iterable<T> items, BiConsumer<JsonLine, T> each) {
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
  JsonLine object(String name, Consumer<JsonLine> fields) {
    json.writeObjectPropertyStart(name);
    fields.accept(this);
    json.writeEndObject();
    return this;
  }

  /// Something that is JSON already.
  JsonLine json(String name, String value) {
    json.writeName(name);
    json.writeRawValue(value);
    return this;
  }

  void print(Terminal terminal) {
    json.writeEndObject();
    json.close();
    terminal.println(text.toString());
  }

  /// A lone surrogate has no UTF-8; in JSON it would have to be escaped, which not every reader
  /// takes.
  private static String wellFormed(String value) {
    for (int i = 0; i < value.length(); i++) {
      if (Character.getType(value.codePointAt(i)) == Character.SURROGATE) {
        return SafeText.lines(value);
      }
    }
    return value;
  }
}
