// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.server.value.JsonReader;
import dev.varve.server.value.PayloadValue;
import dev.varve.server.value.ValueBounds;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The reader of a bundle's JSON. Each error names its place as a path of names.
final class TypeBundleReader {

  private static final int DEPTH_MAX = 32;
  private static final int URL_BYTES_MAX = 8 << 10;
  private static final long U32_MAX = 0xffff_ffffL;

  private final RegistryLimits limits;
  private int fieldsLeft;

  TypeBundleReader(RegistryLimits limits) {
    this.limits = limits;
    this.fieldsLeft = limits.fields();
  }

  TypeBundle read(Payload bytes) {
    if (bytes.sizeBytes() > limits.bundleBytes()) {
      throw new StoreException.TooLarge("bundle", bytes.sizeBytes(), limits.bundleBytes());
    }
    int values = Math.max(1, limits.bundleBytes()); // a value takes at least a byte
    Map<String, PayloadValue> bundle =
        object("bundle", JsonReader.read(bytes, new ValueBounds(DEPTH_MAX, values, values)));
    PayloadValue version = bundle.get("registry_version");
    if (!(version instanceof PayloadValue.Int number && number.fitsLong() && number.bits() >= 0)
        || number.bits() > U32_MAX) {
      throw invalid("registry_version", "expected a number of 32 bits, found " + kind(version));
    }
    if (number.bits() == 0) {
      throw invalid("registry_version", "must be > 0");
    }
    String id = required(bundle, "bundle_id", "bundle_id");
    if (id.isEmpty()) {
      throw invalid("bundle_id", "is empty");
    }
    return new TypeBundle(
        number.bits(), id, types(bundle.get("types")), enums(bundle.get("enums")));
  }

  private Map<String, SortedMap<Long, TypeVersion>> types(@Nullable PayloadValue value) {
    Map<String, SortedMap<Long, TypeVersion>> types = new LinkedHashMap<>();
    object("types", value)
        .forEach(
            (typeId, type) -> {
              String place = "types." + name("types", typeId);
              SortedMap<Long, TypeVersion> versions = new TreeMap<>();
              object(place + ".versions", object(place, type).get("versions"))
                  .forEach(
                      (key, version) -> {
                        String at = place + ".versions." + key;
                        if (versions.put(u32(at, key), version(at, version)) != null) {
                          throw invalid(at, "this version stands twice");
                        }
                      });
              types.put(typeId, versions);
            });
    return types;
  }

  private TypeVersion version(String place, PayloadValue value) {
    Map<String, PayloadValue> version = object(place, value);
    SortedMap<Long, TypeField> fields = new TreeMap<>(Long::compareUnsigned);
    object(place + ".fields", version.get("fields"))
        .forEach(
            (key, field) -> {
              String at = place + ".fields." + key;
              if (fields.put(u64(at, key), field(at, field)) != null) {
                throw invalid(at, "this tag stands twice");
              }
            });
    return TypeVersion.of(fields, renderer(place + ".renderer", version.get("renderer")));
  }

  private TypeField field(String place, PayloadValue value) {
    takeField();
    Map<String, PayloadValue> field = object(place, value);
    boolean isOptional =
        switch (field.get("optional")) {
          case null -> false;
          case PayloadValue.Nil _ -> false;
          case PayloadValue.Bool bool -> bool.value();
          case PayloadValue other ->
              throw invalid(place + ".optional", "expected true or false, found " + kind(other));
        };
    return new TypeField(
        required(field, "name", place + ".name"),
        required(field, "type", place + ".type"),
        optional(field, "enum", place + ".enum"),
        optional(field, "ref", place + ".ref"),
        isOptional,
        items(place + ".items", field.get("items")));
  }

  /// Reads `"string"`, `{"type":"string"}`, `{"type":"ref","ref":"x"}` or `{"ref":"x"}`; anything
  /// else declares nothing.
  private TypeField.Items items(String place, @Nullable PayloadValue value) {
    return switch (value) {
      case PayloadValue.Text text -> new TypeField.Items.Of(name(place, text.value()));
      case PayloadValue.Entries _ -> {
        Map<String, PayloadValue> items = object(place, value);
        boolean hasType = items.get("type") instanceof PayloadValue.Text;
        String type = hasType ? required(items, "type", place + ".type") : "ref";
        if (!type.equals("ref")) {
          yield new TypeField.Items.Of(type);
        }
        yield items.get("ref") instanceof PayloadValue.Text
            ? new TypeField.Items.Ref(required(items, "ref", place + ".ref"))
            : TypeField.Items.Any.ANY;
      }
      case null, default -> TypeField.Items.Any.ANY;
    };
  }

  private @Nullable TypeRenderer renderer(String place, @Nullable PayloadValue value) {
    if (value == null || value == PayloadValue.Nil.NIL) {
      return null;
    }
    Map<String, PayloadValue> renderer = object(place, value);
    String url = text(renderer, "esm_url", place + ".esm_url", URL_BYTES_MAX);
    if (url == null) {
      throw invalid(place + ".esm_url", "missing");
    }
    return new TypeRenderer(
        url,
        optional(renderer, "component", place + ".component"),
        text(renderer, "integrity", place + ".integrity", URL_BYTES_MAX));
  }

  private Map<String, Map<String, String>> enums(@Nullable PayloadValue value) {
    Map<String, Map<String, String>> enums = new LinkedHashMap<>();
    object("enums", value)
        .forEach(
            (enumId, labels) -> {
              String place = "enums." + name("enums", enumId);
              Map<String, String> byNumber = new LinkedHashMap<>();
              Map<String, PayloadValue> entries = object(place, labels);
              for (String number : entries.keySet()) {
                takeField();
                byNumber.put(number, required(entries, number, place + "." + number));
              }
              enums.put(enumId, byNumber);
            });
    return enums;
  }

  private void takeField() {
    if (--fieldsLeft < 0) {
      throw new StoreException.TooLarge(
          "fields of a bundle", limits.fields() + 1L, limits.fields());
    }
  }

  // ---- kinds

  /// The members of an object; none if it is absent.
  private Map<String, PayloadValue> object(String place, @Nullable PayloadValue value) {
    if (value == null) {
      return Map.of();
    }
    if (!(value instanceof PayloadValue.Entries(List<PayloadValue.Entry> entries))) {
      throw invalid(place, "expected an object, found " + kind(value));
    }
    Map<String, PayloadValue> members = new LinkedHashMap<>();
    for (PayloadValue.Entry entry : entries) {
      if (entry.key() instanceof PayloadValue.Text(String key)) {
        members.put(name(place, key), entry.value());
      }
    }
    return members;
  }

  private String required(Map<String, PayloadValue> object, String key, String place) {
    String text = optional(object, key, place);
    if (text == null) {
      throw invalid(place, "missing");
    }
    return text;
  }

  private @Nullable String optional(Map<String, PayloadValue> object, String key, String place) {
    return text(object, key, place, limits.nameBytes());
  }

  private static @Nullable String text(
      Map<String, PayloadValue> object, String key, String place, int bytesMax) {
    return switch (object.get(key)) {
      case null -> null;
      case PayloadValue.Nil _ -> null;
      case PayloadValue.Text text -> bounded(place, text.value(), bytesMax);
      case PayloadValue other -> throw invalid(place, "expected text, found " + kind(other));
    };
  }

  private String name(String place, String name) {
    return bounded(place, name, limits.nameBytes());
  }

  private static String bounded(String place, String text, int bytesMax) {
    int sizeBytes = text.getBytes(UTF_8).length;
    if (sizeBytes > bytesMax) {
      throw new StoreException.TooLarge("text in " + shortened(place), sizeBytes, bytesMax);
    }
    return text;
  }

  private static long u32(String place, String text) {
    try {
      return Integer.toUnsignedLong(Integer.parseUnsignedInt(text));
    } catch (NumberFormatException e) {
      throw invalid(place, "invalid type version: expected a number of 32 bits");
    }
  }

  private static long u64(String place, String text) {
    try {
      return Long.parseUnsignedLong(text);
    } catch (NumberFormatException e) {
      throw invalid(place, "invalid field tag: expected a number of 64 bits");
    }
  }

  private static String kind(@Nullable PayloadValue value) {
    return switch (value) {
      case null -> "nothing";
      case PayloadValue.Nil _ -> "null";
      case PayloadValue.Bool bool -> String.valueOf(bool.value());
      case PayloadValue.Int number -> number.toString();
      case PayloadValue.Real number -> String.valueOf(number.value());
      case PayloadValue.Decimal number -> number.shortened();
      case PayloadValue.Text _ -> "text";
      case PayloadValue.Bytes _, PayloadValue.Extension _ -> "bytes";
      case PayloadValue.Items _ -> "an array";
      case PayloadValue.Entries _ -> "an object";
    };
  }

  private static StoreException.Invalid invalid(String place, String why) {
    return new StoreException.Invalid("invalid bundle: " + shortened(place), why);
  }

  private static String shortened(String place) {
    return place.length() <= 300 ? place : place.substring(0, 300) + "…";
  }
}
