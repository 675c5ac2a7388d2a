// SPDX-License-Identifier: Apache-2.0
package dev.varve.folder;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.TurnPage;
import dev.varve.View;
import dev.varve.checkpoint.SmallFile;
import dev.varve.git.RepoPath;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/// The turns that keep the snapshots of one folder: a context whose `about` names the folder.
final class Chain {

  private static final JsonFactory JSON = new JsonFactory();
  private static final int PAGE = 1_000;
  private static final String FILE = "context";

  private final Path notes;
  private final Payload about;

  /// @param root the folder
  /// @param notes where the context's number is remembered
  Chain(Path root, Path notes) {
    this.notes = notes;
    this.about = about(root);
  }

  /// The same folder always gives the same bytes.
  private static Payload about(Path root) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
      json.writeStartObject();
      json.writeStringProperty("title", "Files of " + root);
      json.writeStringProperty("kind", "varve.rewind");
      json.writeStringProperty("root", escaped(root));
      json.writeEndObject();
    }
    return Payload.wrap(bytes.toByteArray());
  }

  /// A folder's path, to the byte: printable ASCII.
  static String escaped(Path root) {
    String raw = root.toUri().getRawPath();
    boolean slash = raw.endsWith("/") && raw.length() > 1;
    return RepoPath.parse(slash ? raw.substring(0, raw.length() - 1) : raw).escaped();
  }

  Optional<ContextHead> find(Store store) {
    BlobHash wanted = dev.varve.hash.Blake3.hash(about);
    Optional<ContextHead> told =
        SmallFile.read(notes.resolve(FILE)).flatMap(text -> told(text, store));
    if (told.isPresent() && wanted.equals(told.get().about())) {
      return told;
    }
    List<ContextHead> page = store.contexts(null, PAGE);
    while (!page.isEmpty()) {
      for (ContextHead each : page) {
        if (wanted.equals(each.about())) {
          remember(each.id());
          return Optional.of(each);
        }
      }
      page = store.contexts(page.getLast().id(), PAGE);
    }
    return Optional.empty();
  }

  private static Optional<ContextHead> told(String text, Store store) {
    try {
      return Optional.of(store.head(ContextId.parse(text.strip())));
    } catch (StoreException.NotFound | StoreException.Invalid e) {
      return Optional.empty(); // another store, or damage: it is looked for
    }
  }

  private void remember(ContextId context) {
    SmallFile.replace(notes.resolve(FILE), context + "\n");
  }

  /// Keeps a snapshot: appends its turn. Once this returns, it is durable.
  void add(Store store, Payload text, BlobHash root) {
    ContextHead head =
        find(store).orElseGet(() -> store.createContext(TurnId.NONE, store.put(about)));
    remember(head.id());
    store.append(head.id(), NewTurn.of(text, CheckpointText.TYPE, Encoding.JSON).withFsRoot(root));
  }

  /// The turns of the snapshots, the last first, each snapshot once.
  List<Turn> turns(Store store, boolean payloads) {
    Optional<ContextHead> head = find(store);
    if (head.isEmpty() || head.get().head().isNone()) {
      return List.of();
    }
    View view = payloads ? View.LATEST : View.HEADERS;
    List<Turn> turns = new ArrayList<>();
    java.util.Set<BlobHash> met = new java.util.HashSet<>();
    TurnPage page = store.last(head.get().id(), PAGE, view);
    while (true) {
      page.turns().reversed().stream()
          .filter(turn -> turn.type().equals(CheckpointText.TYPE) && !turn.tombstone())
          .filter(turn -> met.add(turn.payloadHash()))
          .forEach(turns::add);
      if (page.nextCursor() == null) {
        return turns;
      }
      page = store.before(head.get().id(), page.nextCursor(), PAGE, view);
    }
  }
}
