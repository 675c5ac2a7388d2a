// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.server.value.JsonOutput;
import dev.varve.server.value.PayloadValue;
import java.math.BigInteger;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// The writer of a context, its machine and the person it acts for, as the writer declares them.
///
/// @param values the declared values; a key without a value was not declared
public record Provenance(Map<Key, PayloadValue> values) implements JsonOutput {

  /// A key with its tag in a payload.
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

    /// The kind of value that a key accepts.
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

    /// The name of the key in JSON.
    String written() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public Provenance {
    Map<Key, PayloadValue> copy = new EnumMap<>(Key.class);
    copy.putAll(values);
    values = Collections.unmodifiableMap(copy);
  }

  @Nullable String text(Key key) {
    return values.get(key) instanceof PayloadValue.Text(String text) ? text : null;
  }

  /// An unsigned 64-bit number.
  @Nullable Long number(Key key) {
    return values.get(key) instanceof PayloadValue.Int number ? number.bits() : null;
  }

  /// The same provenance with the client's address as the service sees it, unless the writer
  /// declared one.
  Provenance withClientAddress(@Nullable String address) {
    if (address == null || values.containsKey(Key.CLIENT_ADDRESS)) {
      return this;
    }
    Map<Key, PayloadValue> more = new EnumMap<>(Key.class);
    more.putAll(values);
    more.put(Key.CLIENT_ADDRESS, new PayloadValue.Text(address));
    return new Provenance(more);
  }

  /// Writes all keys, with null for those that were not declared. Numbers, including ids, are
  /// written as numbers, because readers of this object know no other form.
  @Override
  public void write(JsonGenerator json) {
    json.writeStartObject();
    for (Key key : Key.values()) {
      json.writeName(key.written());
      switch (values.get(key)) {
        case PayloadValue.Text(String text) -> json.writeString(text);
        case PayloadValue.Int number when number.fitsLong() -> json.writeNumber(number.bits());
        case PayloadValue.Int number -> json.writeNumber(new BigInteger(number.toString()));
        case PayloadValue.Entries map -> writeTexts(map, json);
        case null, default -> json.writeNull();
      }
    }
    json.writeEndObject();
  }

  private static void writeTexts(PayloadValue.Entries map, JsonGenerator json) {
    json.writeStartObject();
    for (PayloadValue.Entry entry : map.entries()) {
      if (entry.key() instanceof PayloadValue.Text(String name)
          && entry.value() instanceof PayloadValue.Text(String text)) {
        json.writeStringProperty(name, text);
      }
    }
    json.writeEndObject();
  }
}
