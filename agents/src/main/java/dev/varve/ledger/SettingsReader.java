// SPDX-License-Identifier: Apache-2.0
package dev.varve.ledger;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// Reads the object `rewind` of Pi's settings. Names that it does not know are other programs'.
final class SettingsReader {

  private final String place;
  private final List<String> problems = new ArrayList<>();

  SettingsReader(String place) {
    this.place = place;
  }

  Settings read(JsonParser json) {
    boolean silent = false;
    Settings.@Nullable Retention retention = null;
    @Nullable Long fileBytesMax = null;
    boolean trees = false;
    boolean outside = false;
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      JsonToken value = json.nextToken();
      switch (name) {
        case "silentCheckpoints" -> silent = flag(json, value, name);
        case "mode" -> trees = trees(json, value);
        case "maxFileBytes" -> fileBytesMax = whole(json, value, name);
        case "store" -> outside = outside(json, value);
        case "retention" -> {
          if (value == JsonToken.START_OBJECT) {
            retention = retention(json);
          } else {
            bad(json, name, "an object");
          }
        }
        default -> json.skipChildren();
      }
    }
    return new Settings(silent, retention, fileBytesMax, trees, outside, problems);
  }

  /// Null if something in it is not understood: then nothing is dropped.
  private Settings.@Nullable Retention retention(JsonParser json) {
    @Nullable Long snapshotsMax = null;
    @Nullable Double daysMax = null;
    boolean pinLabelled = false;
    boolean everySession = false;
    @Nullable Long budget = null;
    int before = problems.size();
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      JsonToken value = json.nextToken();
      switch (name) {
        case "maxSnapshots" -> snapshotsMax = whole(json, value, name);
        case "maxAgeDays" -> daysMax = number(json, value, name);
        case "pinLabeledEntries" -> pinLabelled = flag(json, value, name);
        case "startupBudgetMs" -> budget = whole(json, value, name);
        case "scanMode" -> everySession = everySession(json, value);
        default -> json.skipChildren();
      }
    }
    return problems.size() > before
        ? null
        : new Settings.Retention(snapshotsMax, daysMax, pinLabelled, everySession, budget);
  }

  private boolean trees(JsonParser json, JsonToken value) {
    String mode = value == JsonToken.VALUE_STRING ? json.getString() : "";
    if (!mode.equals("git") && !mode.equals("native")) {
      bad(json, "mode", "\"git\" or \"native\"");
    }
    return mode.equals("native");
  }

  private boolean outside(JsonParser json, JsonToken value) {
    String store = value == JsonToken.VALUE_STRING ? json.getString() : "";
    if (!store.equals("repository") && !store.equals("outside")) {
      bad(json, "store", "\"repository\" or \"outside\"");
    }
    return store.equals("outside");
  }

  private boolean everySession(JsonParser json, JsonToken value) {
    String mode = value == JsonToken.VALUE_STRING ? json.getString() : "";
    if (!mode.equals("ancestor-only") && !mode.equals("repo-sessions")) {
      bad(json, "scanMode", "\"ancestor-only\" or \"repo-sessions\"");
    }
    return mode.equals("repo-sessions");
  }

  private boolean flag(JsonParser json, JsonToken value, String name) {
    if (value != JsonToken.VALUE_TRUE && value != JsonToken.VALUE_FALSE) {
      bad(json, name, "true or false");
    }
    return value == JsonToken.VALUE_TRUE;
  }

  private @Nullable Long whole(JsonParser json, JsonToken value, String name) {
    Double number = number(json, value, name);
    return number == null ? null : (long) Math.min(Math.floor(number), 1e15);
  }

  private @Nullable Double number(JsonParser json, JsonToken value, String name) {
    if (value == JsonToken.VALUE_NULL) {
      return null;
    }
    if (value == JsonToken.VALUE_NUMBER_INT || value == JsonToken.VALUE_NUMBER_FLOAT) {
      double number = json.getDoubleValue();
      if (number >= 0 && Double.isFinite(number)) {
        return number;
      }
    }
    bad(json, name, "a number of 0 or more");
    return null;
  }

  private void bad(JsonParser json, String name, String expected) {
    json.skipChildren();
    problems.add(place + ": rewind: '" + name + "': expected " + expected);
  }
}
