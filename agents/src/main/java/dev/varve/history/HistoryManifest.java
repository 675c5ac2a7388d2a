// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.imports.ManifestContext;
import dev.varve.imports.StrictJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// One version of a session: its files, byte for byte (docs/format/history-manifest.md). The same
/// files give the same manifest.
///
/// @param agent the name of the session's agent
/// @param key identifies the session among all of its agent
/// @param home the agent's folder when the session was archived
/// @param files the session's own transcript first
public record HistoryManifest(String agent, String key, String home, List<ArchivedFile> files) {

  static final DeclaredType TYPE = new DeclaredType("varve.history.manifest", 1);

  private static final int FILES_MAX = 1 << 18;

  public HistoryManifest {
    files = List.copyOf(files);
  }

  /// The archived file in a slot.
  public Optional<ArchivedFile> find(String slot) {
    return files.stream().filter(file -> file.slot().equals(slot)).findFirst();
  }

  /// The bytes of all files that are the session's own.
  public long sizeBytes() {
    return files.stream()
        .filter(file -> file.kind() != HistoryFile.Kind.SHARED)
        .mapToLong(file -> file.content().sizeBytes())
        .sum();
  }

  Payload payload() {
    return Payload.wrap(
        StrictJson.write(
            json -> {
              json.writeStartObject();
              json.writeStringProperty("agent", agent);
              json.writeStringProperty("key", key);
              json.writeStringProperty("home", home);
              json.writeArrayPropertyStart("files");
              files.forEach(file -> file.write(json));
              json.writeEndArray();
              json.writeEndObject();
            }));
  }

  /// Adds the manifest to a session's context, unless it is there.
  TurnId addTo(ManifestContext context) {
    return context.add(payload(), TYPE, Encoding.JSON);
  }

  /// The manifest in a turn.
  static HistoryManifest get(Store store, TurnId turn) {
    Turn found = store.turn(turn, View.AS_WRITTEN);
    if (found.payload() == null || !found.type().equals(TYPE)) {
      throw new StoreException.Invalid(
          "turn " + turn, "expected a manifest of a session, found " + found.type());
    }
    return read(found.payload(), "manifest in turn " + turn);
  }

  /// Reads what [#payload()] wrote.
  static HistoryManifest read(Payload payload, String where) {
    try (JsonParser json = StrictJson.flatParser(payload.unsafeArray())) {
      String agent = "";
      String key = "";
      String home = "";
      List<ArchivedFile> files = new ArrayList<>();
      json.nextToken();
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String member = json.currentName();
        json.nextToken();
        switch (member) {
          case "agent" -> agent = json.getString();
          case "key" -> key = json.getString();
          case "home" -> home = json.getString();
          case "files" -> {
            while (json.nextToken() == JsonToken.START_OBJECT && files.size() < FILES_MAX) {
              files.add(ArchivedFile.read(json));
            }
          }
          default -> json.skipChildren();
        }
      }
      if (agent.isEmpty() || key.isEmpty() || files.isEmpty()) {
        throw new IllegalArgumentException("a manifest without agent, key or files");
      }
      return new HistoryManifest(agent, key, home, files);
    } catch (JacksonException | IllegalArgumentException | StoreException.Invalid e) {
      throw new StoreException.Corrupt(where, 0, "a manifest of a session", e.toString());
    }
  }
}
