// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.TurnId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// Reads what [PiAbout] wrote. Unknown fields are passed over, so that a later version may add
/// some.
final class PiAboutReader {

  private final Map<String, String> fields = new HashMap<>();
  private final List<ContextId> contexts = new ArrayList<>();

  private PiAboutReader() {}

  static Optional<PiAbout> read(Payload about) {
    PiAboutReader reader = new PiAboutReader();
    try (JsonParser json = Json.parser(about.unsafeArray(), 0, about.sizeBytes())) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        reader.field(json.currentName(), json.nextToken(), json);
      }
      return Optional.ofNullable(reader.about());
    } catch (JacksonException | StoreException.Invalid | NumberFormatException e) {
      return Optional.empty(); // somebody else's
    }
  }

  private void field(String name, JsonToken value, JsonParser json) {
    if (value == JsonToken.VALUE_STRING || value == JsonToken.VALUE_NUMBER_INT) {
      fields.put(name, json.getString());
    } else if (value == JsonToken.START_ARRAY && name.equals("contexts")) {
      while (json.nextToken() == JsonToken.VALUE_STRING) {
        contexts.add(ContextId.parse(json.getString()));
      }
    } else {
      json.skipChildren();
    }
  }

  private @Nullable PiAbout about() {
    return switch (text("kind")) {
      case "pi.session" ->
          new PiAbout.Branch(
              session(),
              Integer.parseInt(text("entries")),
              text("leaf"),
              ContextId.parse(text("manifest_context")),
              fields.containsKey("former") ? TurnId.parse(text("former")) : null);
      case "pi.manifest" ->
          new PiAbout.Whole(
              session(),
              TurnId.parse(text("manifest")),
              Long.parseLong(text("bytes")),
              BlobHash.parse(text("hash")),
              Long.parseLong(text("entries")),
              text("started"),
              text("parent_session"),
              contexts,
              fields.containsKey("previous") ? BlobHash.parse(text("previous")) : null);
      default -> null;
    };
  }

  private PiAbout.Session session() {
    return new PiAbout.Session(text("session"), text("file"), text("cwd"), text("title"));
  }

  private String text(String name) {
    return fields.getOrDefault(name, "");
  }
}
