// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.Payload;
import dev.varve.server.value.JsonTexts;
import dev.varve.server.value.PayloadValue;
import java.math.BigInteger;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// Writes values as JSON, by descriptors where they exist. Never fails: a value that does not fit
/// its type is written as null.
///
/// Recursion goes as deep as the value, whose depth was bounded when it was read, however types
/// refer to each other.
final class ProjectionWriter {

  private final TypeCatalogue catalogue;
  private final RenderOptions options;

  ProjectionWriter(TypeCatalogue catalogue, RenderOptions options) {
    this.catalogue = catalogue;
    this.options = options;
  }

  /// Writes the fields that are present, in the order of their tags.
  ///
  /// @param unknownName the name of a member for values without a field, if there are any; null to
  ///   leave them out
  void object(
      TaggedFields fields, TypeVersion version, @Nullable String unknownName, JsonGenerator json) {
    // Two fields may have one name.
    Map<String, Map.Entry<TypeField, PayloadValue>> byName = new LinkedHashMap<>();
    fields
        .known()
        .forEach(
            (tag, value) -> {
              TypeField field = version.fields().get(tag);
              if (field != null) {
                byName.put(field.name(), Map.entry(field, value));
              }
            });
    json.writeStartObject();
    byName.forEach(
        (name, entry) -> {
          json.writeName(name);
          field(entry.getValue(), entry.getKey(), json);
        });
    if (unknownName != null && !fields.unknown().isEmpty() && !byName.containsKey(unknownName)) {
      json.writeName(unknownName);
      generic(fields.unknown(), json);
    }
    json.writeEndObject();
  }

  private void field(PayloadValue value, TypeField field, JsonGenerator json) {
    if (field.enumId() != null && value instanceof PayloadValue.Int number && !number.negative()) {
      Optional<String> label = catalogue.label(field.enumId(), number.toString());
      if (label.isPresent()) {
        label(label.get(), number, json);
        return;
      }
    }
    boolean refers = field.type().equals("ref") || field.type().equals("map");
    if (refers && field.ref() != null) {
      reference(value, field.ref(), json);
    } else if (field.type().equals("array")) {
      array(value, field.items(), json);
    } else {
      scalar(value, field.type(), json);
    }
  }

  private void label(String label, PayloadValue.Int number, JsonGenerator json) {
    switch (options.enums()) {
      case LABEL -> json.writeString(label);
      case NUMBER -> number(number, json);
      case BOTH -> {
        json.writeStartObject();
        json.writeStringProperty("label", label);
        json.writeName("value");
        number(number, json);
        json.writeEndObject();
      }
    }
  }

  /// Writes a value by the latest version of another type; without a descriptor if the type is
  /// unknown or the value is not a map.
  private void reference(PayloadValue value, String typeId, JsonGenerator json) {
    Optional<TypeVersion> version = catalogue.latest(typeId).map(Map.Entry::getValue);
    if (version.isPresent() && value instanceof PayloadValue.Entries map) {
      TaggedFields fields = TaggedFields.of(map, version.get());
      object(fields, version.get(), options.includeUnknown() ? "_unknown" : null, json);
    } else {
      generic(value, json);
    }
  }

  private void array(PayloadValue value, TypeField.Items items, JsonGenerator json) {
    if (!(value instanceof PayloadValue.Items array)) {
      json.writeNull();
      return;
    }
    json.writeStartArray();
    for (PayloadValue item : array.values()) {
      switch (items) {
        case TypeField.Items.Any _ -> generic(item, json);
        case TypeField.Items.Of(String type) when type.equals("array") ->
            array(item, TypeField.Items.Any.ANY, json);
        case TypeField.Items.Of(String type) -> scalar(item, type, json);
        case TypeField.Items.Ref(String typeId) -> reference(item, typeId, json);
      }
    }
    json.writeEndArray();
  }

  private void scalar(PayloadValue value, String type, JsonGenerator json) {
    switch (type) {
      case "u64", "uint64" ->
          orNull(value instanceof PayloadValue.Int n && !n.negative() ? n : null, json);
      case "i64", "int64" ->
          orNull(value instanceof PayloadValue.Int n && n.fitsLong() ? n : null, json);
      case "u32", "uint32", "u8", "uint8", "int32" -> {
        if (value instanceof PayloadValue.Int number && number.fitsLong()) {
          number(number, json);
        } else {
          json.writeNull();
        }
      }
      case "string" -> {
        if (value instanceof PayloadValue.Text(String text)) {
          text(text, json);
        } else {
          json.writeNull();
        }
      }
      case "bool" -> {
        if (value instanceof PayloadValue.Bool(boolean bool)) {
          json.writeBoolean(bool);
        } else {
          json.writeNull();
        }
      }
      case "bytes", "typed_blob" -> {
        if (value instanceof PayloadValue.Bytes(Payload bytes)) {
          bytes(bytes, json);
        } else {
          json.writeNull();
        }
      }
      case "unix_ms", "time_ms", "timestamp_ms" -> time(value, json);
      default -> generic(value, json);
    }
  }

  private void orNull(PayloadValue.@Nullable Int number, JsonGenerator json) {
    if (number == null) {
      json.writeNull();
    } else {
      wide(number, json);
    }
  }

  private void time(PayloadValue value, JsonGenerator json) {
    if (!(value instanceof PayloadValue.Int number && number.fitsLong())) {
      json.writeNull();
      return;
    }
    if (options.time() == RenderOptions.Time.UNIX_MS) {
      number(number, json);
      return;
    }
    String text = Rfc3339.write(number.bits());
    if (text == null) {
      json.writeNull();
    } else {
      json.writeString(text);
    }
  }

  // ---- without a type

  void generic(Map<String, PayloadValue> members, JsonGenerator json) {
    json.writeStartObject();
    members.forEach(
        (name, value) -> {
          json.writeName(name);
          generic(value, json);
        });
    json.writeEndObject();
  }

  /// Writes a value without a descriptor: whole numbers that are not negative are written like
  /// every unsigned 64-bit number.
  private void generic(PayloadValue value, JsonGenerator json) {
    write(value, false, json);
  }

  /// Writes a value as it was in JSON: a number stays a number, and a text is never shortened.
  void asIs(PayloadValue value, JsonGenerator json) {
    write(value, true, json);
  }

  private void write(PayloadValue value, boolean asIs, JsonGenerator json) {
    switch (value) {
      case PayloadValue.Nil _, PayloadValue.Extension _ -> json.writeNull();
      case PayloadValue.Bool(boolean bool) -> json.writeBoolean(bool);
      case PayloadValue.Int number when asIs || number.negative() -> number(number, json);
      case PayloadValue.Int number -> wide(number, json);
      case PayloadValue.Real(double number) when Double.isFinite(number) ->
          json.writeNumber(number);
      case PayloadValue.Real(double number) when asIs ->
          json.writeString(String.valueOf(number)); // JSON has no NaN and no infinity
      case PayloadValue.Real _ -> json.writeNumber(0.0); // as cxdb shows it
      case PayloadValue.Decimal(String number) -> json.writeNumber(number);
      case PayloadValue.Text(String text) when asIs -> JsonTexts.write(text, json);
      case PayloadValue.Text(String text) -> text(text, json);
      case PayloadValue.Bytes(Payload bytes) -> bytes(bytes, json);
      case PayloadValue.Items items -> {
        json.writeStartArray();
        items.values().forEach(item -> write(item, asIs, json));
        json.writeEndArray();
      }
      case PayloadValue.Entries map -> {
        Map<String, PayloadValue> members = new LinkedHashMap<>();
        map.entries().forEach(entry -> members.put(key(entry.key()), entry.value()));
        json.writeStartObject();
        members.forEach(
            (name, member) -> {
              json.writeName(name);
              write(member, asIs, json);
            });
        json.writeEndObject();
      }
    }
  }

  private static String key(PayloadValue key) {
    return switch (key) {
      case PayloadValue.Text(String text) -> text;
      case PayloadValue.Int number when !number.negative() -> number.toString();
      default -> "";
    };
  }

  // ---- scalars

  private void wide(PayloadValue.Int number, JsonGenerator json) {
    if (options.u64() == RenderOptions.U64.STRING) {
      json.writeString(number.toString());
    } else {
      number(number, json);
    }
  }

  private static void number(PayloadValue.Int number, JsonGenerator json) {
    if (number.fitsLong()) {
      json.writeNumber(number.bits());
    } else {
      json.writeNumber(new BigInteger(number.toString()));
    }
  }

  private void bytes(Payload bytes, JsonGenerator json) {
    switch (options.bytes()) {
      case BASE64 -> json.writeString(Base64.getEncoder().encodeToString(bytes.unsafeArray()));
      case HEX -> json.writeString(HexFormat.of().formatHex(bytes.unsafeArray()));
      case LEN_ONLY -> json.writeNumber(bytes.sizeBytes());
    }
  }

  private void text(String text, JsonGenerator json) {
    Integer limit = options.stringLimit();
    JsonTexts.write(limit == null || text.length() <= limit / 3 ? text : cut(text, limit), json);
  }

  /// The longest beginning that has at most `limitBytes` bytes of UTF-8.
  private static String cut(String text, int limitBytes) {
    int left = limitBytes;
    int end = 0;
    while (end < text.length()) {
      int codePoint = text.codePointAt(end);
      left -= Character.toString(codePoint).getBytes(UTF_8).length;
      if (left < 0) {
        break;
      }
      end += Character.charCount(codePoint);
    }
    return text.substring(0, end);
  }
}
