// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import dev.varve.rewind.pi.SessionMark.Binding;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// Reads the `data` of a `custom` entry, before it is known whether it is a mark.
///
/// Taken is what the reference takes: `v` must be 2, `snapshots` a list, numbers that lead nowhere
/// are passed over. What is no commit's id is passed over too: it would be given to git.
final class MarkReader {

  private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}|[0-9a-f]{64}");
  private static final int VERSION = 2;
  private static final String US = "varve";

  private record Numbered(String entry, int snapshot) {}

  private int version;
  private @Nullable List<String> snapshots;
  private @Nullable List<Numbered> bindings;
  private int currentAt = -1;
  private int undoAt = -1;
  private String current = "";
  private String undo = "";
  private boolean ours;

  /// @param json at the value; afterwards at its end
  void read(JsonParser json) {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      json.skipChildren();
      return;
    }
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String field = json.currentName();
      JsonToken value = json.nextToken();
      switch (field) {
        case "v" -> version = number(json, value);
        case "snapshots" -> snapshots = value == JsonToken.START_ARRAY ? texts(json) : null;
        case "bindings" -> bindings = value == JsonToken.START_ARRAY ? pairs(json) : null;
        case "current" -> {
          currentAt = number(json, value);
          current = text(json, value);
        }
        case "undo" -> {
          undoAt = number(json, value);
          undo = text(json, value);
        }
        case "by" -> ours = text(json, value).equals(US);
        default -> json.skipChildren();
      }
    }
  }

  /// The mark that was read; null if the entry is no mark.
  @Nullable SessionMark mark(String type) {
    if (version != VERSION) {
      return null;
    }
    return switch (type) {
      case "rewind-turn" ->
          snapshots == null || bindings == null ? null : new SessionMark.Turn(bound(), ours);
      case "rewind-op" ->
          snapshots == null
              ? null
              : new SessionMark.Op(bound(), snapshot(currentAt), snapshot(undoAt), ours);
      case "rewind-fork-pending" ->
          commit(current) == null ? null : new SessionMark.ForkPending(current, commit(undo));
      default -> null;
    };
  }

  private List<Binding> bound() {
    List<Binding> bound = new ArrayList<>();
    for (Numbered each : bindings == null ? List.<Numbered>of() : bindings) {
      String snapshot = snapshot(each.snapshot());
      if (snapshot != null && !each.entry().isEmpty()) {
        bound.add(new Binding(each.entry(), snapshot));
      }
    }
    return bound;
  }

  private @Nullable String snapshot(int at) {
    return snapshots == null || at < 0 || at >= snapshots.size() ? null : commit(snapshots.get(at));
  }

  private static @Nullable String commit(String text) {
    return COMMIT.matcher(text).matches() ? text : null;
  }

  private static List<String> texts(JsonParser json) {
    List<String> texts = new ArrayList<>();
    for (JsonToken token = json.nextToken();
        token != JsonToken.END_ARRAY;
        token = json.nextToken()) {
      texts.add(text(json, token));
      json.skipChildren();
    }
    return texts;
  }

  private static List<Numbered> pairs(JsonParser json) {
    List<Numbered> pairs = new ArrayList<>();
    for (JsonToken token = json.nextToken();
        token != JsonToken.END_ARRAY;
        token = json.nextToken()) {
      if (token == JsonToken.START_ARRAY) {
        pairs.add(pair(json));
      } else {
        json.skipChildren();
      }
    }
    return pairs;
  }

  private static Numbered pair(JsonParser json) {
    String entry = "";
    int at = -1;
    int i = 0;
    for (JsonToken token = json.nextToken();
        token != JsonToken.END_ARRAY;
        token = json.nextToken()) {
      switch (i++) {
        case 0 -> entry = text(json, token);
        case 1 -> at = number(json, token);
        default -> {}
      }
      json.skipChildren();
    }
    return new Numbered(entry, at);
  }

  private static String text(JsonParser json, JsonToken value) {
    return value == JsonToken.VALUE_STRING ? json.getString() : "";
  }

  private static int number(JsonParser json, JsonToken value) {
    return value == JsonToken.VALUE_NUMBER_INT && json.getNumberType() == JsonParser.NumberType.INT
        ? json.getIntValue()
        : -1;
  }
}
