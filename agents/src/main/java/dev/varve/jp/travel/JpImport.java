// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.travel;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.hash.Blake3;
import dev.varve.imports.ContextChanges;
import dev.varve.imports.ImportProblem;
import dev.varve.imports.ImportReport;
import dev.varve.imports.ImportReport.Outcome;
import dev.varve.imports.ManifestContext;
import dev.varve.imports.ManifestPlace;
import dev.varve.imports.ProblemList;
import dev.varve.imports.RecordCounts;
import dev.varve.jp.BlobContent;
import dev.varve.jp.PortableEvents;
import dev.varve.jp.blobs.Sha256;
import dev.varve.jp.files.FileState;
import dev.varve.jp.files.RealFiles;
import dev.varve.jp.json.JsonReading;
import dev.varve.jp.json.JsonText;
import dev.varve.jp.place.ConversationCopy;
import dev.varve.jp.place.Workspace;
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

  /// The report on one conversation.
  ///
  /// @param imported the problems in it are payloads that could not be read, and so are not in the
  ///   store, and things that are no files
  /// @param payloads how many payloads the conversation has
  public record Report(ImportReport imported, long payloads) {}

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
  private final BlobContent.Source contents;
  private final ConversationCopy copy;
  private final String cwd;
  private final ProblemList problems = new ProblemList();
  private final Map<Sha256, JpManifest.BlobEntry> blobs = new TreeMap<>();
  private @Nullable ContextId context;
  private long turnsNew;
  private long turnsShared;
  private long contextsNew;

  private JpImport(
      Store store, Workspace workspace, BlobContent.Source contents, ConversationCopy copy) {
    this.store = store;
    this.cwd = workspace.folder().toAbsolutePath().toString();
    this.contents = contents;
    this.copy = copy;
  }

  /// Imports a copy of a conversation.
  ///
  /// @param workspace its id names the workspace, so that the conversation is the same on every
  ///   machine
  /// @param contents finds the payloads that are not in the file
  public static Report conversation(
      Store store, Workspace workspace, ConversationCopy copy, BlobContent.Source contents) {
    String id = workspace.id() == null ? "" : workspace.id();
    Payload key = Payload.utf8("jp " + id + " " + copy.id().digits() + "\n");
    return new JpImport(store, workspace, contents, copy)
        .run(ManifestContext.findOrCreate(store, key, KEY));
  }

  private Report run(ManifestContext manifests) {
    Optional<JpAbout> known = manifests.about().flatMap(JpAbout::read);
    known.map(JpAbout::other).ifPresent(other -> context = other);
    // Read now: the turns that are new move the head.
    Optional<TurnId> before = known.map(about -> store.head(about.other()).head());
    JpManifest manifest = manifest();
    Payload payload = Payload.wrap(manifest.bytes());
    Optional<TurnId> stored = manifests.find(payload);
    if (stored.isPresent() && known.filter(a -> a.manifest().equals(stored.get())).isPresent()) {
      return report(manifests, manifest, stored.get(), Outcome.UNCHANGED);
    }
    TurnId head = manifest.stream().map(JpManifest.Stream::head).orElse(TurnId.NONE);
    Outcome outcome = before.map(old -> outcome(old, head)).orElse(Outcome.NEW);
    TurnId turn = manifests.add(payload, JpManifest.TYPE, Encoding.JSON);
    ContextId end = settle(head, turn, manifests.id());
    manifests.describe(about(JpAbout.MANIFEST, turn, end));
    return report(manifests, manifest, turn, outcome);
  }

  /// Compares the last events of the version before and of the new version.
  private Outcome outcome(TurnId before, TurnId head) {
    if (before.isNone()) {
      return Outcome.GROWN;
    }
    Optional<TurnId> common =
        head.isNone() ? Optional.empty() : store.findCommonAncestor(before, head);
    if (common.filter(before::equals).isPresent()) {
      return Outcome.GROWN;
    }
    return common.filter(head::equals).isPresent() ? Outcome.OLDER : Outcome.REWRITTEN;
  }

  private Report report(
      ManifestContext manifests, JpManifest manifest, TurnId turn, Outcome outcome) {
    List<ContextId> contexts = context == null ? List.of() : List.of(context);
    long sizeBytes =
        manifest.files().stream().mapToLong(JpManifest.FileEntry::sizeBytes).sum()
            + manifest.stream().map(JpManifest.Stream::sizeBytes).orElse(0L);
    return new Report(
        new ImportReport(
            copy.folder(),
            outcome,
            copy.id().toString(),
            title(),
            sizeBytes,
            new ManifestPlace(manifests.id(), turn),
            new RecordCounts(turnsNew + turnsShared, turnsNew, turnsShared, 0, 0, 0),
            new ContextChanges(contexts, contextsNew, outcome == Outcome.GROWN ? 1 : 0),
            problems.summary()),
        manifest.blobs().size());
  }

  private Payload about(String kind, TurnId manifest, ContextId other) {
    return new JpAbout(kind, title(), copy.id().digits(), cwd, manifest, other).payload();
  }

  /// Gives the conversation a context whose head is its last event.
  private ContextId settle(TurnId head, TurnId manifest, ContextId manifests) {
    ContextId here = context;
    if (here == null || !store.head(here).head().equals(head)) {
      // A head moves only by an append through it: turns that a fork had brought before need a
      // context of their own.
      here = store.createContext(head, null).id();
      context = here;
      contextsNew++;
    }
    store.describe(here, store.put(about(JpAbout.CONVERSATION, manifest, manifests)));
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

  private JpManifest manifest() {
    List<JpManifest.FileEntry> files = new ArrayList<>();
    Optional<JpManifest.Stream> stream = Optional.empty();
    for (Path path : RealFiles.list(copy.folder())) {
      String name = String.valueOf(path.getFileName());
      boolean regular = RealFiles.look(path).filter(BasicFileAttributes::isRegularFile).isPresent();
      if (!regular || name.endsWith(".tmp")) {
        if (!regular) {
          problems.add(name, ImportProblem.WHOLE, "not a file, not imported");
        }
        continue;
      }
      FileState state = FileState.of(path).orElseThrow();
      byte[] bytes = RealFiles.read(path, FILE_BYTES_MAX);
      if (name.equals("events.json")) {
        stream = PortableEvents.of(bytes).map(portable -> stream(bytes, state, portable));
        if (stream.isPresent()) {
          continue;
        }
      }
      BlobHash hash = store.put(Payload.wrap(bytes));
      files.add(new JpManifest.FileEntry(name, bytes.length, hash, state.modified().toInstant()));
    }
    return new JpManifest(
        copy.id().digits(),
        copy.name(),
        copy.partition() == ConversationCopy.Partition.ARCHIVED,
        files,
        stream,
        List.copyOf(blobs.values()));
  }

  private JpManifest.Stream stream(byte[] file, FileState state, PortableEvents portable) {
    portable.contents().forEach((hash, content) -> put(hash, content, false));
    for (BlobContent.Reference reference : portable.references()) {
      JpManifest.BlobEntry known = blobs.get(reference.hash());
      if (known == null || !known.external()) {
        try {
          put(reference.hash(), reference.resolve(contents), true);
        } catch (StoreException.NotFound | StoreException.Corrupt | StoreException.TooLarge e) {
          problems.add("events.json", ImportProblem.WHOLE, String.valueOf(e.getMessage()));
        }
      }
    }
    List<JpManifest.Gap> gaps = new ArrayList<>();
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
    return new JpManifest.Stream(
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
    blobs.put(sha256, new JpManifest.BlobEntry(sha256, hash, content.length, external));
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
      into = store.createContext().id();
      context = into;
      contextsNew++;
    }
    NewTurn turn = NewTurn.of(payload, type, Encoding.JSON).withParent(parent);
    NewTurn dated =
        text.memberText(event, "timestamp")
            .flatMap(EventTime::of)
            .map(turn::withCreatedAt)
            .orElse(turn);
    return store.append(into, dated).id();
  }

  private static void addGap(List<JpManifest.Gap> gaps, byte[] bytes) {
    if (!gaps.isEmpty() && Arrays.equals(gaps.getLast().bytes(), bytes)) {
      gaps.set(gaps.size() - 1, new JpManifest.Gap(gaps.getLast().times() + 1, bytes));
    } else {
      gaps.add(new JpManifest.Gap(1, bytes));
    }
  }
}
