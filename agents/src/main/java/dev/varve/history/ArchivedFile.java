// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.BlobHash;
import dev.varve.history.bytes.StoredContent;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// A file of a session as a manifest keeps it.
///
/// @param slot the file's part in the session
/// @param name the path relative to the agent's home. Comes from outside: never use it as a path
///   unchecked
/// @param kind the kind of content
/// @param modifiedNs the time of the last write, in nanoseconds since 1970
/// @param mode the permissions, as POSIX numbers them; 0 for the usual ones
/// @param content the place of the bytes
public record ArchivedFile(
    String slot,
    String name,
    HistoryFile.Kind kind,
    long modifiedNs,
    int mode,
    StoredContent content) {

  /// The bytes of the content; of a packed file, of the bytes inside.
  public long sizeBytes() {
    return content.sizeBytes();
  }

  /// The hash of the file as it lies on the disk.
  BlobHash fileHash() {
    BlobHash packed = content.packed();
    return packed == null ? content.hash() : packed;
  }

  void write(JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("slot", slot);
    json.writeStringProperty("name", name);
    json.writeStringProperty("kind", kind.name());
    json.writeNumberProperty("modified_ns", modifiedNs);
    json.writeNumberProperty("mode", mode);
    json.writeNumberProperty("size_bytes", content.sizeBytes());
    json.writeStringProperty("hash", content.hash().toString());
    writeHash(json, "pieces", content.pieces());
    writeHash(json, "words", content.words());
    writeHash(json, "packed", content.packed());
    json.writeEndObject();
  }

  private static void writeHash(JsonGenerator json, String name, @Nullable BlobHash hash) {
    if (hash != null) {
      json.writeStringProperty(name, hash.toString());
    }
  }

  /// Reads what [#write] wrote.
  ///
  /// @throws IllegalArgumentException if it is something else
  static ArchivedFile read(JsonParser json) {
    String slot = "";
    String name = "";
    HistoryFile.Kind kind = HistoryFile.Kind.ATTACHMENT;
    long modifiedNs = 0;
    int mode = 0;
    long sizeBytes = -1;
    BlobHash hash = null;
    BlobHash pieces = null;
    BlobHash words = null;
    BlobHash packed = null;
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String member = json.currentName();
      json.nextToken();
      switch (member) {
        case "slot" -> slot = json.getString();
        case "name" -> name = json.getString();
        case "kind" -> kind = HistoryFile.Kind.valueOf(json.getString());
        case "modified_ns" -> modifiedNs = json.getLongValue();
        case "mode" -> mode = json.getIntValue() & 0xFFF;
        case "size_bytes" -> sizeBytes = json.getLongValue();
        case "hash" -> hash = BlobHash.parse(json.getString());
        case "pieces" -> pieces = BlobHash.parse(json.getString());
        case "words" -> words = BlobHash.parse(json.getString());
        case "packed" -> packed = BlobHash.parse(json.getString());
        default -> json.skipChildren();
      }
    }
    if (name.isEmpty() || sizeBytes < 0 || hash == null) {
      throw new IllegalArgumentException("a file without name, size or hash");
    }
    StoredContent content = new StoredContent(sizeBytes, hash, pieces, words, packed);
    return new ArchivedFile(slot, name, kind, modifiedNs, mode, content);
  }
}
