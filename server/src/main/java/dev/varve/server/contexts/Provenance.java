// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.server.value.Json;
import dev.varve.server.value.Value;
import java.math.BigInteger;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// Who wrote a context, where, and on whose behalf, as its writer says.
///
/// @param values what was said; nothing of what was not
public record Provenance(Map<Key, Value> values) implements Json.Answer {

  /// What can be said, with its tag in a payload.
  public enum Key {
    PARENT_CONTEXT_ID(1, Kind.NUMBER),
    SPAWN_REASON(2, Kind.TEXT),
    ROOT_CONTEXT_ID(3, Kind.NUMBER),
    TRACE_ID(10, Kind.TEXT),
    SPAN_ID(11, Kind.TEXT),
    CORRELATION_ID(12, Kind.TEXT),
    ON_BEHALF_OF(20, Kind.TEXT),
    ON_BEHALF_OF_SOURCE(21, Kind.TEXT),
    ON_BEHALF_OF_EMAIL(22, Kind.TEXT),
    WRITER_METHOD(30, Kind.TEXT),
    WRITER_SUBJECT(31, Kind.TEXT),
    WRITER_ISSUER(32, Kind.TEXT),
    SERVICE_NAME(40, Kind.TEXT),
    SERVICE_VERSION(41, Kind.TEXT),
    SERVICE_INSTANCE_ID(42, Kind.TEXT),
    PROCESS_PID(43, Kind.NUMBER),
    PROCESS_OWNER(44, Kind.TEXT),
    HOST_NAME(45, Kind.TEXT),
    HOST_ARCH(46, Kind.TEXT),
    CLIENT_ADDRESS(50, Kind.TEXT),
    CLIENT_PORT(51, Kind.NUMBER),
    ENV(60, Kind.MAP),
    SDK_NAME(70, Kind.TEXT),
    SDK_VERSION(71, Kind.TEXT),
    CAPTURED_AT(80, Kind.NUMBER);

    /// What a value must be to be taken.
    enum Kind {
      TEXT,
      NUMBER,
      MAP
    }

    final long tag;
    final Kind kind;

    Key(long tag, Kind kind) {
      this.tag = tag;
      this.kind = kind;
    }

    /// As it stands in JSON.
    String written() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public Provenance {
    Map<Key, Value> copy = new EnumMap<>(Key.class);
    copy.putAll(values);
    values = Collections.unmodifiableMap(copy);
  }

  @Nullable String text(Key key) {
    return values.get(key) instanceof Value.Text(String text) ? text : null;
  }

  /// An unsigned 64-bit number.
  @Nullable Long number(Key key) {
    return values.get(key) instanceof Value.Int number ? number.bits() : null;
  }

  /// The same, with the address of the client as the service sees it where the client did not say.
  Provenance withClientAddress(@Nullable String address) {
    if (address == null || values.containsKey(Key.CLIENT_ADDRESS)) {
      return this;
    }
    Map<Key, Value> more = new EnumMap<>(Key.class);
    more.putAll(values);
    more.put(Key.CLIENT_ADDRESS, new Value.Text(address));
    return new Provenance(more);
  }

  /// All keys, those that were not said as null. Numbers are numbers here, ids too: readers of this
  /// know no other form.
  @Override
  public void write(JsonGenerator json) {
    json.writeStartObject();
    for (Key key : Key.values()) {
      json.writeName(key.written());
      switch (values.get(key)) {
        case Value.Text(String text) -> json.writeString(text);
        case Value.Int number when number.fitsLong() -> json.writeNumber(number.bits());
        case Value.Int number -> json.writeNumber(new BigInteger(number.toString()));
        case Value.Entries map -> writeTexts(map, json);
        case null, default -> json.writeNull();
      }
    }
    json.writeEndObject();
  }

  private static void writeTexts(Value.Entries map, JsonGenerator json) {
    json.writeStartObject();
    for (Value.Entry entry : map.entries()) {
      if (entry.key() instanceof Value.Text(String name)
          && entry.value() instanceof Value.Text(String text)) {
        json.writeStringProperty(name, text);
      }
    }
    json.writeEndObject();
  }
}
