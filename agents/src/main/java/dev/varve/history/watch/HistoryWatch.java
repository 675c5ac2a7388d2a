// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.watch;

import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.access.StoreVisits;
import dev.varve.history.HistoryImport;
import dev.varve.history.SessionFiles;
import dev.varve.history.SessionListing;
import dev.varve.imports.FileImports;
import dev.varve.imports.ImportListener;
import dev.varve.imports.ImportReport;
import dev.varve.imports.UnreadablePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.WatchService;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Archives the sessions of agents while the agents write them, until it is asked to stop.
///
/// The store is open only while something is archived, and is let go of for others every second.
/// Whatever fails is reported once and tried again: a file, a folder, a store that another program
/// has open.
public final class HistoryWatch {

  private static final System.Logger LOG = System.getLogger(HistoryWatch.class.getPackageName());

  /// A session that changed.
  private record Change(
      SessionMemory.Place place, SessionFiles session, SessionFiles.Stamps stamps) {}

  private final Supplier<List<WatchedHome>> homes;
  private final Supplier<? extends Store> opening;
  private final InstantSource clock;
  private final WatchPace pace;
  private final WatchListener listener;
  private final PendingLooks looks = new PendingLooks();
  private final SessionMemory memory;
  private final WatchTroubles troubles;
  private int storeFailures;

  /// @param homes the homes as they are now; asked again at each slow look
  /// @param opening opens the store
  public HistoryWatch(
      Supplier<List<WatchedHome>> homes,
      Supplier<? extends Store> opening,
      InstantSource clock,
      WatchPace pace,
      WatchListener listener) {
    this.homes = homes;
    this.opening = opening;
    this.clock = clock;
    this.pace = pace;
    this.listener = listener;
    this.memory = new SessionMemory(pace);
    this.troubles = new WatchTroubles(listener);
  }

  /// Makes [#run] return when the import that is under way is complete. Any thread may call it.
  public void stop() {
    looks.stop();
  }

  /// Watches until [#stop].
  ///
  /// @param service sends the notifications, and is closed here; null if there are none, so that
  ///   only the slow looks find changes
  /// @throws StoreException if the store is none that can be written to
  public void run(@Nullable WatchService service) throws IOException, InterruptedException {
    try (FolderNotices notices = service == null ? null : new FolderNotices(service, looks)) {
      run(notices);
    }
  }

  private void run(@Nullable FolderNotices notices) throws InterruptedException {
    long slowAt = System.nanoTime();
    boolean idle = false;
    listener.begins();
    while (!looks.isStopped()) {
      long began = System.nanoTime();
      boolean slow = began - slowAt >= 0;
      Set<WatchedHome> due = looks.take();
      due.addAll(memory.homesDue(began));
      if (slow) {
        List<WatchedHome> all = homes.get();
        watch(notices, all);
        due.addAll(all);
      }
      List<Change> changes = changes(due);
      long listingNanos = System.nanoTime() - began;
      long importNanos = archive(changes);
      if (slow) {
        slowAt = System.nanoTime() + pace.slowLookNanos(listingNanos);
      }
      idle = rest(slowAt, pace.restNanos(listingNanos, importNanos), idle && changes.isEmpty());
    }
  }

  private void watch(@Nullable FolderNotices notices, List<WatchedHome> all) {
    if (notices != null) {
      all.forEach(notices::watch);
      troubles.at("", notices.problem().isEmpty() ? "" : withoutNotices(notices.problem()), 1);
    }
  }

  private String withoutNotices(String why) {
    return why + ": without notifications, looked at every " + pace.slowLook().toSeconds() + " s";
  }

  /// Waits for something to do, and for a moment more.
  ///
  /// @param restNanos the least time to wait
  /// @param idle whether [WatchListener#idle] was called since the last change
  /// @return whether it was, now
  private boolean rest(long slowAt, long restNanos, boolean idle) throws InterruptedException {
    long began = System.nanoTime();
    long wait = Math.min(slowAt - began, memory.untilDue(began));
    long idleNanos = pace.idle().toNanos();
    boolean calls = !idle && wait > idleNanos;
    boolean noticed = looks.await(calls ? idleNanos : wait);
    boolean called = calls && !noticed && !looks.isStopped();
    if (called) {
      listener.idle();
      noticed = looks.await(wait - (System.nanoTime() - began));
    }
    long rest = restNanos - (System.nanoTime() - began);
    looks.pause(noticed ? Math.max(rest, pace.gather().toNanos()) : rest);
    return idle || called;
  }

  // ---- what changed

  private List<Change> changes(Collection<WatchedHome> due) {
    List<Change> changes = new ArrayList<>();
    for (WatchedHome home : due) {
      String folder = home.home().toString();
      try {
        Set<String> keys = new HashSet<>();
        SessionListing found = SessionListing.ofHome(home.profile(), home.home());
        for (SessionFiles session : found.sessions()) {
          keys.add(session.key());
          add(home, session, changes);
        }
        memory.keepOnly(home, keys);
        troubles.at(folder, sentence(found.unreadable()), 2);
      } catch (StoreException.Io | StoreException.Invalid e) {
        troubles.at(folder, String.valueOf(e.getMessage()), 2);
      }
    }
    changes.sort(Comparator.comparingInt(change -> memory.failures(change.place())));
    return changes;
  }

  /// Empty if all can be read.
  private static String sentence(List<UnreadablePath> unreadable) {
    if (unreadable.isEmpty()) {
      return "";
    }
    UnreadablePath first = unreadable.getFirst();
    int more = unreadable.size() - 1;
    return first.file() + ": " + first.why() + (more == 0 ? "" : "; and " + more + " more");
  }

  private void add(WatchedHome home, SessionFiles session, List<Change> changes) {
    SessionFiles.Stamps stamps;
    try {
      stamps = session.stamps();
    } catch (NoSuchFileException e) {
      return; // deleted this moment; what is archived stays
    } catch (IOException e) {
      stamps = new SessionFiles.Stamps(Map.of(), ""); // the import says why
    }
    SessionMemory.Place place = new SessionMemory.Place(home, session.key());
    if (memory.isDue(place, stamps.text(), System.nanoTime())) {
      changes.add(new Change(place, session, stamps));
    }
  }

  // ---- archive

  /// @return the time that the largest session took
  private long archive(List<Change> changes) {
    if (changes.isEmpty()) {
      return 0;
    }
    long longestNanos = 0;
    Deque<Change> left = new ArrayDeque<>(changes);
    try (StoreVisits visits = new StoreVisits(opening)) {
      while (!left.isEmpty() && !looks.isStopped()) {
        long began = System.nanoTime();
        archive(left.getFirst(), visits);
        left.removeFirst();
        longestNanos = Math.max(longestNanos, System.nanoTime() - began);
      }
    } catch (StoreException.Busy | StoreException.Io | StoreException.Full e) {
      storeFailures++;
      putOff(changes, left.peekFirst());
      troubles.at("store", String.valueOf(e.getMessage()), 2);
      return longestNanos;
    }
    storeFailures = 0;
    troubles.at("store", "", 2);
    return longestNanos;
  }

  /// Puts off all imports: those before may not be durable.
  ///
  /// @param culprit the import at which the store failed; comes last the next time
  private void putOff(List<Change> changes, @Nullable Change culprit) {
    long until = System.nanoTime() + pace.retryNanos(storeFailures);
    for (Change change : changes) {
      memory.putOff(change.place(), change.stamps().text(), until, change.equals(culprit));
    }
  }

  private void archive(Change change, StoreVisits visits) {
    String agent = change.place().home().profile().agent();
    ImportReport report = visits.ask(store -> imported(change, store));
    String stamps = change.stamps().text();
    long now = System.nanoTime();
    switch (report.outcome()) {
      case FAILED -> {
        String why = report.problems().first().getFirst().what();
        if (memory.failed(change.place(), stamps, why, now)) {
          listener.failed(agent, report);
        }
        return;
      }
      case NEW, GROWN, REWRITTEN, OLDER -> listener.archived(agent, report);
      case UNCHANGED -> {}
    }
    boolean grown = report.outcome() == ImportReport.Outcome.GROWN;
    boolean settled = change.stamps().isSettled(clock.instant());
    memory.archived(change.place(), stamps, settled, grown, now);
  }

  private ImportReport imported(Change change, Store store) {
    Path file = change.session().main().path();
    HistoryImport imports = new HistoryImport(store, change.place().home().profile(), clock);
    FileImports files =
        new FileImports(
            (_, progress) -> imports.session(change.session(), progress), ImportListener.NONE);
    try {
      return files.tolerant(file);
    } catch (StoreException e) {
      throw e;
    } catch (RuntimeException e) {
      return ImportReport.failed(file, sentence(e)); // one file must not end the watch
    }
  }

  private static String sentence(RuntimeException e) {
    if (e instanceof UncheckedIOException unread) {
      return UnreadablePath.reason(Objects.requireNonNull(unread.getCause()));
    }
    LOG.log(System.Logger.Level.DEBUG, "a mistake in Varve", e);
    String what = e.getMessage() == null ? "" : ": " + e.getMessage();
    return "a mistake in Varve: " + e.getClass().getSimpleName() + what;
  }
}
