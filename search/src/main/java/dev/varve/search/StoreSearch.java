// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.access.DatabaseAccess;
import dev.varve.access.DatabaseStore;
import dev.varve.files.FolderTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.LockObtainFailedException;
import org.jspecify.annotations.Nullable;

/// The search in a store.
///
/// Whoever opens this first writes the index in the store's folder; others read the index as far as
/// it is written and keep what is newer in memory. The store may be open in this process or be that
/// of a service.
///
/// Safe for use by any number of threads; one of them works at a time. Every method may throw
/// [StoreException.Closed].
public final class StoreSearch implements AutoCloseable {

  private final Store store;
  private final Path storeFolder;
  private final CommitRhythm rhythm;
  private final @Nullable OverlayNews news;
  private IndexFolder folder;
  private final Directory directory;
  private IndexDraft draft;
  private StoreFollower follower;
  private boolean writes;
  private boolean closed;
  private long committedNanos = System.nanoTime();

  /// The time at which the first change came that is not on the disk yet.
  private long newsNanos = committedNanos;

  private StoreSearch(
      Path storeFolder,
      Store store,
      IndexFolder folder,
      CommitRhythm rhythm,
      @Nullable OverlayNews news)
      throws IOException {
    this.rhythm = rhythm;
    this.news = news;
    this.storeFolder = storeFolder;
    this.store = store;
    this.folder = folder;
    this.directory = folder.open();
    this.draft = open();
    this.follower = new StoreFollower(store, draft, news);
  }

  /// Opens the index of a store, or begins one. The store stays the caller's.
  ///
  /// @param storeFolder where the store is
  /// @throws StoreException.Io if the folder cannot be written and has no index
  public static StoreSearch open(Path storeFolder, Store store) {
    return open(storeFolder, store, CommitRhythm.DEFAULT, null);
  }

  /// [#open(Path, Store)] for a process that hears of every overlay.
  public static StoreSearch open(Path storeFolder, Store store, OverlayNews news) {
    return open(storeFolder, store, CommitRhythm.DEFAULT, news);
  }

  static StoreSearch open(
      Path storeFolder, Store store, CommitRhythm rhythm, @Nullable OverlayNews news) {
    IndexFolder folder = IndexFolder.of(storeFolder);
    try {
      return new StoreSearch(storeFolder, store, folder, rhythm, news);
    } catch (IOException e) {
      throw io(folder, e);
    }
  }

  /// Deletes the index of a store, which nobody may have open.
  public static void deleteIndex(Path storeFolder) {
    FolderTree.delete(storeFolder.resolve(IndexFolder.NAME));
  }

  /// Deletes the index of a store in a database, from which something was erased. An index that
  /// another process writes stays; a service begins it again by itself.
  ///
  /// @throws StoreException.Io if the index cannot be deleted
  public static void forget(Path storeFolder, DatabaseStore store) {
    DatabaseAccess.name(storeFolder, store);
    if (!Files.isDirectory(storeFolder.resolve(IndexFolder.NAME))) {
      return;
    }
    IndexFolder folder = IndexFolder.of(storeFolder);
    try (Directory directory = folder.open()) {
      folder.clear(directory);
    } catch (LockObtainFailedException e) {
      // the process that writes the index hears of the erasure within a second
    } catch (IOException e) {
      throw io(folder, e);
    }
  }

  /// Returns whether the index of a store may have words that were erased: an index that was begun
  /// before the last erasure, or files that a kill left.
  ///
  /// @throws StoreException.Io if the index cannot be read
  public static boolean isStale(Path storeFolder) {
    if (!Files.isDirectory(storeFolder.resolve(IndexFolder.NAME))) {
      return false;
    }
    IndexFolder folder = IndexFolder.of(storeFolder);
    try (Directory directory = folder.open()) {
      return folder.isStale(directory);
    } catch (IOException e) {
      throw io(folder, e);
    }
  }

  private static StoreException.Io io(IndexFolder folder, Exception e) {
    return new StoreException.Io(folder.path().toString(), "the index of the search", e);
  }

  private IndexDraft open() throws IOException {
    try {
      IndexMark mark = folder.mark(directory);
      if (mark.isNothing()) {
        folder.clear(directory);
      }
      writes = true;
      return IndexDraft.of(directory, mark, store);
    } catch (LockObtainFailedException e) {
      writes = false;
      DirectoryReader base = folder.read(directory);
      return base == null
          ? IndexDraft.inMemory(IndexMark.nothing(folder.store()), store)
          : IndexDraft.beside(base, folder.mark(base), store);
    }
  }

  /// Brings the index up to the store's present state, as far as the limit allows. What was indexed
  /// is found from now on. It is on the disk soon, and when this is closed, if this is the one that
  /// writes: after a crash the index catches up.
  ///
  /// @return how much of the store the index stands for
  public SearchPage.Coverage follow(FollowLimit limit) {
    IndexDraft followed;
    SearchPage.Coverage coverage;
    synchronized (this) {
      demandOpen();
      try {
        followNow(limit);
        coverage = coverage();
        followed = draft;
      } catch (IOException e) {
        throw io(folder, e);
      }
    }
    merge(followed); // searches go on meanwhile
    return coverage;
  }

  private void followNow(FollowLimit limit) throws IOException {
    long start = System.nanoTime();
    if (!draft.isDirty()) {
      newsNanos = start;
    }
    follower.follow(limit);
    draft.refreshIfMany();
    Duration sinceLast = Duration.ofNanos(start - committedNanos);
    Duration sinceNews = Duration.ofNanos(start - newsNanos);
    if (writes && rhythm.isDue(sinceLast, sinceNews, draft.turnsUncommitted())) {
      commit();
    }
  }

  private void merge(IndexDraft followed) {
    try {
      followed.merge();
    } catch (IOException e) {
      throw io(IndexFolder.of(storeFolder), e);
    }
  }

  private void commit() throws IOException {
    draft.commit();
    committedNanos = System.nanoTime();
  }

  /// The part of the store that the index stands for.
  public synchronized SearchPage.Coverage coverage() {
    return new SearchPage.Coverage(draft.mark().turns(), store.counts().turns());
  }

  /// Searches what is in the index. An index that turns out to be damaged is begun again; what it
  /// had is found again once the index has followed the store.
  ///
  /// @throws StoreException.Invalid if the query names something that cannot be, or the cursor is
  ///   another query's
  public synchronized SearchPage search(SearchRequest request) {
    demandOpen();
    try {
      draft.refresh();
      IndexReader reader = draft.reader();
      return new HitFinder(reader, store, request, draft.textsNext()).find(coverage());
    } catch (StoreException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      begin(e);
      return new SearchPage(List.of(), null, 0, coverage());
    }
  }

  /// The number of parts of the index that the last search saw.
  synchronized int partCount() {
    return draft.reader().leaves().size();
  }

  /// Begins the index again, because content was erased from the store: no word of the former index
  /// is in the files of the new one. The files say so when this returns, whenever the index has
  /// followed the store.
  ///
  /// @throws StoreException.Io if the files of the former index cannot be deleted
  public synchronized void beginAgain() {
    demandOpen();
    begin(new IOException("begun again"));
    if (writes) {
      try {
        draft.commitMark();
        committedNanos = System.nanoTime();
      } catch (IOException e) {
        throw io(folder, e);
      }
    }
  }

  private void begin(Exception cause) {
    try {
      draft.close();
      if (writes) {
        folder.clear(directory);
      }
      if (store instanceof DatabaseStore database) {
        DatabaseAccess.name(storeFolder, database);
      }
      folder = IndexFolder.of(storeFolder); // an erasure changes the store's root
      draft = open();
      follower = new StoreFollower(store, draft, news);
    } catch (IOException e) {
      e.addSuppressed(cause);
      throw io(folder, e);
    }
  }

  private void demandOpen() {
    if (closed) {
      throw new StoreException.Closed("search");
    }
  }

  /// Closes the index; the store stays open. What was followed is on the disk. Idempotent.
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try (directory;
        IndexDraft _ = draft) {
      if (writes) {
        commit();
      }
    } catch (IOException e) {
      throw io(folder, e);
    }
  }
}
