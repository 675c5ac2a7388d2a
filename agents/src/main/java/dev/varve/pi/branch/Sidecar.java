// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.branch;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.hash.Blake3;
import dev.varve.imports.StrictJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// A branch: which session it is, and which branch that was forked from (spec 000; bytes:
/// docs/format/branch.md). The hash of its bytes is the branch hash, by which it travels.
///
/// @param src hash of the session file
/// @param parent hash of the parent's sidecar; null for a session that was forked from none
public record Sidecar(BlobHash src, @Nullable BlobHash parent) {

  /// The most bytes of a sidecar of any program. Varve's sidecars have at most 178 bytes.
  public static final int SIZE_BYTES_MAX = 4096;

  static final int VERSION = 1;
  private static final String TYPE = "branch";

  /// The one form in which this program writes it: what `JSON.stringify` makes of the four fields.
  public Payload payload() {
    String quoted = parent == null ? "null" : "\"" + parent + "\"";
    return Payload.utf8(
        "{\"type\":\"branch\",\"version\":1,\"src\":\"" + src + "\",\"parent\":" + quoted + "}");
  }

  /// The branch hash.
  public BlobHash hash() {
    return Blake3.hash(payload().unsafeArray());
  }

  /// Reads a sidecar that anybody wrote, in whatever form: its hash is that of its own bytes.
  ///
  /// @param where names it in a refusal
  /// @throws StoreException.Corrupt if it is none
  /// @throws StoreException.FormatTooNew if a later version of the format is needed
  public static Sidecar read(Payload bytes, String where) {
    if (bytes.sizeBytes() > SIZE_BYTES_MAX) {
      throw corrupt(where, bytes.sizeBytes() + " bytes");
    }
    try (JsonParser json = StrictJson.flatParser(bytes.unsafeArray())) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw corrupt(where, "no JSON object");
      }
      Sidecar sidecar = new Fields(json).sidecar(where);
      if (json.nextToken() != null) {
        throw corrupt(where, "more behind the object");
      }
      return sidecar;
    } catch (JacksonException e) {
      throw corrupt(where, "no JSON");
    }
  }

  private static StoreException.Corrupt corrupt(String where, String found) {
    return new StoreException.Corrupt(where, 0, "a branch sidecar", found);
  }

  /// The four fields. Others are passed over; one that is there twice counts the second time, as in
  /// JavaScript.
  private static final class Fields {
    private @Nullable String type;
    private @Nullable String src;
    private @Nullable String parent;
    private boolean parentIsNull;
    private int version;

    Fields(JsonParser json) {
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        JsonToken value = json.nextToken();
        switch (name) {
          case "type" -> type = text(json, value);
          case "src" -> src = text(json, value);
          case "parent" -> {
            parent = text(json, value);
            parentIsNull = value == JsonToken.VALUE_NULL;
          }
          case "version" ->
              version =
                  value == JsonToken.VALUE_NUMBER_INT && json.getStringLength() < 9
                      ? json.getIntValue()
                      : 0;
          default -> json.skipChildren();
        }
      }
    }

    private static @Nullable String text(JsonParser json, JsonToken value) {
      if (value == JsonToken.VALUE_STRING) {
        return json.getString();
      }
      json.skipChildren();
      return null;
    }

    Sidecar sidecar(String where) {
      if (!TYPE.equals(type)) {
        throw corrupt(where, type == null ? "no type" : "another type");
      }
      if (version > VERSION) {
        throw new StoreException.FormatTooNew(where, version, VERSION);
      }
      if (version != VERSION || src == null || (parent == null && !parentIsNull)) {
        throw corrupt(where, "a field missing or of another kind");
      }
      try {
        return new Sidecar(BlobHash.parse(src), parent == null ? null : BlobHash.parse(parent));
      } catch (StoreException.Invalid e) {
        throw corrupt(where, String.valueOf(e.getMessage()));
      }
    }
  }
}
