// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.StoreException;
import dev.varve.jp.CopyReport.Outcome;
import dev.varve.jp.blobs.BlobFolder;
import dev.varve.jp.blobs.BlobLock;
import dev.varve.jp.blobs.Drafts;
import dev.varve.jp.files.FileState;
import dev.varve.jp.files.FlockFile;
import dev.varve.jp.files.RealFiles;
import dev.varve.jp.files.Replacement;
import dev.varve.jp.place.Conversation;
import dev.varve.jp.place.ConversationLock;
import dev.varve.jp.place.Copy;
import dev.varve.jp.place.Root;
import dev.varve.jp.place.Workspace;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/// Rewrites conversations on the disk, from one form into the other.
///
/// Each copy stands by itself: its blobs are in its own root. Blobs are durable before
/// `events.json` refers to them, the old file stays until the new one takes its place in one step,
/// its time stays because what it says has not changed. A conversation that somebody has locked, or
/// writes meanwhile, is left alone. May stop anywhere: to go on is to begin again.
public final class Rewriting {

  private static final Duration SWEEP_PATIENCE = Duration.ofSeconds(30);

  private final Workspace workspace;
  private final InstantSource clock;
  private final int sizeBytesMax;
  private final Map<Root.Kind, BlobFolder> folders = new EnumMap<>(Root.Kind.class);
  private final SplittableRandom random = new SplittableRandom();

  /// @param sizeBytesMax the largest payload to take into memory
  public Rewriting(Workspace workspace, InstantSource clock, int sizeBytesMax) {
    this.workspace = workspace;
    this.clock = clock;
    this.sizeBytesMax = sizeBytesMax;
  }

  /// What is to become of a file.
  private sealed interface Plan {

    EventsFile file();

    byte[] after();

    record Externalize(EventsFile file, Externalizer.Result result) implements Plan {
      @Override
      public byte[] after() {
        return result.bytes();
      }
    }

    record Inline(EventsFile file, Inliner.Result result) implements Plan {
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
    Plan plan(Copy copy) throws EventsFile.NotJson;
  }

  /// Turns the payloads of a conversation into references.
  ///
  /// @param dry tells what would be done, and writes nothing
  public List<CopyReport> externalize(Conversation conversation, boolean dry) {
    return rewrite(conversation, dry, this::planExternalize);
  }

  /// Turns the references of a conversation into payloads; byte for byte what they were, where that
  /// is known.
  public List<CopyReport> inline(Conversation conversation, boolean dry) {
    return rewrite(conversation, dry, this::planInline);
  }

  private Plan planExternalize(Copy copy) throws EventsFile.NotJson {
    EventsFile file = EventsFile.read(copy);
    return new Plan.Externalize(file, Externalizer.externalize(file.text(), spellings(copy)));
  }

  private Plan planInline(Copy copy) throws EventsFile.NotJson {
    EventsFile file = EventsFile.read(copy);
    Content.Source source = new Contents(workspace, copy.root(), clock, sizeBytesMax);
    return new Plan.Inline(file, Inliner.inline(file.text(), spellings(copy), source, _ -> true));
  }

  private static Spellings spellings(Copy copy) {
    Path file = copy.folder().resolve(Spellings.FILE);
    return RealFiles.isFile(file)
        ? Spellings.read(RealFiles.read(file, Spellings.SIZE_BYTES_MAX)).orElse(Spellings.NONE)
        : Spellings.NONE;
  }

  private List<CopyReport> rewrite(Conversation conversation, boolean dry, Planner planner) {
    List<CopyReport> reports = new ArrayList<>();
    for (Copy copy : conversation.copies()) {
      reports.add(rewrite(copy, dry, planner));
    }
    return reports;
  }

  private CopyReport rewrite(Copy copy, boolean dry, Planner planner) {
    try {
      Plan plan = planner.plan(copy);
      if (dry || !plan.isChanged()) {
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
      return CopyReport.refused(copy, Outcome.NOT_JSON, e.malformed().toString());
    } catch (StoreException.Full e) {
      throw e; // the next one would fail as well
    } catch (StoreException e) {
      return CopyReport.refused(copy, Outcome.FAILED, String.valueOf(e.getMessage()));
    }
  }

  private BlobFolder.Put write(Copy copy, Plan plan) {
    if (!plan.isChanged()) {
      return BlobFolder.Put.NONE;
    }
    return switch (plan) {
      case Plan.Externalize externalize -> {
        BlobFolder.Put put = folder(copy.root()).put(externalize.result.contents());
        remember(copy, externalize.result.spellings());
        replace(copy, plan);
        // A sweep that knows nothing of the lock may have taken a blob in between.
        externalize.result.contents().forEach(folder(copy.root())::demand);
        yield put;
      }
      case Plan.Inline inline -> {
        replace(copy, plan);
        if (inline.result.problems().isEmpty()) {
          forget(copy);
        }
        yield BlobFolder.Put.NONE;
      }
    };
  }

  private BlobFolder folder(Root root) {
    return folders.computeIfAbsent(
        root.kind(), _ -> new BlobFolder(root.blobs(), clock, sizeBytesMax));
  }

  private void replace(Copy copy, Plan plan) {
    EventsFile file = plan.file();
    Replacement.put(file.path(), file.bytes(), file.state(), plan.after(), draft(copy, "events"));
  }

  private Path draft(Copy copy, String what) {
    String name = "." + what + "-" + copy.id().digits() + "." + Drafts.name(random.nextLong());
    return copy.root().blobs().resolve(name);
  }

  private void remember(Copy copy, Spellings spellings) {
    Path file = copy.folder().resolve(Spellings.FILE);
    if (spellings.isEmpty()) {
      forget(copy);
      return;
    }
    RealFiles.isFile(file); // refuses a link
    Path draft = draft(copy, "spelling");
    RealFiles.writeNew(draft, spellings.bytes());
    try {
      RealFiles.replace(draft, file);
    } finally {
      RealFiles.delete(draft);
    }
    RealFiles.forceFolder(copy.folder());
  }

  private static void forget(Copy copy) {
    RealFiles.delete(copy.folder().resolve(Spellings.FILE));
  }

  private static CopyReport report(Copy copy, Plan plan, BlobFolder.Put put) {
    Outcome outcome = plan.isChanged() ? Outcome.CHANGED : Outcome.UNCHANGED;
    long before = plan.file().bytes().length;
    long after = plan.after().length;
    return switch (plan) {
      case Plan.Externalize(EventsFile _, Externalizer.Result result) -> {
        long bytes = result.payloads().stream().mapToLong(s -> s.content().sizeBytes()).sum();
        int urlSafe = (int) result.payloads().stream().filter(Site::isUrlSafe).count();
        yield new CopyReport(
            copy,
            outcome,
            result.payloads().size(),
            bytes,
            put.added(),
            put.present(),
            put.healed(),
            result.references(),
            urlSafe,
            before,
            after,
            result.problems(),
            null);
      }
      case Plan.Inline(EventsFile _, Inliner.Result result) ->
          new CopyReport(
              copy,
              outcome,
              result.payloads(),
              0,
              0,
              0,
              0,
              result.payloads(),
              0,
              before,
              after,
              result.problems(),
              null);
    };
  }
}
