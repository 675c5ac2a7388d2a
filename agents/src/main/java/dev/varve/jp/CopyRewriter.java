// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.StoreException;
import dev.varve.files.WholeFile;
import dev.varve.jp.CopyReport.Outcome;
import dev.varve.jp.blobs.BlobFolder;
import dev.varve.jp.blobs.BlobLock;
import dev.varve.jp.blobs.Sha256;
import dev.varve.jp.files.FileReplacement;
import dev.varve.jp.files.FileState;
import dev.varve.jp.files.FlockFile;
import dev.varve.jp.files.RealFiles;
import dev.varve.jp.json.JsonReading;
import dev.varve.jp.json.JsonText;
import dev.varve.jp.place.Conversation;
import dev.varve.jp.place.ConversationCopy;
import dev.varve.jp.place.ConversationLock;
import dev.varve.jp.place.Workspace;
import dev.varve.jp.place.WorkspaceRoot;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Rewrites conversations on the disk, from one form into the other.
///
/// Each copy stands by itself: its blobs are in its own root. Blobs are durable before
/// `events.json` refers to them, the old file stays until the new one takes its place in one step,
/// its time stays because what it says has not changed. A conversation that somebody has locked, or
/// writes meanwhile, is left alone. May stop anywhere: to go on is to begin again.
public final class CopyRewriter {

  private static final Duration SWEEP_PATIENCE = Duration.ofSeconds(30);

  private final Workspace workspace;
  private final InstantSource clock;
  private final int sizeBytesMax;
  private final Map<WorkspaceRoot.Kind, BlobFolder> folders =
      new EnumMap<>(WorkspaceRoot.Kind.class);

  /// @param sizeBytesMax the largest payload to take into memory
  public CopyRewriter(Workspace workspace, InstantSource clock, int sizeBytesMax) {
    this.workspace = workspace;
    this.clock = clock;
    this.sizeBytesMax = sizeBytesMax;
  }

  /// The change that is to be made to a file.
  private sealed interface Plan {

    EventsFile file();

    byte[] after();

    record Externalize(EventsFile file, PayloadExternalizer.Result result) implements Plan {
      @Override
      public byte[] after() {
        return result.bytes();
      }
    }

    record Inline(EventsFile file, PayloadInliner.Result result) implements Plan {
      @Override
      public byte[] after() {
        return result.bytes();
      }
    }

    @SuppressWarnings("ReferenceEquality") // what was not changed is handed on as it came
    default boolean isChanged() {
      return after() != file().bytes();
    }
  }

  @FunctionalInterface
  private interface Planner {
    Plan plan(ConversationCopy copy) throws EventsFile.NotJson;
  }

  /// Turns the payloads of a conversation into references.
  ///
  /// @param dry whether to report only, and write nothing
  public List<CopyReport> externalize(Conversation conversation, boolean dry) {
    return rewrite(conversation, dry, this::planExternalize);
  }

  /// Turns the references of a conversation into payloads; byte for byte what they were, where that
  /// is known.
  public List<CopyReport> inline(Conversation conversation, boolean dry) {
    return rewrite(conversation, dry, this::planInline);
  }

  private Plan planExternalize(ConversationCopy copy) throws EventsFile.NotJson {
    EventsFile file = EventsFile.read(copy);
    PayloadSpellings spellings = PayloadSpellings.of(copy);
    if (spellings.unreadable() > 0) {
      throw new StoreException.Corrupt( // writing it anew would lose what it may say
          copy.folder().resolve(PayloadSpellings.FILE).toString(),
          0,
          "spellings of payloads in format 1",
          "other bytes");
    }
    return new Plan.Externalize(file, PayloadExternalizer.externalize(file.text(), spellings));
  }

  private Plan planInline(ConversationCopy copy) throws EventsFile.NotJson {
    EventsFile file = EventsFile.read(copy);
    BlobContent.Source source = new WorkspaceContents(workspace, copy.root(), clock, sizeBytesMax);
    PayloadInliner.Result result =
        PayloadInliner.inline(file.text(), PayloadSpellings.of(copy), source, _ -> true);
    proveContents(file, result);
    return new Plan.Inline(file, result);
  }

  /// The payloads of the new text are, one by one, what the old text referred to or held.
  private static void proveContents(EventsFile before, PayloadInliner.Result after) {
    if (after.payloads() > 0 && !hashes(before.text()).equals(hashes(parsed(after.bytes())))) {
      throw new AssertionError(before.path() + ": inlined to other contents");
    }
  }

  private static JsonText parsed(byte[] bytes) {
    if (!(JsonReading.of(bytes) instanceof JsonText text)) {
      throw new AssertionError("inlined to something that is no JSON");
    }
    return text;
  }

  private static List<Sha256> hashes(JsonText text) {
    return PayloadSites.in(text).sites().stream().map(site -> site.content().hash()).toList();
  }

  private List<CopyReport> rewrite(Conversation conversation, boolean dry, Planner planner) {
    List<CopyReport> reports = new ArrayList<>();
    for (ConversationCopy copy : conversation.copies()) {
      reports.add(rewrite(copy, dry, planner));
    }
    return reports;
  }

  private CopyReport rewrite(ConversationCopy copy, boolean dry, Planner planner) {
    try {
      Plan plan = planner.plan(copy);
      if (dry || !plan.isChanged() && !leavesSpellings(copy, plan)) {
        return report(copy, plan, BlobFolder.Put.NONE);
      }
      Optional<ConversationLock> lock = ConversationLock.tryLock(workspace, copy.id());
      if (lock.isEmpty()) {
        return CopyReport.refused(copy, Outcome.LOCKED, "in use by JP: nothing was changed");
      }
      try (ConversationLock _ = lock.get();
          FlockFile _ = BlobLock.take(copy.root().blobs(), FlockFile.Kind.SHARED, SWEEP_PATIENCE)) {
        if (!FileState.of(copy.events()).filter(plan.file().state()::equals).isPresent()) {
          plan = planner.plan(copy); // written between the look and the lock
        }
        return report(copy, plan, write(copy, plan));
      }
    } catch (EventsFile.NotJson e) {
      return CopyReport.refused(copy, Outcome.NOT_JSON, e.error().toString());
    } catch (StoreException.Full e) {
      throw e; // the next one would fail as well
    } catch (StoreException e) {
      return CopyReport.refused(copy, Outcome.FAILED, String.valueOf(e.getMessage()));
    }
  }

  /// Returns whether the copy has spellings of payloads and no reference that could need one: an
  /// inlining was killed before it removed them.
  private static boolean leavesSpellings(ConversationCopy copy, Plan plan) {
    return plan instanceof Plan.Inline(EventsFile file, PayloadInliner.Result result)
        && result.problems().isEmpty()
        && PayloadSites.in(file.text()).sites().stream().noneMatch(PayloadSite::isReference)
        && RealFiles.isFile(copy.folder().resolve(PayloadSpellings.FILE));
  }

  private BlobFolder.Put write(ConversationCopy copy, Plan plan) {
    if (!plan.isChanged()) {
      if (leavesSpellings(copy, plan)) {
        forget(copy);
      }
      return BlobFolder.Put.NONE;
    }
    return switch (plan) {
      case Plan.Externalize externalize -> {
        BlobFolder.Put put = folder(copy.root()).put(externalize.result.contents());
        remember(copy, externalize.result.spellings());
        replace(plan);
        // A sweep that knows nothing of the lock may have taken a blob in between.
        externalize.result.contents().forEach(folder(copy.root())::demand);
        yield put;
      }
      case Plan.Inline inline -> {
        replace(plan);
        if (inline.result.problems().isEmpty()) {
          forget(copy);
        }
        yield BlobFolder.Put.NONE;
      }
    };
  }

  private BlobFolder folder(WorkspaceRoot root) {
    return folders.computeIfAbsent(
        root.kind(), _ -> new BlobFolder(root.blobs(), clock, sizeBytesMax));
  }

  private static void replace(Plan plan) {
    EventsFile file = plan.file();
    FileReplacement.put(file.path(), file.bytes(), file.state(), plan.after());
  }

  private void remember(ConversationCopy copy, PayloadSpellings spellings) {
    Path file = copy.folder().resolve(PayloadSpellings.FILE);
    if (spellings.isEmpty()) {
      forget(copy);
      return;
    }
    RealFiles.isFile(file); // refuses a link
    WholeFile.at(file).replace(spellings.bytes());
  }

  private static void forget(ConversationCopy copy) {
    RealFiles.delete(copy.folder().resolve(PayloadSpellings.FILE));
  }

  private static CopyReport report(ConversationCopy copy, Plan plan, BlobFolder.Put put) {
    Outcome outcome = plan.isChanged() ? Outcome.CHANGED : Outcome.UNCHANGED;
    long before = plan.file().bytes().length;
    long after = plan.after().length;
    return switch (plan) {
      case Plan.Externalize(EventsFile _, PayloadExternalizer.Result result) -> {
        long bytes = result.payloads().stream().mapToLong(s -> s.content().sizeBytes()).sum();
        int urlSafe = (int) result.payloads().stream().filter(PayloadSite::isUrlSafe).count();
        yield new CopyReport(
            copy,
            outcome,
            new CopyReport.Payloads(result.payloads().size(), bytes, urlSafe),
            put,
            result.references(),
            before,
            after,
            result.problems(),
            null);
      }
      case Plan.Inline(EventsFile _, PayloadInliner.Result result) ->
          new CopyReport(
              copy,
              outcome,
              new CopyReport.Payloads(result.payloads(), 0, 0),
              BlobFolder.Put.NONE,
              result.payloads(),
              before,
              after,
              result.problems(),
              null);
    };
  }
}
