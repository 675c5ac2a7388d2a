// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.files;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.server.value.IdFormat;
import dev.varve.server.value.Json;
import dev.varve.tree.Snapshots;
import dev.varve.tree.Tree;
import dev.varve.tree.TreeEntry;
import dev.varve.tree.Trees;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/// The answers about the file trees of turns.
///
/// A turn's tree is the one attached to it, else that of its nearest ancestor that has one. Every
/// method refuses with [StoreException.NotFound] if there is none, and as [Trees] does.
public final class FileViews {

  /// The largest file that is put into JSON; larger ones are served as they are.
  public static final int JSON_FILE_BYTES_MAX = 64 << 20;

  private final Store store;
  private final Trees trees;

  /// What stands at a path.
  public sealed interface Found {

    /// A folder: the body of a 200.
    record Folder(Json.Answer answer) implements Found {}

    /// A file or a symbolic link: a blob to serve. Who serves it to browsers must forbid them to
    /// run it.
    ///
    /// @param hash of the blob: a file's content, a link's target
    /// @param mediaType by the name's end
    /// @param modeOctal for instance `644`
    record Content(BlobHash hash, long sizeBytes, String mediaType, String modeOctal)
        implements Found {}
  }

  public FileViews(Store store) {
    this.store = store;
    this.trees = new Trees(store::get);
  }

  private BlobHash root(TurnId turn) {
    try {
      return Snapshots.at(store, turn)
          .orElseThrow(() -> new StoreException.NotFound("fs snapshot for turn", turn.toString()))
          .root();
    } catch (StoreException.NotFound e) {
      throw new StoreException.NotFound("fs snapshot for turn", turn.toString());
    }
  }

  /// The folder at a path; the root where that is empty.
  public Json.Answer listing(TurnId turn, String path, IdFormat ids) {
    BlobHash root = root(turn);
    return listing(turn, path, root, trees.folder(root, path), ids);
  }

  private static Json.Answer listing(
      TurnId turn, String path, BlobHash root, Tree folder, IdFormat ids) {
    return json -> {
      json.writeStartObject();
      head(turn, root, ids, json);
      json.writeStringProperty("path", path);
      json.writeArrayPropertyStart("entries");
      for (TreeEntry entry : folder.entries()) {
        json.writeStartObject();
        json.writeStringProperty("name", entry.name());
        members(entry, json);
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    };
  }

  private static void head(TurnId turn, BlobHash root, IdFormat ids, JsonGenerator json) {
    ids.property(json, "turn_id", turn.value());
    json.writeStringProperty("fs_root_hash", root.toString());
  }

  private static void members(TreeEntry entry, JsonGenerator json) {
    json.writeStringProperty("kind", entry.kind().written());
    json.writeStringProperty("mode", entry.modeOctal());
    json.writeNumberProperty("size", entry.sizeBytes());
    json.writeStringProperty("hash", entry.hash().toString());
  }

  /// The file or folder at a path.
  public Found at(TurnId turn, String path, IdFormat ids) {
    BlobHash root = root(turn);
    TreeEntry entry = trees.entry(root, path);
    if (entry.isDirectory()) {
      return new Found.Folder(listing(turn, path, root, trees.tree(entry.hash()), ids));
    }
    return new Found.Content(
        entry.hash(), entry.sizeBytes(), MediaTypes.of(entry.name()), entry.modeOctal());
  }

  /// The file at a path as JSON, its content in base64; a folder as its listing.
  ///
  /// @throws StoreException.TooLarge if the file has more than [#JSON_FILE_BYTES_MAX] bytes
  public Json.Answer json(TurnId turn, String path, IdFormat ids) {
    BlobHash root = root(turn);
    TreeEntry entry = trees.entry(root, path);
    if (entry.isDirectory()) {
      return listing(turn, path, root, trees.tree(entry.hash()), ids);
    }
    if (entry.sizeBytes() > JSON_FILE_BYTES_MAX) {
      throw new StoreException.TooLarge("file in JSON", entry.sizeBytes(), JSON_FILE_BYTES_MAX);
    }
    Payload content = store.get(entry.hash());
    return json -> {
      json.writeStartObject();
      head(turn, root, ids, json);
      json.writeStringProperty("path", path);
      json.writeStringProperty("name", entry.name());
      members(entry, json);
      json.writeStringProperty(
          "content_base64", Base64.getEncoder().encodeToString(content.unsafeArray()));
      json.writeEndObject();
    };
  }

  /// All files and folders, each folder before what is in it.
  public Json.Answer whole(TurnId turn, IdFormat ids) {
    BlobHash root = root(turn);
    List<Trees.Place> places = new ArrayList<>(); // so that a damaged folder refuses the whole
    trees.walk(root, places::add);
    return json -> {
      json.writeStartObject();
      head(turn, root, ids, json);
      json.writeArrayPropertyStart("entries");
      for (Trees.Place place : places) {
        entry(place.path(), place.entry(), json);
      }
      json.writeEndArray();
      json.writeEndObject();
    };
  }

  /// What became of the files from one turn to another.
  public Json.Answer difference(TurnId before, TurnId after, IdFormat ids) {
    BlobHash from = root(before);
    BlobHash to = root(after);
    List<Trees.Change> changes = trees.diff(from, to);
    return json -> {
      json.writeStartObject();
      ids.property(json, "before_turn_id", before.value());
      json.writeStringProperty("before_fs_root_hash", from.toString());
      ids.property(json, "after_turn_id", after.value());
      json.writeStringProperty("after_fs_root_hash", to.toString());
      json.writeArrayPropertyStart("changes");
      changes.forEach(change -> write(change, json));
      json.writeEndArray();
      json.writeEndObject();
    };
  }

  private static void write(Trees.Change change, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("path", change.path());
    switch (change) {
      case Trees.Change.Added(_, TreeEntry entry) -> {
        json.writeStringProperty("change", "added");
        named("after", entry, json);
      }
      case Trees.Change.Removed(_, TreeEntry entry) -> {
        json.writeStringProperty("change", "removed");
        named("before", entry, json);
      }
      case Trees.Change.Modified(_, TreeEntry was, TreeEntry is) -> {
        json.writeStringProperty("change", "modified");
        named("before", was, json);
        named("after", is, json);
      }
    }
    json.writeEndObject();
  }

  private static void named(String name, TreeEntry entry, JsonGenerator json) {
    json.writeObjectPropertyStart(name);
    members(entry, json);
    json.writeEndObject();
  }

  private static void entry(String path, TreeEntry entry, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("path", path);
    members(entry, json);
    json.writeEndObject();
  }
}
