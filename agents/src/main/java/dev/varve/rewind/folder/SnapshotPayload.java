// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.folder;

import dev.varve.BlobHash;
import dev.varve.DeclaredType;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.git.RepoPath;
import dev.varve.hash.Blake3;
import dev.varve.rewind.LeftOut;
import dev.varve.rewind.Snapshot;
import dev.varve.rewind.SnapshotMetadata;
import java.io.ByteArrayOutputStream;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/// The payload of a snapshot's turn: a JSON object with the facts that its tree does not hold
/// (docs/format/folder-snapshots.md). Its hash is the snapshot's name.
final class SnapshotPayload {

  static final DeclaredType TYPE = new DeclaredType("varve.rewind.Checkpoint", 1);

  private static final JsonFactory JSON = new JsonFactory();
  private static final int BYTES_MAX = 64 << 20;

  private SnapshotPayload() {}

  static Payload write(BlobHash root, Instant at, SnapshotMetadata metadata, String note) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
      json.writeStartObject();
      json.writeStringProperty("kind", TYPE.id());
      json.writeStringProperty("at", at.toString());
      json.writeStringProperty("note", note);
      json.writeStringProperty("folder", metadata.worktree());
      json.writeStringProperty("fs_root", root.toString());
      json.writeStringProperty("file_mode", metadata.plain().file());
      json.writeStringProperty("program_mode", metadata.plain().program());
      json.writeObjectPropertyStart("other_modes");
      metadata.modes().forEach((path, mode) -> json.writeStringProperty(path.escaped(), mode));
      json.writeEndObject();
      json.writeObjectPropertyStart("left_out");
      metadata
          .leftOut()
          .forEach(
              (path, why) ->
                  json.writeStringProperty(path.escaped(), why.name().toLowerCase(Locale.ROOT)));
      json.writeEndObject();
      json.writeStringProperty("ignored", metadata.excludes());
      json.writeEndObject();
    }
    return Payload.wrap(bytes.toByteArray());
  }

  /// The snapshot that a blob describes; empty if the blob describes none.
  static Optional<Snapshot> read(Payload blob) {
    if (blob.sizeBytes() > BYTES_MAX || blob.sizeBytes() == 0 || blob.unsafeArray()[0] != '{') {
      return Optional.empty();
    }
    Map<String, String> texts = new HashMap<>();
    SortedMap<RepoPath, String> modes = new TreeMap<>();
    SortedMap<RepoPath, LeftOut> leftOut = new TreeMap<>();
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), blob.unsafeArray())) {
      json.nextToken();
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        JsonToken value = json.nextToken();
        if (value == JsonToken.VALUE_STRING) {
          texts.put(name, json.getString());
        } else if (value == JsonToken.START_OBJECT && name.equals("other_modes")) {
          members(json).forEach((path, mode) -> modes.put(RepoPath.parse(path), octal(mode)));
        } else if (value == JsonToken.START_OBJECT && name.equals("left_out")) {
          members(json).forEach((path, why) -> leftOut.put(RepoPath.parse(path), reason(why)));
        } else {
          json.skipChildren();
        }
      }
      return texts.getOrDefault("kind", "").equals(TYPE.id())
          ? Optional.of(snapshot(blob, texts, modes, leftOut))
          : Optional.empty();
    } catch (JacksonException | DateTimeException | StoreException.Invalid e) {
      return Optional.empty();
    }
  }

  private static Snapshot snapshot(
      Payload blob,
      Map<String, String> texts,
      SortedMap<RepoPath, String> modes,
      SortedMap<RepoPath, LeftOut> leftOut) {
    SnapshotMetadata.Plain plain =
        new SnapshotMetadata.Plain(
            octal(texts.getOrDefault("file_mode", "644")),
            octal(texts.getOrDefault("program_mode", "755")));
    return new Snapshot(
        Blake3.hash(blob).toString(),
        BlobHash.parse(texts.getOrDefault("fs_root", "")).toString(),
        Instant.parse(texts.getOrDefault("at", "")),
        Optional.of(
            new SnapshotMetadata(
                texts.getOrDefault("folder", ""),
                plain,
                modes,
                leftOut,
                false,
                texts.getOrDefault("ignored", ""))),
        texts.getOrDefault("note", ""));
  }

  private static Map<String, String> members(JsonParser json) {
    Map<String, String> members = new HashMap<>();
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      if (json.nextToken() == JsonToken.VALUE_STRING) {
        members.put(name, json.getString());
      } else {
        json.skipChildren();
      }
    }
    return members;
  }

  private static String octal(String text) {
    if (!text.matches("[0-7]{3}")) {
      throw new StoreException.Invalid("a snapshot's permissions", text);
    }
    return text;
  }

  private static LeftOut reason(String word) {
    return List.of(LeftOut.values()).stream()
        .filter(why -> why.name().toLowerCase(Locale.ROOT).equals(word))
        .findFirst()
        .orElse(LeftOut.UNREADABLE); // of a later version: not captured, whatever the reason
  }
}
