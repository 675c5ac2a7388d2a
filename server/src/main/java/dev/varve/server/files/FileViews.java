// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.files;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.server.value.IdFormat;
import dev.varve.server.value.JsonOutput;
import dev.varve.tree.StoredTrees;
import dev.varve.tree.Tree;
import dev.varve.tree.TreeEntry;
import dev.varve.tree.TurnTrees;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/// The answers about the file trees of turns.
///
/// The tree of a turn is the one attached to it, otherwise that of its nearest ancestor with a
/// tree. Every method refuses with [StoreException.NotFound] if there is none, and as [StoredTrees]
/// does.
public final class FileViews {

  /// The largest file that is put into JSON; larger ones are served as bytes only.
  public static final int JSON_FILE_BYTES_MAX = 64 << 20;

  private final Store store;
  private final StoredTrees trees;
  private final FileRestores restores;

  /// The object at a path.
  public sealed interface PathContent {

    /// A folder: the body of a 200.
    record FolderListing(JsonOutput answer) implements PathContent {}

    /// A file or a symbolic link: a blob to serve. A server for browsers must forbid them to run
    /// it.
    ///
    /// @param hash of the blob: a file's content, a link's target
    /// @param mediaType from the extension of the name
    /// @param modeOctal for instance `644`
    record FileContent(BlobHash hash, long sizeBytes, String mediaType, String modeOctal)
        implements PathContent {}
  }

  public FileViews(Store store) {
    this(store, FileRestores.NONE);
  }

  /// @param restores the restores on this machine
  public FileViews(Store store, FileRestores restores) {
    this.store = store;
    this.restores = restores;
    this.trees = new StoredTrees(store::get);
  }

  /// The plan of a restore to the files at a turn, as JSON.
  ///
  /// @throws StoreException.NotFound if no files are attached, or their restore cannot be planned
  ///   here
  public String restorePlan(TurnId turn, FileRestores.Kind kind) {
    TurnId captured = snapshot(turn).turn();
    return restores
        .plan(store, store.turn(captured), kind)
        .orElseThrow(() -> notRestorable(captured));
  }

  /// Returns whether [#restore] may be called.
  public boolean mayRestore() {
    return restores.areCarriedOut();
  }

  /// Carries out the restore to the files at a turn that somebody agreed to; its outcome as JSON.
  ///
  /// @param agreed the digest of the plan
  /// @throws StoreException.NotFound as [#restorePlan] does
  /// @throws StoreException.Conflict if the plan is not that of the digest any more
  public String restore(TurnId turn, FileRestores.Kind kind, BlobHash agreed) {
    TurnId captured = snapshot(turn).turn();
    return restores
        .carryOut(store, store.turn(captured), kind, agreed)
        .orElseThrow(() -> notRestorable(captured));
  }

  private static StoreException notRestorable(TurnId turn) {
    return new StoreException.NotFound(
        "snapshot of Rewind that can be restored here", "turn " + turn);
  }

  private TurnTrees.Snapshot snapshot(TurnId turn) {
    return TurnTrees.at(store, turn)
        .orElseThrow(() -> new StoreException.NotFound("fs snapshot for turn", turn.toString()));
  }

  private BlobHash root(TurnId turn) {
    try {
      return snapshot(turn).root();
    } catch (StoreException.NotFound e) {
      throw new StoreException.NotFound("fs snapshot for turn", turn.toString());
    }
  }

  /// The folder at a path; the root for an empty path.
  public JsonOutput listing(TurnId turn, String path, IdFormat ids) {
    BlobHash root = root(turn);
    return listing(turn, path, root, trees.folder(root, path), ids);
  }

  private static JsonOutput listing(
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
  public PathContent at(TurnId turn, String path, IdFormat ids) {
    BlobHash root = root(turn);
    TreeEntry entry = trees.entry(root, path);
    if (entry.isDirectory()) {
      return new PathContent.FolderListing(
          listing(turn, path, root, trees.tree(entry.hash()), ids));
    }
    return new PathContent.FileContent(
        entry.hash(), entry.sizeBytes(), MediaTypes.of(entry.name()), entry.modeOctal());
  }

  /// The file at a path as JSON, its content in base64; a folder as its listing.
  ///
  /// @throws StoreException.TooLarge if the file has more than [#JSON_FILE_BYTES_MAX] bytes
  public JsonOutput json(TurnId turn, String path, IdFormat ids) {
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
  public JsonOutput whole(TurnId turn, IdFormat ids) {
    BlobHash root = root(turn);
    List<StoredTrees.Place> places =
        new ArrayList<>(); // read first, so that a damaged folder refuses the whole answer
    trees.walk(root, places::add);
    return json -> {
      json.writeStartObject();
      head(turn, root, ids, json);
      json.writeArrayPropertyStart("entries");
      for (StoredTrees.Place place : places) {
        entry(place.path(), place.entry(), json);
      }
      json.writeEndArray();
      json.writeEndObject();
    };
  }

  /// The changes of the files from one turn to another.
  public JsonOutput difference(TurnId before, TurnId after, IdFormat ids) {
    BlobHash from = root(before);
    BlobHash to = root(after);
    List<StoredTrees.Change> changes = trees.diff(from, to);
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

  private static void write(StoredTrees.Change change, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("path", change.path());
    switch (change) {
      case StoredTrees.Change.Added(_, TreeEntry entry) -> {
        json.writeStringProperty("change", "added");
        named("after", entry, json);
      }
      case StoredTrees.Change.Removed(_, TreeEntry entry) -> {
        json.writeStringProperty("change", "removed");
        named("before", entry, json);
      }
      case StoredTrees.Change.Modified(_, TreeEntry was, TreeEntry is) -> {
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
