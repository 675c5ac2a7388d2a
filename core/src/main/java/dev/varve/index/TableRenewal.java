// SPDX-License-Identifier: Apache-2.0
package dev.varve.index;

import static java.lang.System.Logger.Level.WARNING;

import dev.varve.StoreException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/// Makes a table's successor: larger, or whole again.
///
/// It goes through three states, changed under the table's lock:
///
/// 1. *Making.* An empty file is written. The writer need not care: what it puts is copied later.
/// 2. *Filling.* The old pages are copied, as a reader sees them, without the lock. What the writer
///    puts meanwhile it puts into the old table and into a [EntryBacklog], which the filling thread
///    empties now and then. If an old page is damaged, or there is no old table, the source's whole
///    list is put as well; sound pages are copied even then, for they may have entries that the
///    list does not give yet.
/// 3. *Settling.* The successor has everything. While it is forced and gets its name, the writer
///    puts into both.
///
/// Whether an entry is copied before, while or after the writer supersedes it, the successor ends
/// up with the newer one, because the backlog comes in the writer's order and what is copied later
/// is what the writer left.
final class TableRenewal {

  private static final System.Logger LOG = System.getLogger("dev.varve.index");

  /// After how many puts or pages the filling thread looks after the backlog.
  private static final int PORTION = 16;

  private static final int PORTION_ENTRIES = PORTION * TablePages.SLOTS;

  private final ReentrantLock writing;
  private final EntrySource source;
  private final @Nullable TableFile old;
  private final LongFunction<TableFile> maker;
  private final BooleanSupplier stopped;
  private final Runnable drained;

  /// Touched by the filling thread alone until it is `settled`, then under `writing`.
  private @Nullable TableFile next;

  /// An empty one, of the filling thread alone.
  private EntryBacklog spare = new EntryBacklog();

  // Guarded by `writing`.
  private boolean filling;
  private EntryBacklog arriving = new EntryBacklog();
  private @Nullable TableFile settled;
  private @Nullable StoreException failure;

  /// @param old the table as it is; none if there is none that can be used
  /// @param maker makes an empty table of so many pages
  /// @param stopped whether to give up
  /// @param drained is called under the lock when the backlog has room again
  TableRenewal(
      ReentrantLock writing,
      EntrySource source,
      @Nullable TableFile old,
      LongFunction<TableFile> maker,
      BooleanSupplier stopped,
      Runnable drained) {
    this.writing = writing;
    this.source = source;
    this.old = old;
    this.maker = maker;
    this.stopped = stopped;
    this.drained = drained;
  }

  /// For so many entries, and three eighths more until it grows: 28 bytes an entry, unless they are
  /// few.
  static long pagesFor(long entries) {
    long pages = (long) Math.ceil(entries * (1.375 / (0.80 * TablePages.SLOTS)));
    return Math.clamp(pages, 1, TableHeader.MAX_PAGES);
  }

  /// With how many entries a table is renewed.
  static long growsAt(TablePages pages) {
    return pages.slots() * 4 / 5;
  }

  /// Makes the successor. On return it has every entry, is forced, and its header says what of the
  /// list it covers; to give it the table's name is left to the caller.
  ///
  /// @throws StoreException.Full if there is no room
  /// @throws StoreException.Closed if it was stopped
  TableFile run() {
    boolean made = false;
    try {
      // What the list gets from here on is put as well, by the writer.
      long covered = coveredBefore();
      next = maker.apply(firstSize());
      beginFilling();
      if (old == null || !isCopiedWhole(old)) {
        replaySource();
      }
      TableFile whole = settle();
      // One force for pages and header is enough: until it returns, the file has no name that
      // counts.
      cover(whole, covered);
      whole.force();
      made = true;
      return whole;
    } finally {
      if (!made && next != null) {
        next.discard();
      }
    }
  }

  /// Takes an entry that has just been put into the old table. Under the lock.
  ///
  /// @return false if there is no room for it now: it is to be brought again once `drained` was
  ///   called
  boolean take(long fingerprint, long value, LongPredicate superseded) {
    if (settled != null) {
      putSettled(settled, fingerprint, value, superseded);
    } else if (arriving.isFull()) {
      return false;
    } else if (filling) {
      arriving.add(fingerprint, value, superseded);
    }
    return true;
  }

  /// Returns whether the successor has every entry that was put so far. Under the lock.
  boolean isComplete() {
    return settled != null && failure == null;
  }

  /// It has its last size, with room for a fifth more entries at the least. Should the writer use
  /// that up before the file is forced, this successor is dropped; the old table has the entry in
  /// any case.
  private void putSettled(TableFile file, long fingerprint, long value, LongPredicate superseded) {
    TablePages pages = file.pages();
    switch (pages.put(fingerprint, value, superseded)) {
      case ADDED, REPLACED, PRESENT -> {}
      case NO_ROOM ->
          failure = new StoreException.TooLarge(file.name(), pages.entries() + 1, pages.entries());
      case DAMAGED -> failure = damaged(file);
    }
  }

  private long coveredBefore() {
    if (old == null) {
      return source.count();
    }
    writing.lock();
    try {
      return old.covered();
    } finally {
      writing.unlock();
    }
  }

  private long firstSize() {
    if (old == null) {
      return pagesFor(source.expectedEntries());
    }
    TablePages pages = old.pages();
    long entries = entriesOf(pages);
    return entries < growsAt(pages)
        ? Math.max(pages.pageCount(), pagesFor(source.expectedEntries()))
        : Math.max(pages.pageCount() + 1, pagesFor(entries));
  }

  private long entriesOf(TablePages pages) {
    writing.lock();
    try {
      return pages.entries();
    } finally {
      writing.unlock();
    }
  }

  private void beginFilling() {
    writing.lock();
    try {
      filling = true;
    } finally {
      writing.unlock();
    }
  }

  private boolean isCopiedWhole(TableFile from) {
    TablePages pages = from.pages();
    long damaged = 0;
    for (long page = 0; page < pages.pageCount(); page++) {
      if (page % PORTION == 0) {
        lookAround();
      }
      if (isSound(pages, page)) {
        pages.copyPage(page, this::putNext);
      } else if (damaged++ == 0) {
        LOG.log(
            WARNING,
            "{0} at byte {1}: wrong page checksum; made anew from its source",
            from.name(),
            TableHeader.fileBytes(page));
      }
    }
    return damaged == 0;
  }

  private boolean isSound(TablePages pages, long page) {
    if (pages.sound(page)) {
      return true;
    }
    writing.lock();
    try {
      return pages.sound(page);
    } finally {
      writing.unlock();
    }
  }

  private void replaySource() {
    var unattended =
        new Object() {
          int puts;
        };
    source.entries(
        0,
        (fingerprint, value, superseded) -> {
          if (unattended.puts++ % PORTION_ENTRIES == 0) {
            lookAround();
          }
          putNext(fingerprint, value, superseded);
        });
  }

  private void lookAround() {
    if (stopped.getAsBoolean()) {
      throw new StoreException.Closed("index");
    }
    EntryBacklog backlog = exchangeBacklog();
    backlog.drainTo(this::putNext);
    spare = backlog;
  }

  private EntryBacklog exchangeBacklog() {
    writing.lock();
    try {
      EntryBacklog full = arriving;
      arriving = spare;
      drained.run();
      return full;
    } finally {
      writing.unlock();
    }
  }

  private void putNext(long fingerprint, long value, LongPredicate superseded) {
    TableFile file = made();
    switch (file.pages().put(fingerprint, value, superseded)) {
      case ADDED, REPLACED, PRESENT -> {}
      case NO_ROOM -> {
        enlarge(file);
        putNext(fingerprint, value, superseded);
      }
      case DAMAGED -> throw damaged(file);
    }
  }

  /// Happens only where there are many more entries than were expected.
  private void enlarge(TableFile small) {
    TablePages from = small.pages();
    next = maker.apply(Math.max(from.pageCount() + 1, pagesFor(from.entries())));
    for (long page = 0; page < from.pageCount(); page++) {
      if (!from.sound(page)) {
        throw damaged(small);
      }
      from.copyPage(page, this::putNext);
    }
    small.discard();
  }

  private TableFile settle() {
    lookAround();
    if (made().pages().entries() >= growsAt(made().pages())) {
      enlarge(made());
      lookAround();
    }
    writing.lock();
    try {
      arriving.drainTo(this::putNext);
      settled = made();
      drained.run();
      return settled;
    } finally {
      writing.unlock();
    }
  }

  private void cover(TableFile whole, long covered) {
    writing.lock();
    try {
      whole.cover(covered, whole.pages().entries());
    } finally {
      writing.unlock();
    }
  }

  private TableFile made() {
    if (next == null) {
      throw new AssertionError("nothing made yet");
    }
    return next;
  }

  private static StoreException damaged(TableFile made) {
    return new StoreException.Corrupt(made.name(), 0, "the pages as just written", "others");
  }
}
