// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.server.value.MsgpackWriter;
import dev.varve.server.value.Value;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Makes msgpack with tags of the JSON that somebody posts for a type: the way back of
/// [Projection].
///
/// Fields stand in the order of their tags and numbers take as few bytes as can be, so that equal
/// data has equal bytes. What has no field is kept: a name of digits becomes a tag, another stays a
/// name.
public final class PayloadEncoder {

  private final Catalogue catalogue;

  public PayloadEncoder(Catalogue catalogue) {
    this.catalogue = catalogue;
  }

  /// The payload for `data`.
  ///
  /// @param version 0 to 2^32 - 1; of a type that is not registered the data is written as it comes
  /// @throws StoreException.Invalid if a field that is not optional is missing, or a value does not
  ///   fit its field
  public Payload encode(Value data, String typeId, long version) {
    Optional<TypeVersion> descriptor = catalogue.version(typeId, version);
    if (descriptor.isPresent()) {
      return MsgpackWriter.write(object(typeId, data, descriptor.get()));
    }
    return MsgpackWriter.write(asIs(data));
  }

  private Value object(String place, Value value, TypeVersion version) {
    if (!(value instanceof Value.Entries map)) {
      throw mismatch(place, "an object", value);
    }
    TaggedFields given = TaggedFields.of(map, version);
    SortedMap<Long, Value> tagged = new TreeMap<>(Long::compareUnsigned);
    version
        .fields()
        .forEach(
            (tag, field) -> {
              Value member = given.known().get(tag);
              String at = place + "." + field.name();
              if (member != null) {
                tagged.put(tag, field(at, member, field));
              } else if (!field.optional()) {
                throw new StoreException.Invalid(at, "missing, and not optional");
              }
            });
    return merged(tagged, given.unknown());
  }

  private static Value merged(SortedMap<Long, Value> tagged, Map<String, Value> others) {
    List<Value.Entry> named = new ArrayList<>();
    others.forEach(
        (name, member) -> {
          Long tag = TaggedFields.tag(new Value.Text(name));
          if (tag != null) {
            tagged.put(tag, asIs(member));
          } else {
            named.add(new Value.Entry(new Value.Text(name), asIs(member)));
          }
        });
    List<Value.Entry> entries = new ArrayList<>();
    tagged.forEach((tag, member) -> entries.add(new Value.Entry(Value.Int.unsigned(tag), member)));
    entries.addAll(named);
    return new Value.Entries(entries);
  }

  private static Value asIs(Value value) {
    return switch (value) {
      case Value.Items items ->
          new Value.Items(items.values().stream().map(PayloadEncoder::asIs).toList());
      case Value.Entries map -> {
        SortedMap<Long, Value> tagged = new TreeMap<>(Long::compareUnsigned);
        Map<String, Value> named = new java.util.LinkedHashMap<>();
        for (Value.Entry entry : map.entries()) {
          if (entry.key() instanceof Value.Text(String name)) {
            named.put(name, entry.value());
          }
        }
        yield merged(tagged, named);
      }
      default -> value;
    };
  }

  private Value field(String place, Value value, Field field) {
    if (value == Value.Nil.NIL) {
      return value;
    }
    if (field.enumId() != null && value instanceof Value.Text(String label)) {
      return catalogue
          .number(field.enumId(), label)
          .flatMap(PayloadEncoder::whole)
          .orElseThrow(
              () ->
                  new StoreException.Invalid(
                      place, "enum " + field.enumId() + " has no label '" + label + "'"));
    }
    boolean refers = field.type().equals("ref") || field.type().equals("map");
    if (refers && field.ref() != null) {
      return reference(place, value, field.ref());
    }
    return field.type().equals("array")
        ? array(place, value, field.items())
        : scalar(place, value, field.type());
  }

  private Value reference(String place, Value value, String typeId) {
    Optional<TypeVersion> version = catalogue.latest(typeId).map(Map.Entry::getValue);
    return version.isPresent() ? object(place, value, version.get()) : asIs(value);
  }

  private Value array(String place, Value value, Field.Items items) {
    if (!(value instanceof Value.Items array)) {
      throw mismatch(place, "an array", value);
    }
    List<Value> values = new ArrayList<>(array.values().size());
    for (Value item : array.values()) {
      String at = place + "[" + values.size() + "]";
      values.add(
          switch (items) {
            case Field.Items.Any _ -> asIs(item);
            case Field.Items.Of(String type) -> scalar(at, item, type);
            case Field.Items.Ref(String typeId) -> reference(at, item, typeId);
          });
    }
    return new Value.Items(values);
  }

  private static Value scalar(String place, Value value, String type) {
    if (value == Value.Nil.NIL) {
      return value;
    }
    return switch (type) {
      case "u64", "uint64" -> whole(place, value, "a whole number from 0 on", false);
      case "i64", "int64" -> whole(place, value, "a whole number", true);
      case "u32", "uint32" -> within(place, value, 0, 0xffff_ffffL);
      case "u8", "uint8" -> within(place, value, 0, 0xff);
      case "int32" -> within(place, value, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case "string" -> {
        if (!(value instanceof Value.Text)) {
          throw mismatch(place, "text", value);
        }
        yield value;
      }
      case "bool" -> {
        if (!(value instanceof Value.Bool)) {
          throw mismatch(place, "true or false", value);
        }
        yield value;
      }
      case "bytes", "typed_blob" -> bytes(place, value);
      case "unix_ms", "time_ms", "timestamp_ms" ->
          value instanceof Value.Text(String text) && Rfc3339.read(text).isPresent()
              ? Value.Int.of(Rfc3339.read(text).getAsLong())
              : whole(place, value, "a time in milliseconds or as RFC 3339", true);
      default -> asIs(value);
    };
  }

  private static Value.Int within(String place, Value value, long min, long max) {
    Value.Int number = whole(place, value, "a whole number", true);
    if (!number.fitsLong() || number.bits() < min || number.bits() > max) {
      throw new StoreException.Invalid(
          place, "expected " + min + " to " + max + ", found " + number);
    }
    return number;
  }

  private static Value.Int whole(String place, Value value, String expected, boolean signed) {
    Optional<Value.Int> number =
        switch (value) {
          case Value.Int given -> Optional.of(given);
          case Value.Text(String text) -> whole(text);
          default -> Optional.empty();
        };
    if (number.isEmpty()
        || (number.get().negative() && !signed)
        || (signed && !number.get().fitsLong())) {
      throw mismatch(place, expected, value);
    }
    return number.get();
  }

  private static Optional<Value.Int> whole(String text) {
    try {
      return Optional.of(
          text.startsWith("-")
              ? Value.Int.of(Long.parseLong(text))
              : Value.Int.unsigned(Long.parseUnsignedLong(text)));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /// Base64, else hex digits, else the text's own UTF-8; numbers of a byte; or `{"base64":…}` and
  /// `{"hex":…}`, which leave no doubt.
  private static Value bytes(String place, Value value) {
    return switch (value) {
      case Value.Bytes bytes -> bytes;
      case Value.Text(String text) ->
          base64(text)
              .or(() -> hex(text))
              .orElseGet(() -> new Value.Bytes(Payload.wrap(text.getBytes(UTF_8))));
      case Value.Items items -> {
        byte[] bytes = new byte[items.values().size()];
        for (int i = 0; i < bytes.length; i++) {
          bytes[i] = (byte) within(place + "[" + i + "]", items.values().get(i), 0, 255).bits();
        }
        yield new Value.Bytes(Payload.wrap(bytes));
      }
      case Value.Entries(List<Value.Entry> entries)
          when entries.size() == 1
              && entries.getFirst().key() instanceof Value.Text(String form)
              && entries.getFirst().value() instanceof Value.Text(String text) ->
          switch (form) {
            case "base64" -> base64(text).orElseThrow(() -> mismatch(place, "base64", value));
            case "hex" -> hex(text).orElseThrow(() -> mismatch(place, "hex digits", value));
            default -> throw mismatch(place, "base64 or hex", value);
          };
      default -> throw mismatch(place, "bytes", value);
    };
  }

  private static Optional<Value.Bytes> base64(String text) {
    try {
      byte[] bytes = Base64.getDecoder().decode(text);
      // A text that lost its padding is more likely no base64 at all.
      return text.length() % 4 == 0
          ? Optional.of(new Value.Bytes(Payload.wrap(bytes)))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Optional<Value.Bytes> hex(String text) {
    try {
      return Optional.of(new Value.Bytes(Payload.wrap(HexFormat.of().parseHex(text))));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static StoreException.Invalid mismatch(String place, String expected, Value found) {
    String kind =
        switch (found) {
          case Value.Nil _ -> "null";
          case Value.Bool(boolean bool) -> String.valueOf(bool);
          case Value.Int number -> number.toString();
          case Value.Real(double number) -> String.valueOf(number);
          case Value.Text(String text) -> text.length() <= 40 ? "'" + text + "'" : "text";
          case Value.Bytes _, Value.Extension _ -> "bytes";
          case Value.Items _ -> "an array";
          case Value.Entries _ -> "an object";
        };
    return new StoreException.Invalid(place, "expected " + expected + ", found " + kind);
  }
}
