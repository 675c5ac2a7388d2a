// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.BulkStore;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Durability;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.history.ArchivedSession;
import dev.varve.history.claude.ClaudeProfile;
import dev.varve.imports.ImportReport;
import dev.varve.imports.ImportReport.Outcome;
import dev.varve.local.LocalStore;
import dev.varve.sim.ForwardingStore;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.WatchService;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A watch over a home with real files, and a real store.
final class HistoryWatchTest {

  private static final String ID = "00000000-0000-4000-8000-00000000000";

  /// As an import opens the store.
  private static final StoreOptions OPTIONS =
      StoreOptions.DEFAULTS.withDurability(Durability.LET_THE_SYSTEM);

  private static final Duration NEVER = Duration.ofDays(1);
  private static final int PATIENCE_SECONDS = 20;

  /// Only notifications find changes.
  private static final WatchPace NOTICED =
      new WatchPace(
          Duration.ofMillis(20),
          Duration.ofMillis(1100),
          NEVER,
          Duration.ofMillis(50),
          Duration.ofMillis(300),
          NEVER);

  /// Only slow looks find changes.
  private static final WatchPace SLOW =
      new WatchPace(
          Duration.ofMillis(20),
          Duration.ofMillis(1100),
          Duration.ofMillis(50),
          Duration.ofMillis(50),
          NEVER,
          NEVER);

  @TempDir Path folder;

  private final LinkedBlockingQueue<ImportReport> archived = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<String> remarks = new LinkedBlockingQueue<>();
  private final AtomicInteger refusals = new AtomicInteger();
  private final AtomicInteger mistakes = new AtomicInteger();
  private HistoryWatch watch;
  private Thread thread;

  private final class Listener implements WatchListener {
    @Override
    public void archived(String agent, ImportReport report) {
      archived.add(report);
    }

    @Override
    public void failed(String agent, ImportReport report) {
      remarks.add(report.problems().first().getFirst().what());
    }

    @Override
    public void trouble(String what) {
      remarks.add(what);
    }

    @Override
    public void idle() {
      remarks.add("idle");
    }
  }

  private void start(WatchPace pace) throws IOException {
    ClaudeProfile profile = new ClaudeProfile();
    watch =
        new HistoryWatch(
            () -> List.of(new WatchedHome(profile, home())),
            this::open,
            InstantSource.system(),
            pace,
            new Listener());
    boolean noticed = pace.slowLook().equals(NEVER);
    WatchService service = noticed ? FileSystems.getDefault().newWatchService() : null;
    thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    watch.run(service);
                  } catch (IOException | InterruptedException e) {
                    throw new AssertionError(e);
                  }
                });
  }

  private Store open() {
    if (refusals.get() > 0) {
      refusals.decrementAndGet();
      throw new StoreException.Busy(folder.toString(), "a test");
    }
    BulkStore store = LocalStore.open(folder.resolve("store"), OPTIONS);
    return mistakes.get() == 0 ? store : mistaken(store);
  }

  private Store mistaken(BulkStore store) {
    return new ForwardingStore(store) {
      @Override
      public ContextHead createContext(TurnId base, @Nullable BlobHash about) {
        if (mistakes.getAndDecrement() > 0) {
          throw new ArrayStoreException();
        }
        return super.createContext(base, about);
      }
    };
  }

  @AfterEach
  void stop() throws InterruptedException {
    if (thread != null) {
      watch.stop();
      thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
      assertThat(thread.isAlive()).isFalse();
    }
  }

  private Path home() {
    return folder.resolve("home/.claude");
  }

  private Path transcript(int number) {
    return home().resolve("projects/-src-shop/" + ID + number + ".jsonl");
  }

  private static String line(int session, String uuid, String parent, String text) {
    return """
    {"parentUuid":%s,"sessionId":"%s%d","type":"user","message":{"role":"user","content":"%s"},\
    "uuid":"%s","timestamp":"2026-01-05T10:00:00.000Z","cwd":"/src/shop"}
    """
        .formatted(parent.isEmpty() ? "null" : "\"" + parent + "\"", ID, session, text, uuid);
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static void append(Path file, String text) throws IOException {
    Files.writeString(file, text, StandardOpenOption.APPEND);
  }

  /// The next report for which something holds; others before it are skipped.
  private ImportReport await(Predicate<ImportReport> wanted) throws InterruptedException {
    while (true) {
      ImportReport report = archived.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertThat(report).as("nothing more was archived; remarks: %s", remarks).isNotNull();
      if (wanted.test(report)) {
        return report;
      }
    }
  }

  private static Predicate<ImportReport> of(int session, long turns) {
    return report -> report.session().equals(ID + session) && report.records().turns() == turns;
  }

  private String awaitRemark(String part) throws InterruptedException {
    while (true) {
      String remark = remarks.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertThat(remark).as("expected '%s'", part).isNotNull();
      if (remark.contains(part)) {
        return remark;
      }
    }
  }

  private List<String> texts(ContextId context) {
    try (Store store = LocalStore.open(folder.resolve("store"), OPTIONS)) {
      return store.last(context, 1000, View.LATEST).turns().stream()
          .map(Turn::payload)
          .map(payload -> payload.text().replaceFirst("(?s).*\"content\":\"([^\"]*)\".*", "$1"))
          .toList();
    }
  }

  @Test
  void aLineThatIsAppendedBecomesATurnWithinASecond() throws Exception {
    write(transcript(1), line(1, "a", "", "one"));
    start(WatchPace.DEFAULTS.withSlowLook(NEVER));
    await(of(1, 1));

    long began = System.nanoTime();
    append(transcript(1), line(1, "b", "a", "two"));
    ImportReport report = await(of(1, 2));
    long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);

    assertThat(report.outcome()).isEqualTo(Outcome.GROWN);
    assertThat(tookMs).isLessThan(1000);
    stop();
    assertThat(texts(report.contexts().all().getFirst())).containsExactly("one", "two");
  }

  @Test
  void aBurstIsArchivedWhole() throws Exception {
    write(transcript(1), line(1, "0", "", "0"));
    start(NOTICED);
    await(of(1, 1));

    for (int i = 1; i <= 500; i++) {
      append(transcript(1), line(1, "" + i, "" + (i - 1), "" + i));
    }

    ImportReport report = await(of(1, 501));
    stop();
    assertThat(texts(report.contexts().all().getFirst())).hasSize(501).last().isEqualTo("500");
    assertThat(archived.size()).as("a burst is no import for each line").isLessThan(250);
  }

  @Test
  void foldersAndHomesThatAppearAreWatched() throws Exception {
    Files.createDirectories(folder.resolve("home"));
    start(NOTICED);
    awaitRemark("idle");

    write(transcript(1), line(1, "a", "", "one"));
    await(of(1, 1));
    Path other = home().resolve("projects/-src-other/" + ID + "2.jsonl");
    write(other, line(2, "x", "", "one"));
    await(of(2, 1));
    append(other, line(2, "y", "x", "two"));
    await(of(2, 2));
  }

  @Test
  void aHomeThatGoesAndComesAgainIsWatched() throws Exception {
    write(transcript(1), line(1, "a", "", "one"));
    start(NOTICED);
    await(of(1, 1));

    Files.move(home(), folder.resolve("away"));
    try (Stream<Path> files = Files.walk(folder.resolve("away"))) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
    awaitRemark("idle");
    write(transcript(2), line(2, "x", "", "one"));
    await(of(2, 1));
  }

  @Test
  void aTornLastLineIsATurnOnceItIsComplete() throws Exception {
    write(transcript(1), line(1, "a", "", "one"));
    start(NOTICED);
    await(of(1, 1));

    String second = line(1, "b", "a", "two");
    append(transcript(1), second.substring(0, 60));
    await(report -> report.records().unreadable() == 1);
    append(transcript(1), second.substring(60));

    assertThat(await(of(1, 2)).records().unreadable()).isZero();
  }

  @Test
  void aRewrittenFileIsANewVersionAndTheOneBeforeIsKept() throws Exception {
    String first = line(1, "a", "", "one");
    write(transcript(1), first + line(1, "b", "a", "two"));
    start(NOTICED);
    ContextId before = await(of(1, 2)).contexts().all().getFirst();

    write(transcript(1), first + line(1, "c", "a", "another"));
    ImportReport report = await(each -> each.outcome() == Outcome.REWRITTEN);

    stop();
    assertThat(texts(before)).containsExactly("one", "two");
    assertThat(report.contexts().all()).anySatisfy(c -> assertThat(texts(c)).contains("another"));
  }

  @Test
  void aDeletedFileStaysInTheStoreAndARenamedOneIsFound() throws Exception {
    write(transcript(1), line(1, "a", "", "one"));
    write(transcript(2), line(2, "x", "", "first"));
    start(NOTICED);
    await(of(1, 1));
    await(of(2, 1));

    Files.delete(transcript(1));
    Path moved = home().resolve("projects/-src-moved/" + ID + "2.jsonl");
    Files.createDirectories(moved.getParent());
    Files.move(transcript(2), moved);
    append(moved, line(2, "y", "x", "second"));
    ImportReport report = await(of(2, 2));

    stop();
    assertThat(texts(report.contexts().all().getFirst())).containsExactly("first", "second");
    try (Store store = LocalStore.open(folder.resolve("store"), OPTIONS)) {
      assertThat(ArchivedSession.find(store, "claude-code", ID + "1")).isPresent();
    }
  }

  @Test
  void aRenamedFolderOfAProjectIsStillWatched() throws Exception {
    write(transcript(1), line(1, "a", "", "one"));
    start(NOTICED);
    await(of(1, 1));

    Path moved = home().resolve("projects/-src-moved");
    Files.move(transcript(1).getParent(), moved);
    Path inside = moved.resolve(ID + "1/subagents/agent-7.jsonl");
    write(inside, line(1, "s", "", "side").replace("\"type\"", "\"isSidechain\":true,\"type\""));

    await(of(1, 2));
  }

  @Test
  void slowLooksFindWhatNobodyNotices() throws Exception {
    write(transcript(1), line(1, "a", "", "one"));
    start(SLOW);
    await(of(1, 1));

    append(transcript(1), line(1, "b", "a", "two"));
    await(of(1, 2));
    write(transcript(2), line(2, "x", "", "one"));
    await(of(2, 1));
  }

  @Test
  void aFileThatFailsIsReportedOnceAndTriedAgainWhileOthersAreArchived() throws Exception {
    write(transcript(1), "{\"what\":\"is this\"}\n");
    write(transcript(2), line(2, "x", "", "one"));
    start(NOTICED);

    await(of(2, 1));
    awaitRemark("no record of a known agent");
    append(transcript(2), line(2, "y", "x", "two"));
    await(of(2, 2));
    write(transcript(1), line(1, "a", "", "one"));
    await(of(1, 1));
    assertThat(remarks).noneMatch(remark -> remark.contains("no record"));
  }

  @Test
  void aStoreThatIsOpenElsewhereIsWaitedFor() throws Exception {
    write(transcript(1), line(1, "a", "", "one"));
    refusals.set(4);
    start(NOTICED);

    awaitRemark("a test");
    await(of(1, 1));
    assertThat(remarks).noneMatch(remark -> remark.contains("a test"));
  }

  @Test
  void aMistakeOfVarveIsNamedInASentenceAndEndsNothing() throws Exception {
    write(transcript(1), line(1, "a", "", "one"));
    mistakes.set(2);
    start(NOTICED);

    awaitRemark("a mistake in Varve: ArrayStoreException");
    await(of(1, 1));
    assertThat(remarks).noneMatch(remark -> remark.contains("java.lang"));
  }

  @Test
  void aWatchThatBeginsAgainArchivesOnlyWhatCameBetween() throws Exception {
    write(transcript(1), line(1, "a", "", "one"));
    write(transcript(2), line(2, "x", "", "one"));
    start(NOTICED);
    await(of(1, 1));
    await(of(2, 1));
    awaitRemark("idle");
    stop();

    append(transcript(2), line(2, "y", "x", "two"));
    archived.clear();
    start(NOTICED);
    assertThat(await(_ -> true)).matches(of(2, 2));
    awaitRemark("idle");
    assertThat(archived).isEmpty();
  }

  @Test
  void anIdleWatchTakesNextToNothing() throws Exception {
    write(transcript(1), line(1, "a", "", "one"));
    start(NOTICED.withSlowLook(Duration.ofMillis(100)));
    awaitRemark("idle");

    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long cpuNanos = threads.getThreadCpuTime(thread.threadId());
    long began = System.nanoTime();
    thread.join(Duration.ofSeconds(2));
    long tookNanos = System.nanoTime() - began;

    assertThat(threads.getThreadCpuTime(thread.threadId()) - cpuNanos)
        .as("also with a slow look ten times a second")
        .isLessThan(tookNanos / 10);
    assertThat(archived).hasSize(1);
  }

  @Test
  void theSlowLooksOfALargeHistoryAreRare() {
    long second = 1_000_000_000L;
    assertThat(WatchPace.DEFAULTS.slowLookNanos(second / 1000)).isEqualTo(15 * second);
    assertThat(WatchPace.DEFAULTS.slowLookNanos(second)).isGreaterThanOrEqualTo(100 * second);
    assertThat(WatchPace.DEFAULTS.retryNanos(1)).isEqualTo(2 * second);
    assertThat(WatchPace.DEFAULTS.retryNanos(2)).isEqualTo(4 * second);
    assertThat(WatchPace.DEFAULTS.retryNanos(1000)).isEqualTo(120 * second);
  }
}
