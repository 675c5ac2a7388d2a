// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.travel;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.hash.Blake3;
import dev.varve.jp.Content;
import dev.varve.jp.Portable;
import dev.varve.jp.blobs.Sha256;
import dev.varve.jp.files.FileState;
import dev.varve.jp.files.RealFiles;
import dev.varve.jp.json.JsonReading;
import dev.varve.jp.json.JsonText;
import dev.varve.jp.place.Copy;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Brings conversations into a store. Files are only read; importing again adds what is new and
/// nothing else.
///
/// What makes an import count is written last, so that one that breaks off is completed by
/// importing again.
public final class JpImport {

  /// @param isNew whether anything was added
  /// @param context with the conversation's turns
  /// @param problems payloads that could not be read, and so are not in the store
  public record Report(
      Copy copy,
      String title,
      boolean isNew,
      @Nullable ContextId context,
      long turnsNew,
      long turnsShared,
      long payloads,
      List<String> problems) {
    public Report {
      problems = List.copyOf(problems);
    }
  }

  static final DeclaredType KEY = new DeclaredType("varve.jp.conversation", 1);

  private static final int FILE_BYTES_MAX = 256 << 20;

  /// Kinds of events that are declared by their name; a store keeps each type for ever, so others
  /// have one together.
  private static final Set<String> KINDS =
      Set.of(
          "config_delta",
          "compaction",
          "turn_start",
          "chat_request",
          "chat_response",
          "tool_call_request",
          "tool_call_response",
          "inquiry_request",
          "inquiry_response");

  private final Store store;
  private final Content.Source contents;
  private final Copy copy;
  private final List<String> problems = new ArrayList<>();
  private final Map<Sha256, Manifest.BlobEntry> blobs = new TreeMap<>();
  private @Nullable ContextId context;
  private long turnsNew;
  private long turnsShared;

  private JpImport(Store store, Content.Source contents, Copy copy) {
    this.store = store;
    this.contents = contents;
    this.copy = copy;
  }

  /// Imports a copy of a conversation.
  ///
  /// @param workspaceId names the workspace, so that it is the same conversation on every machine
  /// @param contents where the payloads are that are not in the file
  public static Report conversation(
      Store store, String workspaceId, Copy copy, Content.Source contents) {
    return new JpImport(store, contents, copy).run(workspaceId);
  }

  private Report run(String workspaceId) {
    Payload key = Payload.utf8("jp " + workspaceId + " " + copy.id().digits() + "\n");
    Optional<TurnId> keyTurn = store.findChild(TurnId.NONE, Blake3.hash(key.unsafeArray()));
    ContextId shelf =
        keyTurn
            .map(turn -> store.turn(turn, View.HEADERS).context())
            .orElseGet(() -> store.createContext().id());
    TurnId root =
        keyTurn.orElseGet(
            () -> append(shelf, NewTurn.of(key, KEY, Encoding.RAW).withParent(TurnId.NONE)));
    Optional<JpAbout> known = JpAbout.of(store, store.head(shelf));
    known
        .filter(about -> about.other().matches("[0-9]{1,19}"))
        .ifPresent(about -> context = ContextId.parse(about.other()));
    turnsNew = 0;
    Manifest manifest = manifest();
    Payload payload = Payload.wrap(manifest.bytes());
    Optional<TurnId> stored = store.findChild(root, Blake3.hash(payload.unsafeArray()));
    if (stored.isPresent() && known.filter(a -> a.manifest().equals(stored.get())).isPresent()) {
      return report(manifest, false);
    }
    TurnId turn =
        stored.orElseGet(
            () ->
                append(shelf, NewTurn.of(payload, Manifest.TYPE, Encoding.JSON).withParent(root)));
    ContextId end = settle(manifest, turn, shelf);
    describe(
        shelf, new JpAbout(JpAbout.MANIFEST, title(), copy.id().digits(), turn, end.toString()));
    return report(manifest, true);
  }

  private Report report(Manifest manifest, boolean isNew) {
    long payloads = manifest.blobs().size();
    return new Report(copy, title(), isNew, context, turnsNew, turnsShared, payloads, problems);
  }

  private TurnId append(ContextId into, NewTurn turn) {
    return store.append(into, turn).id();
  }

  private void describe(ContextId id, JpAbout about) {
    store.describe(id, store.put(about.payload()));
  }

  /// Gives the conversation a context whose head is its last event.
  private ContextId settle(Manifest manifest, TurnId turn, ContextId shelf) {
    TurnId head = manifest.stream().map(Manifest.Stream::head).orElse(TurnId.NONE);
    ContextId here = context;
    if (here == null || !store.head(here).head().equals(head)) {
      // A head moves only by an append through it: turns that a fork had brought before need a
      // context of their own.
      here = store.createContext(head, null).id();
      context = here;
    }
    describe(
        here,
        new JpAbout(JpAbout.CONVERSATION, title(), copy.id().digits(), turn, shelf.toString()));
    return here;
  }

  private String title() {
    try {
      return JsonReading.of(RealFiles.read(copy.metadata(), 1 << 20)) instanceof JsonText text
          ? text.memberText(0, "title").orElse(copy.name())
          : copy.name();
    } catch (StoreException e) {
      return copy.name();
    }
  }

  private Manifest manifest() {
    List<Manifest.FileEntry> files = new ArrayList<>();
    Optional<Manifest.Stream> stream = Optional.empty();
    for (Path path : RealFiles.list(copy.folder())) {
      String name = String.valueOf(path.getFileName());
      boolean regular = RealFiles.look(path).filter(BasicFileAttributes::isRegularFile).isPresent();
      if (!regular || name.endsWith(".tmp")) {
        if (!regular) {
          problems.add(path + ": not a file, not imported");
        }
        continue;
      }
      FileState state = FileState.of(path).orElseThrow();
      byte[] bytes = RealFiles.read(path, FILE_BYTES_MAX);
      if (name.equals("events.json")) {
        stream = Portable.of(bytes).map(portable -> stream(bytes, state, portable));
        if (stream.isPresent()) {
          continue;
        }
      }
      BlobHash hash = store.put(Payload.wrap(bytes));
      files.add(new Manifest.FileEntry(name, bytes.length, hash, state.modified().toInstant()));
    }
    return new Manifest(
        copy.id().digits(),
        copy.name(),
        copy.partition() == Copy.Partition.ARCHIVED,
        files,
        stream,
        List.copyOf(blobs.values()));
  }

  private Manifest.Stream stream(byte[] file, FileState state, Portable portable) {
    portable.contents().forEach((hash, content) -> put(hash, content, false));
    for (Content.Reference reference : portable.references()) {
      Manifest.BlobEntry known = blobs.get(reference.hash());
      if (known == null || !known.external()) {
        try {
          put(reference.hash(), reference.resolve(contents), true);
        } catch (StoreException.NotFound | StoreException.Corrupt | StoreException.TooLarge e) {
          problems.add(copy.events() + ": " + e.getMessage());
        }
      }
    }
    List<Manifest.Gap> gaps = new ArrayList<>();
    TurnId[] head = {TurnId.NONE};
    int[] end = {0};
    JsonText text = portable.text();
    text.each(
        0,
        event -> {
          addGap(gaps, Arrays.copyOfRange(text.bytes(), end[0], text.from(event)));
          head[0] = turn(text, event, head[0]);
          end[0] = text.to(event);
        });
    addGap(gaps, Arrays.copyOfRange(text.bytes(), end[0], text.bytes().length));
    return new Manifest.Stream(
        file.length,
        Blake3.hash(file),
        state.modified().toInstant(),
        head[0],
        gaps,
        portable.inline(),
        store.put(Payload.wrap(portable.spelling())));
  }

  private void put(Sha256 sha256, byte[] content, boolean external) {
    BlobHash hash = store.put(Payload.wrap(content));
    blobs.put(sha256, new Manifest.BlobEntry(sha256, hash, content.length, external));
  }

  private TurnId turn(JsonText text, int event, TurnId parent) {
    Payload payload =
        Payload.wrap(Arrays.copyOfRange(text.bytes(), text.from(event), text.to(event)));
    Optional<TurnId> found = store.findChild(parent, Blake3.hash(payload.unsafeArray()));
    if (found.isPresent()) {
      turnsShared++;
      return found.get();
    }
    turnsNew++;
    String kind = text.memberText(event, "type").orElse("");
    DeclaredType type = new DeclaredType("jp." + (KINDS.contains(kind) ? kind : "event"), 1);
    ContextId into = context;
    if (into == null) {
      ContextHead made = store.createContext();
      into = made.id();
      context = into;
    }
    NewTurn turn = NewTurn.of(payload, type, Encoding.JSON).withParent(parent);
    return append(
        into,
        text.memberText(event, "timestamp")
            .flatMap(EventTime::of)
            .map(turn::withCreatedAt)
            .orElse(turn));
  }

  private static void addGap(List<Manifest.Gap> gaps, byte[] bytes) {
    if (!gaps.isEmpty() && Arrays.equals(gaps.getLast().bytes(), bytes)) {
      gaps.set(gaps.size() - 1, new Manifest.Gap(gaps.getLast().times() + 1, bytes));
    } else {
      gaps.add(new Manifest.Gap(1, bytes));
    }
  }
}
