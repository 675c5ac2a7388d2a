// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.ContextHead;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// The description of a context, read from its *about* blob. By convention the blob is a JSON
/// object.
///
/// @param title what people see; may be empty
/// @param kind which program described it, and as what; may be empty
/// @param file the name of the file that it was imported from; may be empty
/// @param agent the agent whose conversation it is; may be empty
/// @param folder the folder in which the agent worked, as the agent wrote it; may be empty
/// @param notes of a branch of an imported session, the number of the context with the import's
///   notes; may be empty
public record ContextDescription(
    String title, String kind, String file, String agent, String folder, String notes) {

  private static final JsonFactory JSON = new JsonFactory();
  private static final ContextDescription NOTHING = new ContextDescription("", "", "", "", "", "");

  private static final String DAMAGED = "(its description is damaged)";

  /// A larger description is not looked into.
  private static final int SIZE_BYTES_MAX = 1 << 20;

  /// Reads the description of a context. A damaged or erased description is named as such, so that
  /// the contexts are listed nevertheless; `varve check` reports damage.
  public static ContextDescription of(ContextHead context, Store store) {
    if (context.about() == null) {
      return NOTHING;
    }
    try {
      return read(store.get(context.about()));
    } catch (StoreException.NotFound e) {
      return titledOnly(e.isErased() ? "(its description was erased)" : DAMAGED);
    } catch (StoreException.Corrupt e) {
      return titledOnly(DAMAGED);
    }
  }

  private static ContextDescription titledOnly(String title) {
    return new ContextDescription(title, "", "", "", "", "");
  }

  /// Returns whether the context holds no conversation, but an import's notes on how its files were
  /// made up.
  boolean isBookkeeping() {
    return kind.endsWith(".manifest");
  }

  /// The last name of the folder, which people call the project; empty if no folder is known.
  String project() {
    String path = folder.replaceFirst("[/\\\\]+$", "");
    return path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  }

  private static ContextDescription read(Payload blob) {
    if (blob.sizeBytes() > SIZE_BYTES_MAX) {
      return NOTHING;
    }
    Map<String, String> fields = new HashMap<>();
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), blob.text())) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return NOTHING;
      }
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = parser.currentName();
        if (parser.nextToken() == JsonToken.VALUE_STRING) {
          fields.put(name, parser.getString());
        }
        parser.skipChildren();
      }
    } catch (JacksonException e) {
      return NOTHING; // not JSON: somebody else's convention
    }
    String kind = fields.getOrDefault("kind", "");
    return new ContextDescription(
        fields.getOrDefault("title", "").strip(),
        kind,
        fields.getOrDefault("file", ""),
        fields.getOrDefault("agent", kind.replaceFirst("\\..*", "")),
        fields.getOrDefault("cwd", ""),
        fields.getOrDefault(kind.startsWith("jp.") ? "other" : "manifest_context", ""));
  }
}
