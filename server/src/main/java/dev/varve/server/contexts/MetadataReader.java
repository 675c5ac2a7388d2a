// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.Encoding;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.server.value.Bounds;
import dev.varve.server.value.JsonReader;
import dev.varve.server.value.MsgpackReader;
import dev.varve.server.value.Value;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds what a context says of itself in the payload of a turn: a map under the tag 30, or the
/// name `context_metadata`.
///
/// Keys may be numbers, digits or names, at each level. An empty text counts as nothing, for some
/// writers have no other way to say nothing. Texts are kept up to [#TEXT_MAX] characters, lists up
/// to [#ITEMS_MAX] items.
public final class MetadataReader {

  static final int TEXT_MAX = 4_096;
  static final int ITEMS_MAX = 256;

  static final long METADATA = 30;
  static final long CLIENT_TAG = 1;
  static final long TITLE = 2;
  static final long LABELS = 3;
  static final long PROVENANCE = 10;

  private MetadataReader() {}

  /// [ContextMetadata#NONE] if the payload says nothing, or is nothing that can be read here.
  public static ContextMetadata read(Payload payload, Encoding encoding) {
    try {
      if (encoding.equals(Encoding.JSON)) {
        return read(JsonReader.read(payload, Bounds.DEFAULTS));
      }
      boolean mayBeMsgpack = encoding.equals(Encoding.MSGPACK) || encoding.equals(Encoding.UNKNOWN);
      return mayBeMsgpack && MsgpackReader.isMap(payload)
          ? read(MsgpackReader.read(payload, Bounds.DEFAULTS))
          : ContextMetadata.NONE;
    } catch (StoreException.Invalid | StoreException.TooLarge e) {
      return ContextMetadata.NONE; // the turn's own view says what is wrong with it
    }
  }

  private static ContextMetadata read(Value turn) {
    Value metadata = find(turn, METADATA, "context_metadata");
    return new ContextMetadata(
        text(find(metadata, CLIENT_TAG, "client_tag")),
        text(find(metadata, TITLE, "title")),
        texts(find(metadata, LABELS, "labels")),
        provenance(find(metadata, PROVENANCE, "provenance")));
  }

  /// The last value under a tag or, if there is none, under a name; null if `map` has neither, or
  /// is no map.
  private static @Nullable Value find(@Nullable Value map, long tag, String name) {
    if (!(map instanceof Value.Entries(List<Value.Entry> entries))) {
      return null;
    }
    String digits = Long.toString(tag);
    Value tagged = null;
    Value named = null;
    for (Value.Entry entry : entries) {
      switch (entry.key()) {
        case Value.Int(long bits, boolean negative) when !negative && bits == tag ->
            tagged = entry.value();
        case Value.Text(String text) when text.equals(digits) -> tagged = entry.value();
        case Value.Text(String text) when text.equals(name) -> named = entry.value();
        default -> {}
      }
    }
    return tagged == null ? named : tagged;
  }

  private static @Nullable String text(@Nullable Value value) {
    if (!(value instanceof Value.Text(String text)) || text.isEmpty()) {
      return null;
    }
    if (text.length() <= TEXT_MAX) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(TEXT_MAX - 1)) ? TEXT_MAX - 1 : TEXT_MAX;
    return text.substring(0, end);
  }

  private static List<String> texts(@Nullable Value value) {
    List<String> texts = new ArrayList<>();
    if (value instanceof Value.Items(List<Value> items)) {
      for (Value item : items) {
        String text = text(item);
        if (text != null && texts.size() < ITEMS_MAX) {
          texts.add(text);
        }
      }
    }
    return texts;
  }

  /// A map that says nothing is a provenance all the same: its writer meant to give one.
  private static @Nullable Provenance provenance(@Nullable Value value) {
    if (!(value instanceof Value.Entries)) {
      return null;
    }
    Map<Provenance.Key, Value> found = new EnumMap<>(Provenance.Key.class);
    for (Provenance.Key key : Provenance.Key.values()) {
      Value given = taken(find(value, key.tag, key.written()), key.kind);
      if (given != null) {
        found.put(key, given);
      }
    }
    return new Provenance(found);
  }

  private static @Nullable Value taken(@Nullable Value value, Provenance.Key.Kind kind) {
    return switch (kind) {
      case TEXT -> {
        String text = text(value);
        yield text == null ? null : new Value.Text(text);
      }
      case NUMBER -> value instanceof Value.Int number && !number.negative() ? number : null;
      case MAP -> value instanceof Value.Entries map ? environment(map) : null;
    };
  }

  private static Value.Entries environment(Value.Entries map) {
    Map<String, Value.Entry> entries = new java.util.LinkedHashMap<>();
    for (Value.Entry entry : map.entries()) {
      String name = text(entry.key());
      String text =
          entry.value() instanceof Value.Text(String given) && given.isEmpty()
              ? ""
              : text(entry.value());
      if (name != null && text != null && entries.size() < ITEMS_MAX) {
        entries.put(name, new Value.Entry(new Value.Text(name), new Value.Text(text)));
      }
    }
    return new Value.Entries(List.copyOf(entries.values()));
  }
}
