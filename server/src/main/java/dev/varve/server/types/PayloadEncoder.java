// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.server.value.MsgpackWriter;
import dev.varve.server.value.PayloadValue;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The conversion of JSON into msgpack with the tags of a type: the reverse of [Projection].
///
/// Fields are written in the order of their tags and numbers in as few bytes as possible, so that
/// equal data has equal bytes. A member without a field is kept: a name of digits becomes a tag,
/// any other name stays a name.
public final class PayloadEncoder {

  private final TypeCatalogue catalogue;

  public PayloadEncoder(TypeCatalogue catalogue) {
    this.catalogue = catalogue;
  }

  /// The payload for `data`.
  ///
  /// @param place the name of the data in what the caller was given, for refusals
  /// @param version 0 to 2^32 - 1; data of an unregistered type is converted without a descriptor
  /// @throws StoreException.Invalid if a field that is not optional is missing, or a value does not
  ///   fit its field
  public Payload encode(String place, PayloadValue data, String typeId, long version) {
    Optional<TypeVersion> descriptor = catalogue.version(typeId, version);
    if (descriptor.isPresent()) {
      return MsgpackWriter.write(object(typeId, data, descriptor.get()));
    }
    return MsgpackWriter.write(asIs(place, data));
  }

  private PayloadValue object(String place, PayloadValue value, TypeVersion version) {
    if (!(value instanceof PayloadValue.Entries map)) {
      throw mismatch(place, "an object", value);
    }
    TaggedFields given = TaggedFields.of(map, version);
    SortedMap<Long, PayloadValue> tagged = new TreeMap<>(Long::compareUnsigned);
    version
        .fields()
        .forEach(
            (tag, field) -> {
              PayloadValue member = given.known().get(tag);
              String at = place + "." + field.name();
              if (member != null) {
                tagged.put(tag, field(at, member, field));
              } else if (!field.optional()) {
                throw new StoreException.Invalid(at, "missing, and not optional");
              }
            });
    return merged(place, tagged, given.unknown());
  }

  private static PayloadValue merged(
      String place, SortedMap<Long, PayloadValue> tagged, Map<String, PayloadValue> others) {
    List<PayloadValue.Entry> named = new ArrayList<>();
    others.forEach(
        (name, member) -> {
          Long tag = TaggedFields.tag(new PayloadValue.Text(name));
          PayloadValue kept = asIs(place + "." + name, member);
          if (tag != null) {
            tagged.put(tag, kept);
          } else {
            named.add(new PayloadValue.Entry(new PayloadValue.Text(name), kept));
          }
        });
    List<PayloadValue.Entry> entries = new ArrayList<>();
    tagged.forEach(
        (tag, member) ->
            entries.add(new PayloadValue.Entry(PayloadValue.Int.unsigned(tag), member)));
    entries.addAll(named);
    return new PayloadValue.Entries(entries);
  }

  private static PayloadValue asIs(String place, PayloadValue value) {
    return switch (value) {
      case PayloadValue.Items items -> {
        List<PayloadValue> kept = new ArrayList<>(items.values().size());
        for (PayloadValue item : items.values()) {
          kept.add(asIs(place + "[" + kept.size() + "]", item));
        }
        yield new PayloadValue.Items(kept);
      }
      case PayloadValue.Entries map -> {
        SortedMap<Long, PayloadValue> tagged = new TreeMap<>(Long::compareUnsigned);
        Map<String, PayloadValue> named = new java.util.LinkedHashMap<>();
        for (PayloadValue.Entry entry : map.entries()) {
          if (entry.key() instanceof PayloadValue.Text(String name)) {
            named.put(name, entry.value());
          }
        }
        yield merged(place, tagged, named);
      }
      case PayloadValue.Decimal _ ->
          throw mismatch(place, "a number that 64 bits or a double hold", value);
      default -> value;
    };
  }

  private PayloadValue field(String place, PayloadValue value, TypeField field) {
    if (value == PayloadValue.Nil.NIL) {
      return value;
    }
    if (field.enumId() != null && value instanceof PayloadValue.Text(String label)) {
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

  private PayloadValue reference(String place, PayloadValue value, String typeId) {
    Optional<TypeVersion> version = catalogue.latest(typeId).map(Map.Entry::getValue);
    return version.isPresent() ? object(place, value, version.get()) : asIs(place, value);
  }

  private PayloadValue array(String place, PayloadValue value, TypeField.Items items) {
    if (!(value instanceof PayloadValue.Items array)) {
      throw mismatch(place, "an array", value);
    }
    List<PayloadValue> values = new ArrayList<>(array.values().size());
    for (PayloadValue item : array.values()) {
      String at = place + "[" + values.size() + "]";
      values.add(
          switch (items) {
            case TypeField.Items.Any _ -> asIs(at, item);
            case TypeField.Items.Of(String type) -> scalar(at, item, type);
            case TypeField.Items.Ref(String typeId) -> reference(at, item, typeId);
          });
    }
    return new PayloadValue.Items(values);
  }

  private static PayloadValue scalar(String place, PayloadValue value, String type) {
    if (value == PayloadValue.Nil.NIL) {
      return value;
    }
    return switch (type) {
      case "u64", "uint64" -> whole(place, value, "a whole number from 0 on", false);
      case "i64", "int64" -> whole(place, value, "a whole number", true);
      case "u32", "uint32" -> within(place, value, 0, 0xffff_ffffL);
      case "u8", "uint8" -> within(place, value, 0, 0xff);
      case "int32" -> within(place, value, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case "string" -> {
        if (!(value instanceof PayloadValue.Text)) {
          throw mismatch(place, "text", value);
        }
        yield value;
      }
      case "bool" -> {
        if (!(value instanceof PayloadValue.Bool)) {
          throw mismatch(place, "true or false", value);
        }
        yield value;
      }
      case "bytes", "typed_blob" -> bytes(place, value);
      case "unix_ms", "time_ms", "timestamp_ms" ->
          value instanceof PayloadValue.Text(String text) && Rfc3339.read(text).isPresent()
              ? PayloadValue.Int.of(Rfc3339.read(text).getAsLong())
              : whole(place, value, "a time in milliseconds or as RFC 3339", true);
      default -> asIs(place, value);
    };
  }

  private static PayloadValue.Int within(String place, PayloadValue value, long min, long max) {
    PayloadValue.Int number = whole(place, value, "a whole number", true);
    if (!number.fitsLong() || number.bits() < min || number.bits() > max) {
      throw new StoreException.Invalid(
          place, "expected " + min + " to " + max + ", found " + number);
    }
    return number;
  }

  private static PayloadValue.Int whole(
      String place, PayloadValue value, String expected, boolean signed) {
    Optional<PayloadValue.Int> number =
        switch (value) {
          case PayloadValue.Int given -> Optional.of(given);
          case PayloadValue.Text(String text) -> whole(text);
          default -> Optional.empty();
        };
    if (number.isEmpty()
        || (number.get().negative() && !signed)
        || (signed && !number.get().fitsLong())) {
      throw mismatch(place, expected, value);
    }
    return number.get();
  }

  private static Optional<PayloadValue.Int> whole(String text) {
    try {
      return Optional.of(
          text.startsWith("-")
              ? PayloadValue.Int.of(Long.parseLong(text))
              : PayloadValue.Int.unsigned(Long.parseUnsignedLong(text)));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /// Reads bytes: base64, otherwise hex digits, otherwise the text's own UTF-8; an array of byte
  /// values; or `{"base64":…}` and `{"hex":…}`, which are unambiguous.
  private static PayloadValue bytes(String place, PayloadValue value) {
    return switch (value) {
      case PayloadValue.Bytes bytes -> bytes;
      case PayloadValue.Text(String text) ->
          base64(text)
              .or(() -> hex(text))
              .orElseGet(() -> new PayloadValue.Bytes(Payload.wrap(text.getBytes(UTF_8))));
      case PayloadValue.Items items -> {
        byte[] bytes = new byte[items.values().size()];
        for (int i = 0; i < bytes.length; i++) {
          bytes[i] = (byte) within(place + "[" + i + "]", items.values().get(i), 0, 255).bits();
        }
        yield new PayloadValue.Bytes(Payload.wrap(bytes));
      }
      case PayloadValue.Entries(List<PayloadValue.Entry> entries)
          when entries.size() == 1
              && entries.getFirst().key() instanceof PayloadValue.Text(String form)
              && entries.getFirst().value() instanceof PayloadValue.Text(String text) ->
          switch (form) {
            case "base64" -> base64(text).orElseThrow(() -> mismatch(place, "base64", value));
            case "hex" -> hex(text).orElseThrow(() -> mismatch(place, "hex digits", value));
            default -> throw mismatch(place, "base64 or hex", value);
          };
      default -> throw mismatch(place, "bytes", value);
    };
  }

  private static Optional<PayloadValue.Bytes> base64(String text) {
    try {
      byte[] bytes = Base64.getDecoder().decode(text);
      // A text without the padding of base64 is more likely not base64 at all.
      return text.length() % 4 == 0
          ? Optional.of(new PayloadValue.Bytes(Payload.wrap(bytes)))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Optional<PayloadValue.Bytes> hex(String text) {
    try {
      return Optional.of(new PayloadValue.Bytes(Payload.wrap(HexFormat.of().parseHex(text))));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static StoreException.Invalid mismatch(
      String place, String expected, PayloadValue found) {
    String kind =
        switch (found) {
          case PayloadValue.Nil _ -> "null";
          case PayloadValue.Bool(boolean bool) -> String.valueOf(bool);
          case PayloadValue.Int number -> number.toString();
          case PayloadValue.Real(double number) -> String.valueOf(number);
          case PayloadValue.Decimal number -> number.shortened();
          case PayloadValue.Text(String text) -> text.length() <= 40 ? "'" + text + "'" : "text";
          case PayloadValue.Bytes _, PayloadValue.Extension _ -> "bytes";
          case PayloadValue.Items _ -> "an array";
          case PayloadValue.Entries _ -> "an object";
        };
    return new StoreException.Invalid(place, "expected " + expected + ", found " + kind);
  }
}
