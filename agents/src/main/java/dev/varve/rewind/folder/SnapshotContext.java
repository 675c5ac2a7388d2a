// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.folder;

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
import dev.varve.files.WholeFile;
import dev.varve.git.RepoPath;
import dev.varve.rewind.SmallFile;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/// The turns that keep the snapshots of one folder: a context whose `about` names the folder.
final class SnapshotContext {

  private static final JsonFactory JSON = new JsonFactory();
  private static final int PAGE = 1_000;
  private static final String FILE = "context";
  private static final String KIND = "varve.rewind";
  private static final int ABOUT_BYTES_MAX = 1 << 20;

  private final Path notes;
  private final Payload about;

  /// @param root the folder
  /// @param notes where the context's number is remembered
  SnapshotContext(Path root, Path notes) {
    this.notes = notes;
    this.about = about(root);
  }

  /// The same folder always gives the same bytes.
  private static Payload about(Path root) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
      json.writeStartObject();
      json.writeStringProperty("title", "Files of " + root);
      json.writeStringProperty("kind", KIND);
      json.writeStringProperty("root", escaped(root));
      json.writeEndObject();
    }
    return Payload.wrap(bytes.toByteArray());
  }

  /// The folder that the description of a context names, as [#escaped] writes it; empty if the
  /// context keeps no snapshots.
  static Optional<String> root(Payload about) {
    Map<String, String> texts = new HashMap<>();
    if (about.sizeBytes() == 0 || about.sizeBytes() > ABOUT_BYTES_MAX) {
      return Optional.empty();
    }
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), about.unsafeArray())) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        if (json.nextToken() == JsonToken.VALUE_STRING) {
          texts.put(name, json.getString());
        } else {
          json.skipChildren();
        }
      }
    } catch (JacksonException e) {
      return Optional.empty();
    }
    return KIND.equals(texts.get("kind"))
        ? Optional.ofNullable(texts.get("root"))
        : Optional.empty();
  }

  /// A folder's path, to the byte: printable ASCII.
  static String escaped(Path root) {
    String raw = root.toUri().getRawPath();
    boolean slash = raw.endsWith("/") && raw.length() > 1;
    return RepoPath.parse(slash ? raw.substring(0, raw.length() - 1) : raw).escaped();
  }

  Optional<ContextHead> find(Store store) {
    BlobHash wanted = dev.varve.hash.Blake3.hash(about);
    Optional<ContextHead> noted =
        SmallFile.read(notes.resolve(FILE)).flatMap(text -> noted(text, store));
    if (noted.isPresent() && wanted.equals(noted.get().about())) {
      return noted;
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

  private static Optional<ContextHead> noted(String text, Store store) {
    try {
      return Optional.of(store.head(ContextId.parse(text.strip())));
    } catch (StoreException.NotFound | StoreException.Invalid e) {
      return Optional.empty(); // another store, or damage: it is looked for
    }
  }

  private void remember(ContextId context) {
    WholeFile.at(notes.resolve(FILE)).asItsFolder().replace(context + "\n");
  }

  /// Keeps a snapshot: appends its turn. Once this returns, it is durable.
  void add(Store store, Payload text, BlobHash root) {
    ContextHead head =
        find(store).orElseGet(() -> store.createContext(TurnId.NONE, store.put(about)));
    remember(head.id());
    store.append(head.id(), NewTurn.of(text, SnapshotPayload.TYPE, Encoding.JSON).withFsRoot(root));
  }

  /// Some turns of a chain, the last first, those that were let go among them.
  ///
  /// @param older where the next page begins; null if this one is the last
  record Page(List<Turn> turns, @Nullable TurnId older) {}

  /// @param olderThan null for the first page
  Page page(Store store, @Nullable TurnId olderThan, View view) {
    Optional<ContextHead> head = find(store);
    if (head.isEmpty() || head.get().head().isNone()) {
      return new Page(List.of(), null);
    }
    ContextId context = head.get().id();
    TurnPage page =
        olderThan == null
            ? store.last(context, PAGE, view)
            : store.before(context, olderThan, PAGE, view);
    return new Page(
        page.turns().reversed().stream()
            .filter(turn -> turn.type().equals(SnapshotPayload.TYPE))
            .toList(),
        page.nextCursor());
  }

  /// All turns of the context, without payloads.
  private List<Turn> headers(Store store) {
    List<Turn> turns = new ArrayList<>();
    @Nullable TurnId older = null;
    do {
      Page page = page(store, older, View.HEADERS);
      turns.addAll(page.turns());
      older = page.older();
    } while (older != null);
    return turns;
  }

  /// The turns that keep snapshots, by the snapshots' names, the last one first.
  Map<BlobHash, List<TurnId>> kept(Store store) {
    Map<BlobHash, List<TurnId>> kept = new LinkedHashMap<>();
    for (Turn turn : headers(store)) {
      if (!turn.tombstone()) {
        kept.computeIfAbsent(turn.payloadHash(), _ -> new ArrayList<>()).add(turn.id());
      }
    }
    return kept;
  }

  /// The snapshots that were kept once and are let go.
  Set<BlobHash> letGo(Store store) {
    Set<BlobHash> gone = new HashSet<>();
    Set<BlobHash> kept = new HashSet<>();
    headers(store).forEach(turn -> (turn.tombstone() ? gone : kept).add(turn.payloadHash()));
    gone.removeAll(kept);
    return gone;
  }
}
