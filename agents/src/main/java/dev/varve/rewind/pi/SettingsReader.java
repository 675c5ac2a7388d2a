// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import dev.varve.StoreException;
import dev.varve.imports.StrictJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// Reads the object `rewind` of Pi's settings. Names that it does not know are other programs'.
public final class SettingsReader {

  private static final int FILE_BYTES_MAX = 4 << 20;

  private final String place;
  private final List<String> problems = new ArrayList<>();

  private SettingsReader(String place) {
    this.place = place;
  }

  /// The user's settings, and the project's above them.
  ///
  /// @param agentFolder Pi's own folder, with `settings.json`
  /// @param project the folder of the session; null if its settings do not count
  public static RewindSettings of(Path agentFolder, @Nullable Path project) {
    RewindSettings user = file(agentFolder.resolve("settings.json"));
    return project == null
        ? user
        : user.under(file(project.resolve(".pi").resolve("settings.json")));
  }

  private static RewindSettings file(Path file) {
    try {
      byte[] bytes = Files.readAllBytes(file);
      if (bytes.length > FILE_BYTES_MAX) {
        return problem(file + ": too large");
      }
      try (JsonParser json = StrictJson.parser(bytes, 0, bytes.length)) {
        if (json.nextToken() != JsonToken.START_OBJECT) {
          return problem(file + ": expected an object");
        }
        RewindSettings found = RewindSettings.NONE;
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
          boolean ours = json.currentName().equals("rewind");
          JsonToken value = json.nextToken();
          if (ours && value == JsonToken.START_OBJECT) {
            found = new SettingsReader(file.toString()).object(json);
          } else {
            json.skipChildren();
          }
        }
        return found;
      }
    } catch (NoSuchFileException e) {
      return RewindSettings.NONE;
    } catch (IOException e) {
      return problem(new StoreException.Io(file.toString(), "cannot be read", e).getMessage());
    } catch (JacksonException e) {
      return problem(file + ": " + e.getOriginalMessage());
    }
  }

  private static RewindSettings problem(@Nullable String what) {
    return new RewindSettings(false, null, null, false, false, List.of(String.valueOf(what)));
  }

  /// Reads the object `rewind` itself.
  ///
  /// @param json at the object's beginning; afterwards at its end
  public static RewindSettings read(JsonParser json) {
    return new SettingsReader("settings").object(json);
  }

  private RewindSettings object(JsonParser json) {
    boolean silent = false;
    RewindSettings.@Nullable Retention retention = null;
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
    return new RewindSettings(silent, retention, fileBytesMax, trees, outside, problems);
  }

  /// Null if something in it is not understood: then nothing is dropped.
  private RewindSettings.@Nullable Retention retention(JsonParser json) {
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
        : new RewindSettings.Retention(snapshotsMax, daysMax, pinLabelled, everySession, budget);
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
