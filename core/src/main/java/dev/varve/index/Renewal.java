// SPDX-License-Identifier: Apache-2.0
package dev.varve.index;

import static java.lang.System.Logger.Level.WARNING;

import dev.varve.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Makes a table's successor: larger, or whole again.
///
/// The old pages are copied, a few at a time, under the table's lock; between them the writer goes on, and puts each
/// entry into the old table and into the successor. So nothing has to be caught up, and the successor can take over at
/// any moment after the last page. If an old page is damaged, or there is no old table, the source's whole list is put
/// as well. The sound pages are copied even then: they may have entries that the list does not give yet.
final class Renewal {

  private static final System.Logger LOG = System.getLogger("dev.varve.index");

  /// About 800 entries: the writer waits some 50 microseconds.
  private static final int PAGES_AT_ONCE = 4;

  private final ReentrantLock writing;
  private final Source source;
  private final @Nullable TableFile old;
  private final LongFunction<TableFile> maker;
  private final BooleanSupplier stopped;

  // Guarded by `writing`.
  private @Nullable TableFile next;
  private @Nullable StoreException failure;
  private boolean filling;

  /// @param old the table as it is; none if there is none that can be used
  /// @param maker makes an empty table of so many pages
  /// @param stopped whether to give up
  Renewal(
      ReentrantLock writing,
      Source source,
      @Nullable TableFile old,
      LongFunction<TableFile> maker,
      BooleanSupplier stopped) {
    this.writing = writing;
    this.source = source;
    this.old = old;
    this.maker = maker;
    this.stopped = stopped;
  }

  /// For so many entries, and three eighths more until it grows: 28 bytes an entry, unless they are few.
  static long pagesFor(long entries) {
    long pages = (long) Math.ceil(entries * (1.375 / (0.80 * Pages.SLOTS)));
    return Math.clamp(pages, 1, TableHeader.MAX_PAGES);
  }

  /// With how many entries a table is renewed.
  static long growsAt(Pages pages) {
    return pages.slots() * 4 / 5;
  }

  /// Makes the successor. On return it has every entry, is forced, and its header says what of the list it covers; that
  /// it has no name yet but its own is the caller's matter.
  ///
  /// @throws StoreException.Full if there is no room
  /// @throws StoreException.Closed if it was stopped
  TableFile run() {
    boolean made = false;
    try {
      // What the list gets from here on is put as well, by the writer.
      long covered = old == null ? source.count() : locked(old::covered);
      TableFile empty = maker.apply(firstSize());
      underLock(() -> begin(empty));
      if (old == null || !isCopiedWhole(old)) {
        source.entries(0, this::putNextLocked);
      }
      underLock(this::endFilling);
      TableFile whole = successor();
      whole.force();
      // Only now: what the header says of the pages is true of their forced state.
      underLock(() -> whole.cover(covered, whole.pages().entries()));
      whole.force();
      made = successor() == whole;
      return whole;
    } finally {
      if (!made) {
        underLock(this::discard);
      }
    }
  }

  /// Whether the successor has every entry that was put so far. Under the lock.
  boolean isComplete() {
    return failure == null;
  }

  /// Puts an entry that has just been put into the old table. Under the lock.
  void put(long fingerprint, long value, LongPredicate superseded) {
    if (next != null && failure == null) {
      try {
        putNext(fingerprint, value, superseded);
      } catch (StoreException e) {
        // The put itself went well, the old table has it. It is the successor that will not do.
        failure = e;
      }
    }
  }

  private long firstSize() {
    if (old == null) {
      return pagesFor(source.expectedEntries());
    }
    Pages pages = old.pages();
    long entries = locked(pages::entries);
    return entries < growsAt(pages)
        ? Math.max(pages.pageCount(), pagesFor(source.expectedEntries()))
        : Math.max(pages.pageCount() + 1, pagesFor(entries));
  }

  private boolean isCopiedWhole(TableFile from) {
    List<Long> damaged = copy(from.pages());
    if (!damaged.isEmpty()) {
      LOG.log(
          WARNING,
          "{0}: {1} pages have wrong checksums, the first at byte {2}; made anew from its source",
          from.name(),
          damaged.size(),
          TableHeader.fileBytes(damaged.getFirst()));
    }
    return damaged.isEmpty();
  }

  /// @return the damaged pages; they are left out
  private List<Long> copy(Pages from) {
    List<Long> damaged = new ArrayList<>();
    for (long first = 0; first < from.pageCount(); first += PAGES_AT_ONCE) {
      long start = first;
      underLock(() -> copySome(from, start, damaged));
    }
    return damaged;
  }

  private void copySome(Pages from, long first, List<Long> damaged) {
    checkGoingOn();
    long end = Math.min(from.pageCount(), first + PAGES_AT_ONCE);
    for (long page = first; page < end; page++) {
      if (from.sound(page)) {
        from.copyPage(page, this::putNext);
      } else {
        damaged.add(page);
      }
    }
  }

  private void begin(TableFile empty) {
    next = empty;
    filling = true;
  }

  private void endFilling() {
    if (next != null && next.pages().entries() >= growsAt(next.pages())) {
      enlarge(next);
    }
    filling = false;
  }

  private void putNextLocked(long fingerprint, long value, LongPredicate superseded) {
    writing.lock();
    try {
      checkGoingOn();
      putNext(fingerprint, value, superseded);
    } finally {
      writing.unlock();
    }
  }

  private void putNext(long fingerprint, long value, LongPredicate superseded) {
    if (next == null) {
      throw new AssertionError("no successor yet");
    }
    Pages pages = next.pages();
    switch (pages.put(fingerprint, value, superseded)) {
      case ADDED, REPLACED, PRESENT -> {}
      case NO_ROOM -> {
        if (!filling) {
          // It may already have the table's name, and cannot be exchanged any more.
          throw new StoreException.TooLarge(next.name(), pages.entries() + 1, pages.entries());
        }
        enlarge(next);
        putNext(fingerprint, value, superseded);
      }
      case DAMAGED -> throw damaged(next);
    }
  }

  /// Happens only where there are many more entries than were expected. The writer waits.
  private void enlarge(TableFile small) {
    Pages from = small.pages();
    next = maker.apply(Math.max(from.pageCount() + 1, pagesFor(from.entries())));
    List<Long> damaged = copy(from);
    small.discard();
    if (!damaged.isEmpty()) {
      throw damaged(small);
    }
  }

  private static StoreException damaged(TableFile made) {
    return new StoreException.Corrupt(made.name(), 0, "the pages as just written", "others");
  }

  private void checkGoingOn() {
    if (failure != null) {
      throw failure;
    }
    if (stopped.getAsBoolean()) {
      throw new StoreException.Closed("index");
    }
  }

  private TableFile successor() {
    return locked(
        () -> {
          checkGoingOn();
          if (next == null) {
            throw new AssertionError("no successor yet");
          }
          return next;
        });
  }

  private void discard() {
    if (next != null) {
      next.discard();
      next = null;
    }
  }

  private void underLock(Runnable work) {
    writing.lock();
    try {
      work.run();
    } finally {
      writing.unlock();
    }
  }

  private <T> T locked(Supplier<T> work) {
    writing.lock();
    try {
      return work.get();
    } finally {
      writing.unlock();
    }
  }
}
