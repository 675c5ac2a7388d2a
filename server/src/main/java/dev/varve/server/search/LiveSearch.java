// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.search;

import dev.varve.Overlay;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.search.FollowLimit;
import dev.varve.search.OverlayNews;
import dev.varve.search.SearchPage;
import dev.varve.search.SearchRequest;
import dev.varve.search.StoreSearch;
import dev.varve.server.events.EventListener;
import dev.varve.server.events.ServerEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The search in a store that this process has open. The index is opened by the first search, or by
/// [#start], which also makes it follow the store in the background; appends wait for nothing.
///
/// Safe for use by any number of threads.
public final class LiveSearch implements EventListener, AutoCloseable {

  private static final System.Logger LOG = System.getLogger(LiveSearch.class.getPackageName());

  /// The longest that a search waits for the background.
  private static final Duration SLICE = Duration.ofMillis(200);

  /// The pause after each look, in which changes gather.
  private static final long PAUSE_NANOS = Duration.ofMillis(40).toNanos();

  /// The longest time without a look, for changes that no event reports.
  private static final long IDLE_NANOS = Duration.ofSeconds(2).toNanos();

  /// The longest that a search without a background follows the store first.
  private static final Duration FIRST = Duration.ofSeconds(20);

  private final Path storeFolder;
  private final Store store;
  private final OverlayNews overlays = new OverlayNews();
  private final Object opening = new Object();
  private final Object beginning = new Object();
  private @Nullable StoreSearch search;
  private @Nullable Thread thread;
  private volatile boolean changed = true;
  private volatile boolean closed;

  /// The sign that the index may have words that were erased.
  private volatile boolean stale;

  /// @param storeFolder the store's folder
  public LiveSearch(Path storeFolder, Store store) {
    this.storeFolder = storeFolder;
    this.store = store;
  }

  /// Makes the index follow the store from now on.
  public void start() {
    synchronized (opening) {
      thread = Thread.ofPlatform().daemon().name("varve-search").start(this::followOn);
    }
  }

  @Override
  public void on(ServerEvent event) {
    if (event instanceof ServerEvent.BlobsErased) {
      beginAgain();
    }
    if (event instanceof ServerEvent.TurnOverlaid(TurnId turn, long seq, Overlay.Kind kind)) {
      overlays.add(seq, turn, kind);
    }
    if (!changed) {
      changed = true;
      LockSupport.unpark(thread);
    }
  }

  /// Begins the index again, because the index may have erased words. What fails here, such as a
  /// full disk, is tried again in the background: the erasure itself is done.
  private void beginAgain() {
    synchronized (beginning) { // an erasure that is done must not hide that another is not
      stale = true;
      StoreSearch index = null;
      try {
        index = open();
        index.beginAgain();
        stale = false;
      } catch (RuntimeException e) {
        dropIndex(index, e);
      }
    }
  }

  private void followOn() {
    while (!closed) {
      StoreSearch index = null;
      try {
        if (stale) {
          beginAgain();
        }
        changed = false;
        index = open();
        boolean whole =
            index.follow(FollowLimit.within(SLICE, FollowLimit.Progress.NONE)).isWhole();
        LockSupport.parkNanos(PAUSE_NANOS);
        if (whole && !changed && !closed) {
          LockSupport.parkNanos(IDLE_NANOS);
        }
      } catch (RuntimeException e) {
        dropIndex(index, e);
        LockSupport.parkNanos(IDLE_NANOS);
      }
    }
  }

  /// Closes an index that failed, so that the next use opens the index again.
  ///
  /// @param failed null if the index could not be opened
  private void dropIndex(@Nullable StoreSearch failed, RuntimeException why) {
    synchronized (opening) {
      if (closed) {
        return;
      }
      if (search == failed) {
        search = null;
      }
    }
    LOG.log(
        System.Logger.Level.WARNING,
        () -> "the search could not follow the store, and tries again: " + reason(why));
    if (failed != null) {
      try {
        failed.close();
      } catch (RuntimeException e) {
        LOG.log(System.Logger.Level.DEBUG, () -> "the index of the search is closed: " + e);
      }
    }
  }

  private static String reason(RuntimeException e) {
    return e.getCause() == null ? e.toString() : e + " (" + e.getCause() + ")";
  }

  private StoreSearch open() {
    synchronized (opening) {
      if (closed) {
        throw new StoreException.Closed("search");
      }
      StoreSearch open = search;
      if (open == null) {
        open =
            thread == null
                ? StoreSearch.open(storeFolder, store)
                : StoreSearch.open(storeFolder, store, overlays);
        search = open;
      }
      return open;
    }
  }

  /// Searches the index. Without a background, the index follows the store first.
  ///
  /// @throws StoreException.Invalid if the query or the cursor cannot be read
  public SearchPage search(SearchRequest request) {
    try {
      return search(open(), request);
    } catch (StoreException.Closed e) {
      return search(open(), request); // a failure in the background closed the index
    }
  }

  private SearchPage search(StoreSearch index, SearchRequest request) {
    if (thread == null) {
      index.follow(FollowLimit.within(FIRST, FollowLimit.Progress.NONE));
    }
    return index.search(request);
  }

  /// Ends the background and closes the index. Idempotent.
  @Override
  public void close() {
    closed = true;
    Thread running;
    StoreSearch open;
    synchronized (opening) {
      running = thread;
      open = search;
      search = null;
    }
    boolean interrupted = false;
    while (running != null && running.isAlive()) {
      LockSupport.unpark(running);
      try {
        running.join(Duration.ofMillis(50));
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (open != null) {
      open.close();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
