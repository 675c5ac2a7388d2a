// SPDX-License-Identifier: Apache-2.0
package dev.varve.index;

import static java.lang.System.Logger.Level.WARNING;

import dev.varve.StoreException;
import dev.varve.disk.Disk;
import java.lang.System.Logger.Level;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongPredicate;

/// A hash table in a mapped file, from 64-bit fingerprints to places in a primary file; a cache
/// over a [EntrySource].
///
/// **What it may be trusted for.** A value that it gives is a hint, and the caller confirms it in
/// the primary record. A miss is certain: whatever the source's list gives up to the last
/// [#checkpoint], and whatever was put since the table was opened, is found. Any other state of the
/// file, be it missing, cut, stale, ahead of the list, of another store or garbled, is noticed at
/// opening or when the page in question is first touched, and mended from the source.
///
/// **Threads.** One thread puts and checkpoints; any number find, without a lock. A table of more
/// than some hundred thousand slots grows on a thread of its own, and the writer goes on meanwhile.
///
/// **Space.** 28 bytes an entry after growing, 20 at the fullest; a few kilobytes of heap.
public final class FingerprintTable implements EntrySink, AutoCloseable {

  /// Up to here the writer makes the successor itself: it takes milliseconds.
  private static final long GROWS_INLINE_TO = 1 << 17;

  private final TablePlace place;
  private final EntrySource source;
  private final TableSwap succession;

  /// Guards all that changes the table.
  private final ReentrantLock writing;

  private boolean catchingUp;

  private FingerprintTable(TablePlace place, EntrySource source, long growsInlineTo) {
    this.place = place;
    this.source = source;
    this.succession = new TableSwap(place, source, growsInlineTo);
    this.writing = succession.writing();
  }

  /// Opens the table that has this name, and makes it one that has every entry of the source: as it
  /// is, caught up, or anew. Is to be called whenever the list is opened, before the list grows.
  ///
  /// If there is no room on the disk for a new table, it lives in memory until there is.
  ///
  /// @param name of its file; names that start with it and end in `.new` are its own too
  /// @param kind which of the store's lookups it is
  /// @param store the store it belongs to
  public static FingerprintTable open(
      Disk disk, String name, int kind, UUID store, EntrySource source) {
    return open(disk, name, kind, store, source, WARNING);
  }

  /// Opens a table that need not have been made yet.
  ///
  /// @param remade level of the entry in the log if the table is made anew
  public static FingerprintTable open(
      Disk disk, String name, int kind, UUID store, EntrySource source, Level remade) {
    return open(disk, name, kind, store, source, GROWS_INLINE_TO, remade);
  }

  static FingerprintTable open(
      Disk disk, String name, int kind, UUID store, EntrySource source, long growsInlineTo) {
    return open(disk, name, kind, store, source, growsInlineTo, WARNING);
  }

  private static FingerprintTable open(
      Disk disk,
      String name,
      int kind,
      UUID store,
      EntrySource source,
      long growsInlineTo,
      Level remade) {
    var place = new TablePlace(disk, name, new TableIdentity(store, kind));
    place.deleteLeftOvers();
    var table = new FingerprintTable(place, source, growsInlineTo);
    boolean open = false;
    try {
      table.openOrMake(remade);
      open = true;
      return table;
    } finally {
      if (!open) {
        table.close();
      }
    }
  }

  /// Returns the number of entries that the table on the disk surely covers, and that its list
  /// therefore had; 0 if there is no table of this store.
  public static long covered(Disk disk, String name, int kind, UUID store) {
    if (TableFile.open(disk, name, new TableIdentity(store, kind))
        instanceof TableFile.Found.Usable(TableFile file)) {
      try (file) {
        return file.covered();
      }
    }
    return 0;
  }

  private void openOrMake(Level remade) {
    writing.lock();
    try {
      switch (place.open()) {
        case TableFile.Found.Unusable(String why) -> succession.makeAnew(why, remade);
        case TableFile.Found.Usable(TableFile found) -> {
          long count = source.count();
          if (found.covered() > count) {
            // What was cut off the list may since have been written anew, and otherwise.
            found.close();
            succession.makeAnew("covers " + found.covered() + " of a list of " + count, remade);
          } else {
            succession.use(found);
            catchUp(found.covered(), count);
          }
        }
      }
    } finally {
      writing.unlock();
    }
  }

  private void catchUp(long covered, long count) {
    if (covered < count) {
      catchingUp = true;
      source.entries(covered, this);
      catchingUp = false;
    }
  }

  /// A value under `fingerprint` that `confirm` accepts, else -1.
  ///
  /// @param confirm whether the primary record at a value is the one that is sought. A value may
  ///   lead anywhere, also beyond the end of the primary file. It may be asked more than once for
  ///   the same value.
  /// @throws StoreException.Closed if the table is closed
  public long find(long fingerprint, LongPredicate confirm) {
    while (true) {
      TableFile table = succession.current();
      long found = table.pages().find(fingerprint, confirm);
      if (found >= TablePages.NONE) {
        return found;
      }
      lookAgain(table, fingerprint);
    }
  }

  /// The greatest value under `fingerprint` that `confirm` accepts, else -1. For keys whose values
  /// supersede each other: older ones may still be there.
  public long findLast(long fingerprint, LongPredicate confirm) {
    var greatest = new GreatestMatch(confirm);
    find(fingerprint, greatest);
    return greatest.value();
  }

  /// A page that seems damaged may only have been in the middle of a put; without the writer the
  /// answer is exact.
  private void lookAgain(TableFile table, long fingerprint) {
    writing.lock();
    try {
      if (table == succession.current() && isDamaged(table, fingerprint)) {
        succession.mend();
      }
    } finally {
      writing.unlock();
    }
  }

  private static boolean isDamaged(TableFile table, long fingerprint) {
    return table.pages().find(fingerprint, _ -> false) < TablePages.NONE;
  }

  /// {@inheritDoc}
  ///
  /// On return every thread finds it. It survives a power cut once a [#checkpoint] covers it; until
  /// then it is up to the source to give it again.
  ///
  /// @throws StoreException.Full if hardly a slot is free and the disk has no room for a larger
  ///   table
  /// @throws StoreException.Closed if the table is closed
  @Override
  public void put(long fingerprint, long value, LongPredicate superseded) {
    if (value < 0) {
      throw new IllegalArgumentException("value " + value);
    }
    writing.lock();
    try {
      while (!tryPut(fingerprint, value, superseded)) {
        // the table has been renewed: again
      }
    } finally {
      writing.unlock();
    }
  }

  private boolean tryPut(long fingerprint, long value, LongPredicate superseded) {
    TablePages pages = succession.current().pages();
    return switch (pages.put(fingerprint, value, superseded)) {
      case DAMAGED -> {
        succession.mend();
        yield false;
      }
      case NO_ROOM -> {
        succession.makeRoom();
        yield false;
      }
      case PRESENT -> {
        if (catchingUp) {
          pages.countPresent();
        }
        yield succession.hasTaken(fingerprint, value, superseded);
      }
      case ADDED, REPLACED -> succession.hasTaken(fingerprint, value, superseded);
    };
  }

  /// Says that all entries of the list up to `covered` have been put, and that the list is forced
  /// up to there. On return so is the table: opened again, it asks the source only for what comes
  /// after.
  ///
  /// Forcing takes long; puts and finds go on meanwhile. While the table lives in memory, or its
  /// file could not be forced before, it first tries to get a new file; if there is no room for
  /// one, nothing is covered.
  ///
  /// @throws StoreException.Io if the file cannot be forced
  public void checkpoint(long covered) {
    while (true) {
      TableFile table;
      long entries;
      writing.lock();
      try {
        table = succession.current();
        if (table.isLost()) {
          succession.renew();
        }
        entries = table.pages().entries();
      } finally {
        writing.unlock();
      }
      table.force();
      writing.lock();
      try {
        if (table == succession.current()) {
          table.cover(Math.max(covered, table.covered()), entries);
        }
      } finally {
        writing.unlock();
      }
      table.force();
      if (table == succession.current()) {
        return;
      }
    }
  }

  /// Waits until the table takes no file of its name any more: another table is about to. A later
  /// successor lives in memory.
  public void retire() {
    writing.lock();
    try {
      succession.retire();
    } finally {
      writing.unlock();
    }
  }

  /// The number of slots in use. After a crash the number may be too high by the entries that were
  /// put between the last checkpoint and the crash, until the table next grows.
  public long entries() {
    writing.lock();
    try {
      return succession.current().pages().entries();
    } finally {
      writing.unlock();
    }
  }

  /// The size of its file; 0 while it lives in memory.
  public long diskBytes() {
    return succession.current().diskBytes();
  }

  /// Closes the table. What no checkpoint covers is asked of the source again.
  @Override
  public void close() {
    succession.stop();
    writing.lock();
    try {
      succession.close();
    } finally {
      writing.unlock();
    }
  }
}
