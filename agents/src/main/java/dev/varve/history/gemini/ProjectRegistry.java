// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.gemini;

import dev.varve.StoreException;
import dev.varve.files.RegularFile;
import dev.varve.history.PutBackPlan;
import dev.varve.imports.StrictJson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// The agent's list of projects, `projects.json`: the short name of each project's folder, under
/// which the agent looks for the project's sessions.
final class ProjectRegistry {

  static final String NAME = "projects.json";

  private static final int SIZE_BYTES_MAX = 16 << 20;

  private ProjectRegistry() {}

  /// A sentence about what keeps the agent from finding a session that is put back; empty if
  /// nothing does.
  static Optional<String> obstacle(PutBackPlan plan) {
    String[] parts = plan.view().file().split("/", -1);
    String folder = plan.view().folder();
    if (parts.length < 3 || folder.isEmpty()) {
      return Optional.empty();
    }
    String project = parts[1];
    Map<String, String> names = read(plan.home().resolve(NAME));
    String known = names.getOrDefault(folder, "");
    if (!known.isEmpty() && !known.equals(project)) {
      return Optional.of(
          "Gemini CLI looks for the sessions of "
              + folder
              + " in tmp/"
              + known
              + ": move the files from tmp/"
              + project
              + " there.");
    }
    return names.entrySet().stream()
        .filter(each -> each.getValue().equals(project) && !each.getKey().equals(folder))
        .findFirst()
        .map(
            each ->
                "Gemini CLI will not find it: tmp/"
                    + project
                    + " belongs to "
                    + each.getKey()
                    + ". Start it once in "
                    + folder
                    + ", see in "
                    + NAME
                    + " which name it gives the folder, and move the files there.");
  }

  private static Map<String, String> read(Path file) {
    Map<String, String> names = new HashMap<>();
    if (!Files.isRegularFile(file)) {
      return names;
    }
    try (InputStream in = RegularFile.read(file)) {
      byte[] bytes = in.readNBytes(SIZE_BYTES_MAX);
      read(bytes, names);
      return names;
    } catch (JacksonException e) {
      return names; // damaged: the agent makes the list anew
    } catch (IOException e) {
      throw new StoreException.Io(file.toString(), "cannot be read", e);
    }
  }

  private static void read(byte[] bytes, Map<String, String> names) {
    try (JsonParser json = StrictJson.flatParser(bytes)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        boolean projects = json.currentName().equals("projects");
        if (json.nextToken() == JsonToken.START_OBJECT && projects) {
          while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String path = json.currentName();
            if (json.nextToken() == JsonToken.VALUE_STRING) {
              names.put(path, json.getString());
            } else {
              json.skipChildren();
            }
          }
        } else {
          json.skipChildren();
        }
      }
    }
  }
}
