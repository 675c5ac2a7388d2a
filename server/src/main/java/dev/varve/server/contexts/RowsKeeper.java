// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.BlobHash;
import dev.varve.Overlay;
import dev.varve.StorageFacts;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.disk.FileAccess;
import dev.varve.disk.QuietThread;
import dev.varve.files.FileDraft;
import dev.varve.files.RegularFile;
import dev.varve.files.WholeFile;
import dev.varve.hash.Blake3;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Keeps rows in a file of the store's folder, so that the first query after a start need not read
/// all contexts. One thread in the background reads the file at the start, and writes the file
/// again after many rows were read.
///
/// The file is derived and never trusted: a file that is damaged, of another store, from before an
/// erasure or from another history of the store is deleted. Each row is used only if the context
/// still points where it pointed when the row was read, and no turn was patched since.
final class RowsKeeper implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(RowsKeeper.class.getPackageName());

  /// The size of a store's root, and more.
  private static final int ROOT_BYTES_MAX = 4096;

  private final Place place;
  private final Rhythm rhythm;
  private final Store store;
  private final StorageFacts facts;
  private final ContextRows rows;
  private final CountDownLatch looked = new CountDownLatch(1);
  private final Thread thread =
      Thread.ofPlatform().daemon().name("varve-context-rows").unstarted(this::run);

  /// Held while a file takes its place, and while the file is deleted after an erasure.
  private final Object placing = new Object();

  private volatile BlobHash root;
  private volatile boolean closed;
  private boolean due; // guarded by this
  private long writtenNanos; // guarded by this

  /// Where the file is.
  ///
  /// @param file the file of rows
  /// @param root the root of the store, which changes with each erasure
  record Place(Path file, Path root) {}

  /// When the file is written.
  ///
  /// @param least the least number of rows that are worth a file
  /// @param pause the least time between two files, but for the one that is written at the end
  record Rhythm(long least, Duration pause) {
    static final Rhythm DEFAULT = new Rhythm(2_000, Duration.ofMinutes(1));
  }

  /// One in so many rows must have been read for another file, while the store is in use and at the
  /// end.
  private static final int PART_IN_USE = 8;

  private static final int PART_AT_END = 64;

  /// Begins to keep the rows, which nobody uses yet; they come with [#start].
  ///
  /// @throws StoreException.Io if the store's root cannot be read
  <S extends Store & StorageFacts> RowsKeeper(
      Place place, Rhythm rhythm, S store, ContextRows rows) {
    this.place = place;
    this.rhythm = rhythm;
    this.store = store;
    this.facts = store;
    this.rows = rows;
    this.root = root(place);
    rows.await();
  }

  private static BlobHash root(Place place) {
    try (InputStream in = RegularFile.read(place.root())) {
      return Blake3.hash(in.readNBytes(ROOT_BYTES_MAX));
    } catch (IOException e) {
      throw new StoreException.Io(place.root().toString(), "cannot be read", e);
    }
  }

  /// Begins to read the file in the background.
  void start() {
    thread.start();
  }

  /// Waits until the rows of the file are there, or there are none, as long as the time allows.
  void await(Duration time) {
    boolean interrupted = false;
    long endNanos = System.nanoTime() + time.toNanos();
    while (!closed && looked.getCount() > 0 && System.nanoTime() < endNanos) {
      try {
        boolean _ = looked.await(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
        break;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    long before = rows.forgotten();
    RowColumns found = null;
    try {
      found = find();
    } finally {
      boolean taken = rows.take(found, before);
      LOG.log(System.Logger.Level.DEBUG, () -> "rows of contexts taken from a file: " + taken);
      looked.countDown();
    }
    while (isDue()) {
      write();
    }
  }

  // ---- reading

  /// The rows of the file that are right; null for none.
  private @Nullable RowColumns find() {
    if (!Files.exists(place.file(), LinkOption.NOFOLLOW_LINKS)) {
      return null;
    }
    try (RowsReader reader = new RowsReader(place.file(), rows.budgetBytes())) {
      RowsReader.SavedRows saved = reader.read(root);
      BlobHash history = facts.historyName(saved.turns(), saved.origin().overlays()).orElse(null);
      if (!saved.history().equals(history)) {
        throw new IOException("of another history of the store");
      }
      return right(saved);
    } catch (IOException | StoreException e) {
      LOG.log(System.Logger.Level.DEBUG, () -> place.file() + " is made again: " + e.getMessage());
      if (!closed) {
        delete();
      }
      return null;
    }
  }

  /// Drops the rows that may not be right any more.
  private @Nullable RowColumns right(RowsReader.SavedRows saved) {
    RowColumns found = saved.columns();
    BitSet same = new BitSet();
    new ContextWalk(store)
        .byNumber(
            null,
            head -> {
              if (RowColumns.hasRow(head.id().value()) && found.isOf(head)) {
                same.set((int) head.id().value());
              }
              return !closed;
            });
    if (closed) {
      return null;
    }
    long known = saved.origin().overlays();
    boolean patched = store.counts().overlays() > known;
    for (int row = 1; row <= found.greatest(); row++) {
      if (!same.get(row) || patched && isPatched(found, row, known)) {
        found.setFlags(row, 0);
      }
    }
    return found;
  }

  /// Returns whether a turn from which a row was read may have an overlay behind a sequence.
  private boolean isPatched(RowColumns found, int row, long known) {
    int flags = found.flags(row);
    if ((flags & RowColumns.PRESENT) == 0 || found.source(row).isNone()) {
      return (flags & RowColumns.INHERITED) != 0;
    }
    List<Overlay> overlays = store.overlays(found.source(row));
    return (flags & RowColumns.INHERITED) != 0
        || !overlays.isEmpty() && overlays.getFirst().seq() > known;
  }

  // ---- writing

  /// Hears that rows were read: writes the file soon if it is worth while.
  void look() {
    if (rows.isWorthAFile(rhythm.least(), PART_IN_USE)) {
      synchronized (this) {
        due = true;
        notifyAll();
      }
    }
  }

  /// Waits until a file is to be written.
  ///
  /// @return false if there is none to be written any more
  private synchronized boolean isDue() {
    boolean interrupted = false;
    while (!closed && !(due && isPauseOver())) {
      try {
        wait(due ? Math.max(1, rhythm.pause().toMillis()) : 0); // nobody tells when a pause is over
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    due = false;
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return !closed;
  }

  private boolean isPauseOver() {
    return writtenNanos == 0 || System.nanoTime() - writtenNanos >= rhythm.pause().toNanos();
  }

  private void write() {
    long before = rows.forgotten();
    RowsFile.Origin origin = new RowsFile.Origin(root, rows.overlaysHeard());
    rows.written();
    try (FileDraft draft = file().draft()) {
      new RowsWriter(rows, draft).write(origin, store, facts);
      synchronized (placing) {
        if (rows.forgotten() == before) {
          draft.replaceSoon();
        }
      }
    } catch (StoreException e) {
      LOG.log(System.Logger.Level.DEBUG, () -> place.file() + " was not written: " + e);
    }
    synchronized (this) {
      writtenNanos = System.nanoTime();
    }
  }

  private WholeFile file() {
    return WholeFile.at(place.file()).with(FileAccess.OWNER_ONLY);
  }

  /// Hears that content was erased, after all rows were dropped. No erased word is in the file when
  /// this returns, or is written to it later.
  void erased() {
    synchronized (placing) {
      delete();
      root = root(place);
    }
  }

  private void delete() {
    try {
      file().delete();
    } catch (StoreException e) {
      LOG.log(System.Logger.Level.DEBUG, () -> place.file() + " cannot be deleted: " + e);
    }
  }

  /// Ends the thread, and writes the file once more if much was read since. Idempotent.
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      notifyAll();
    }
    QuietThread.join(thread);
    if (rows.isWorthAFile(rhythm.least(), PART_AT_END)) {
      write();
    }
  }
}
