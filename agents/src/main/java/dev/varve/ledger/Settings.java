// SPDX-License-Identifier: Apache-2.0
package dev.varve.ledger;

import dev.varve.StoreException;
import dev.varve.pi.Json;
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

/// What stands under `rewind` in Pi's `settings.json`.
///
/// @param silent whether nothing but trouble is shown
/// @param retention null if snapshots are kept for ever
/// @param fileBytesMax larger files are not captured; null for the default
/// @param trees whether snapshots are kept as file trees of the store, whether there is git or not
/// @param outside whether snapshots are to be kept outside of the repository
/// @param problems what could not be understood, a sentence each. Such a setting counts as not
///   there; a retention with one drops nothing
public record Settings(
    boolean silent,
    @Nullable Retention retention,
    @Nullable Long fileBytesMax,
    boolean trees,
    boolean outside,
    List<String> problems) {

  /// Nothing is set.
  public static final Settings NONE = new Settings(false, null, null, false, false, List.of());

  private static final int FILE_BYTES_MAX = 4 << 20;

  public Settings {
    problems = List.copyOf(problems);
  }

  /// How long snapshots are kept.
  ///
  /// @param snapshotsMax how many that nothing protects; null for any number
  /// @param daysMax how old; null for any age
  /// @param pinLabelled whether those of labelled entries are kept whatever their age
  /// @param everySession whether the snapshots of all sessions of the repository may go, and not
  ///   only those of this session and the ones it was forked from
  /// @param startBudgetMillis how long a sweep at the start may take; null for as long as it takes
  public record Retention(
      @Nullable Long snapshotsMax,
      @Nullable Double daysMax,
      boolean pinLabelled,
      boolean everySession,
      @Nullable Long startBudgetMillis) {}

  /// The user's settings, and the project's above them.
  ///
  /// @param agentFolder Pi's own folder, with `settings.json`
  /// @param project the folder of the session; null if its settings do not count
  public static Settings of(Path agentFolder, @Nullable Path project) {
    Settings user = file(agentFolder.resolve("settings.json"));
    return project == null
        ? user
        : user.under(file(project.resolve(".pi").resolve("settings.json")));
  }

  private Settings under(Settings above) {
    List<String> all = new ArrayList<>(problems);
    all.addAll(above.problems);
    return new Settings(
        silent || above.silent,
        above.retention != null ? above.retention : retention,
        above.fileBytesMax != null ? above.fileBytesMax : fileBytesMax,
        trees || above.trees,
        outside || above.outside,
        all);
  }

  private static Settings file(Path file) {
    try {
      byte[] bytes = Files.readAllBytes(file);
      if (bytes.length > FILE_BYTES_MAX) {
        return problem(file + ": too large");
      }
      try (JsonParser json = Json.parser(bytes, 0, bytes.length)) {
        if (json.nextToken() != JsonToken.START_OBJECT) {
          return problem(file + ": expected an object");
        }
        Settings found = NONE;
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
          boolean ours = json.currentName().equals("rewind");
          JsonToken value = json.nextToken();
          if (ours && value == JsonToken.START_OBJECT) {
            found = new SettingsReader(file.toString()).read(json);
          } else {
            json.skipChildren();
          }
        }
        return found;
      }
    } catch (NoSuchFileException e) {
      return NONE;
    } catch (IOException e) {
      return problem(new StoreException.Io(file.toString(), "cannot be read", e).getMessage());
    } catch (JacksonException e) {
      return problem(file + ": " + e.getOriginalMessage());
    }
  }

  private static Settings problem(@Nullable String what) {
    return new Settings(false, null, null, false, false, List.of(String.valueOf(what)));
  }

  /// Reads the object itself.
  ///
  /// @param json at its beginning; afterwards at its end
  public static Settings read(JsonParser json) {
    return new SettingsReader("settings").read(json);
  }
}
