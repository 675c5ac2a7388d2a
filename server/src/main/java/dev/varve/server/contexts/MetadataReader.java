// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.Encoding;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.server.value.JsonReader;
import dev.varve.server.value.MsgpackReader;
import dev.varve.server.value.PayloadValue;
import dev.varve.server.value.ValueBounds;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The search for a context's metadata in the payload of a turn: a map under the tag 30, or under
/// the name `context_metadata`.
///
/// Keys may be numbers, digits or names, at each level. An empty text counts as absent, because
/// some writers cannot leave a text out. Texts are kept up to [#TEXT_MAX] characters, lists up to
/// [#ITEMS_MAX] items.
public final class MetadataReader {

  static final int TEXT_MAX = 4_096;
  static final int ITEMS_MAX = 256;

  static final long METADATA = 30;
  static final long CLIENT_TAG = 1;
  static final long TITLE = 2;
  static final long LABELS = 3;
  static final long PROVENANCE = 10;

  private MetadataReader() {}

  /// The metadata in a payload; [ContextMetadata#NONE] if there is none or the payload is not
  /// readable here.
  public static ContextMetadata read(Payload payload, Encoding encoding) {
    try {
      if (encoding.equals(Encoding.JSON)) {
        return read(JsonReader.read(payload, ValueBounds.DEFAULTS));
      }
      boolean mayBeMsgpack = encoding.equals(Encoding.MSGPACK) || encoding.equals(Encoding.UNKNOWN);
      return mayBeMsgpack && MsgpackReader.isMap(payload)
          ? read(MsgpackReader.read(payload, ValueBounds.DEFAULTS))
          : ContextMetadata.NONE;
    } catch (StoreException.Invalid | StoreException.TooLarge e) {
      return ContextMetadata.NONE; // the view of the turn reports the fault
    }
  }

  private static ContextMetadata read(PayloadValue turn) {
    PayloadValue metadata = find(turn, METADATA, "context_metadata");
    return new ContextMetadata(
        text(find(metadata, CLIENT_TAG, "client_tag")),
        text(find(metadata, TITLE, "title")),
        texts(find(metadata, LABELS, "labels")),
        provenance(find(metadata, PROVENANCE, "provenance")));
  }

  /// The last value under a tag or, if there is none, under a name; null if `map` has neither, or
  /// is not a map.
  private static @Nullable PayloadValue find(@Nullable PayloadValue map, long tag, String name) {
    if (!(map instanceof PayloadValue.Entries(List<PayloadValue.Entry> entries))) {
      return null;
    }
    String digits = Long.toString(tag);
    PayloadValue tagged = null;
    PayloadValue named = null;
    for (PayloadValue.Entry entry : entries) {
      switch (entry.key()) {
        case PayloadValue.Int(long bits, boolean negative) when !negative && bits == tag ->
            tagged = entry.value();
        case PayloadValue.Text(String text) when text.equals(digits) -> tagged = entry.value();
        case PayloadValue.Text(String text) when text.equals(name) -> named = entry.value();
        default -> {}
      }
    }
    return tagged == null ? named : tagged;
  }

  private static @Nullable String text(@Nullable PayloadValue value) {
    if (!(value instanceof PayloadValue.Text(String text)) || text.isEmpty()) {
      return null;
    }
    if (text.length() <= TEXT_MAX) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(TEXT_MAX - 1)) ? TEXT_MAX - 1 : TEXT_MAX;
    return text.substring(0, end);
  }

  private static List<String> texts(@Nullable PayloadValue value) {
    List<String> texts = new ArrayList<>();
    if (value instanceof PayloadValue.Items(List<PayloadValue> items)) {
      for (PayloadValue item : items) {
        String text = text(item);
        if (text != null && texts.size() < ITEMS_MAX) {
          texts.add(text);
        }
      }
    }
    return texts;
  }

  /// Reads the provenance. An empty map counts as a provenance, because its writer meant to give
  /// one.
  private static @Nullable Provenance provenance(@Nullable PayloadValue value) {
    if (!(value instanceof PayloadValue.Entries)) {
      return null;
    }
    Map<Provenance.Key, PayloadValue> found = new EnumMap<>(Provenance.Key.class);
    for (Provenance.Key key : Provenance.Key.values()) {
      PayloadValue given = taken(find(value, key.tag, key.written()), key.kind);
      if (given != null) {
        found.put(key, given);
      }
    }
    return new Provenance(found);
  }

  private static @Nullable PayloadValue taken(
      @Nullable PayloadValue value, Provenance.Key.Kind kind) {
    return switch (kind) {
      case TEXT -> {
        String text = text(value);
        yield text == null ? null : new PayloadValue.Text(text);
      }
      case NUMBER -> value instanceof PayloadValue.Int number && !number.negative() ? number : null;
      case MAP -> value instanceof PayloadValue.Entries map ? environment(map) : null;
    };
  }

  private static PayloadValue.Entries environment(PayloadValue.Entries map) {
    Map<String, PayloadValue.Entry> entries = new java.util.LinkedHashMap<>();
    for (PayloadValue.Entry entry : map.entries()) {
      String name = text(entry.key());
      String text =
          entry.value() instanceof PayloadValue.Text(String given) && given.isEmpty()
              ? ""
              : text(entry.value());
      if (name != null && text != null && entries.size() < ITEMS_MAX) {
        entries.put(
            name, new PayloadValue.Entry(new PayloadValue.Text(name), new PayloadValue.Text(text)));
      }
    }
    return new PayloadValue.Entries(List.copyOf(entries.values()));
  }
}
