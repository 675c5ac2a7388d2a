// SPDX-License-Identifier: Apache-2.0
package dev.varve.index;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import dev.varve.StoreException;
import dev.varve.disk.Disk;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/// A hash table in a mapped file, from 64-bit fingerprints to places in a primary file; a cache over a [Source].
///
/// **What it may be trusted for.** A value that it gives is a hint, and the caller confirms it in the primary record. A
/// miss is certain: whatever the source's list gives up to the last [#checkpoint], and whatever was put since the table
/// was opened, is found. Any other state of the file, be it missing, cut, stale, ahead of the list, of another store or
/// garbled, is noticed at opening or when the page in question is first touched, and mended from the source.
///
/// **Threads.** One thread puts and checkpoints; any number find, without a lock. A table of more than some hundred
/// thousand slots grows on a thread of its own, and the writer goes on meanwhile.
///
/// **Space.** 28 bytes an entry after growing, 20 at the fullest; a few kilobytes of heap.
public final class FingerprintTable implements Sink, AutoCloseable {

  private static final System.Logger LOG = System.getLogger("dev.varve.index");

  /// Up to here the writer makes the successor itself: it takes milliseconds.
  private static final long GROWS_INLINE_TO = 1 << 17;

  private final Disk disk;
  private final String name;
  private final Identity identity;
  private final Source source;
  private final long growsInlineTo;

  /// Guards all that changes the table. Fair, so that the writer gets its turn between two portions of a [Renewal].
  private final ReentrantLock writing = new ReentrantLock(true);

  private final Condition renewed = writing.newCondition();

  /// Written under `writing`; null before it is opened and once it is closed.
  private volatile @Nullable TableFile current;

  private volatile boolean closing;

  // Guarded by `writing`.
  private @Nullable Renewal renewal;
  private @Nullable Throwable failure;
  private long growsAt;
  private boolean catchingUp;

  private FingerprintTable(
      Disk disk, String name, Identity identity, Source source, long growsInlineTo) {
    this.disk = disk;
    this.name = name;
    this.identity = identity;
    this.source = source;
    this.growsInlineTo = growsInlineTo;
  }

  /// Opens the table that has this name, and makes it one that has every entry of the source: as it is, caught up, or
  /// anew. Is to be called whenever the list is opened, before the list grows.
  ///
  /// If there is no room on the disk for a new table, it lives in memory until there is.
  ///
  /// @param name of its file; names that start with it and end in `.new` are its own too
  /// @param kind which of the store's lookups it is
  /// @param store the store it belongs to
  public static FingerprintTable open(
      Disk disk, String name, int kind, UUID store, Source source) {
    return open(disk, name, kind, store, source, GROWS_INLINE_TO);
  }

  static FingerprintTable open(
      Disk disk, String name, int kind, UUID store, Source source, long growsInlineTo) {
    var identity = new Identity(store, kind);
    var table = new FingerprintTable(disk, name, identity, source, growsInlineTo);
    disk.names().stream().filter(table::isLeftOver).forEach(disk::delete);
    table.openOrMake();
    return table;
  }

  private void openOrMake() {
    writing.lock();
    try {
      switch (TableFile.open(disk, name, identity)) {
        case TableFile.Found.Unusable(String why) -> makeAnew(why);
        case TableFile.Found.Usable(TableFile found) -> {
          long count = source.count();
          if (found.covered() > count) {
            // What was cut off the list may since have been written anew, and otherwise.
            found.close();
            makeAnew("covers " + found.covered() + " of a list of " + count);
          } else {
            use(found);
            catchUp(found.covered(), count);
          }
        }
      }
    } finally {
      writing.unlock();
    }
  }

  private void makeAnew(String why) {
    if (source.count() > 0) {
      LOG.log(WARNING, "{0}: {1}; made anew from {2}", name, why, source.count());
    }
    renewHere(this::onDisk);
    if (current == null && diskRefused()) {
      renewHere(this::inMemory);
    }
    if (current == null) {
      throw refusal();
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
  /// @param confirm whether the primary record at a value is the one that is sought. A value may lead anywhere, also
  ///     beyond the end of the primary file. It may be asked more than once for the same value.
  /// @throws StoreException.Closed if the table is closed
  public long find(long fingerprint, LongPredicate confirm) {
    while (true) {
      TableFile table = opened();
      long found = table.pages().find(fingerprint, confirm);
      if (found >= Pages.NONE) {
        return found;
      }
      lookAgain(table, fingerprint);
    }
  }

  /// The greatest value under `fingerprint` that `confirm` accepts, else -1. For keys whose values supersede each other:
  /// older ones may still be there.
  public long findLast(long fingerprint, LongPredicate confirm) {
    var greatest = new Greatest(confirm);
    find(fingerprint, greatest);
    return greatest.value;
  }

  private static final class Greatest implements LongPredicate {
    private final LongPredicate confirm;
    private long value = Pages.NONE;

    Greatest(LongPredicate confirm) {
      this.confirm = confirm;
    }

    @Override
    public boolean test(long candidate) {
      if (candidate > value && confirm.test(candidate)) {
        value = candidate;
      }
      return false;
    }
  }

  /// A page that seems damaged may only have been in the middle of a put; without the writer the answer is exact.
  private void lookAgain(TableFile table, long fingerprint) {
    writing.lock();
    try {
      if (table == current) {
        mendIfDamaged(table, fingerprint);
      }
    } finally {
      writing.unlock();
    }
  }

  /// {@inheritDoc}
  ///
  /// On return every thread finds it. It survives a power cut once a [#checkpoint] covers it; until then it is up to the
  /// source to give it again.
  ///
  /// @throws StoreException.Full if hardly a slot is free and the disk has no room for a larger table
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
    TableFile table = opened();
    Pages pages = table.pages();
    switch (pages.put(fingerprint, value, superseded)) {
      case DAMAGED -> {
        mendIfDamaged(table, fingerprint);
        return false;
      }
      case NO_ROOM -> {
        makeRoom(table);
        return false;
      }
      case PRESENT -> {
        if (catchingUp) {
          pages.countPresent();
        }
      }
      case ADDED, REPLACED -> {}
    }
    if (renewal != null) {
      renewal.put(fingerprint, value, superseded);
    } else if (pages.entries() >= growsAt) {
      renew();
    }
    return true;
  }

  /// Says that all entries of the list up to `covered` have been put, and that the list is forced up to there. On return
  /// so is the table: opened again, it asks the source only for what comes after.
  ///
  /// Forcing takes long; puts and finds go on meanwhile.
  public void checkpoint(long covered) {
    while (true) {
      TableFile table;
      long entries;
      writing.lock();
      try {
        table = opened();
        if (table.isInMemory() && renewal == null) {
          renew();
        }
        entries = table.pages().entries();
      } finally {
        writing.unlock();
      }
      forceOrForget(table);
      writing.lock();
      try {
        if (table == current) {
          table.cover(Math.max(covered, table.covered()), entries);
        }
      } finally {
        writing.unlock();
      }
      forceOrForget(table);
      if (table == current) {
        return;
      }
    }
  }

  /// After a force that failed the system may take for written what it never wrote: the table must not be opened again.
  private void forceOrForget(TableFile table) {
    boolean forced = false;
    try {
      table.force();
      forced = true;
    } finally {
      if (!forced) {
        disk.delete(name);
      }
    }
  }

  /// How many slots are in use. After a crash it may be too high by what was put between the last checkpoint and the
  /// crash, until the table next grows.
  public long entries() {
    writing.lock();
    try {
      return opened().pages().entries();
    } finally {
      writing.unlock();
    }
  }

  /// The size of its file; 0 while it lives in memory.
  public long diskBytes() {
    return opened().diskBytes();
  }

  /// Closes the table. What no checkpoint covers is asked of the source again.
  @Override
  public void close() {
    closing = true;
    writing.lock();
    try {
      awaitRenewal();
      if (current != null) {
        current.close();
        current = null;
      }
    } finally {
      writing.unlock();
    }
  }

  private TableFile opened() {
    TableFile table = current;
    if (table == null) {
      throw new StoreException.Closed(name);
    }
    return table;
  }

  /// Looks `fingerprint` up once more; if a page on the way is damaged, returns when the table has been renewed.
  private void mendIfDamaged(TableFile table, long fingerprint) {
    if (table.pages().find(fingerprint, _ -> false) == Pages.NONE) {
      return;
    }
    if (renewal == null) {
      renew();
    }
    awaitRenewal();
    if (table == current && renewal == null) {
      if (diskRefused()) {
        renewHere(this::inMemory);
      }
      if (table == current) {
        throw refusal();
      }
    }
  }

  private void makeRoom(TableFile full) {
    if (renewal == null) {
      renew();
    }
    awaitRenewal();
    if (full == current && renewal == null) {
      throw refusal();
    }
  }

  private void awaitRenewal() {
    while (renewal != null) {
      renewed.awaitUninterruptibly();
    }
  }

  /// Starts to make the successor: here if the table is small, else on a thread of its own.
  private void renew() {
    if (opened().pages().slots() <= growsInlineTo) {
      renewHere(this::onDisk);
    } else {
      Renewal job = begin(this::onDisk);
      Thread.ofPlatform().daemon().name("varve-index-" + name).start(() -> finish(job));
    }
  }

  private void renewHere(LongFunction<TableFile> maker) {
    finish(begin(maker));
    switch (failure) {
      case StoreException _ -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case null, default -> {}
    }
  }

  private Renewal begin(LongFunction<TableFile> maker) {
    Renewal job = new Renewal(writing, source, current, maker, () -> closing);
    renewal = job;
    return job;
  }

  private void finish(Renewal job) {
    TableFile made = null;
    Throwable failed = null;
    try {
      made = job.run();
      made.publish(name);
    } catch (RuntimeException | Error e) {
      failed = e;
    }
    TableFile replaced = current;
    writing.lock();
    try {
      if (failed == null && made != null && job.isComplete()) {
        use(made);
      } else {
        postpone(failed);
        replaced = made;
      }
      failure = failed;
      renewal = null;
      renewed.signalAll();
    } finally {
      writing.unlock();
    }
    if (replaced != null) {
      replaced.close();
    }
  }

  private void use(TableFile table) {
    current = table;
    growsAt = Renewal.growsAt(table.pages());
  }

  /// Goes on with the old table, and tries again when it has become a little fuller.
  private void postpone(@Nullable Throwable why) {
    if (current != null) {
      Pages pages = current.pages();
      growsAt = pages.entries() + pages.slots() / 64 + 1;
    }
    switch (why) {
      case null -> {}
      case StoreException.Closed _ -> {}
      case StoreException e -> LOG.log(WARNING, name + ": not renewed", e);
      default -> LOG.log(ERROR, name + ": not renewed", why);
    }
  }

  /// Whether it was the disk for which the last renewal failed. Memory will do until it has room again.
  private boolean diskRefused() {
    return failure instanceof StoreException.Full || failure instanceof StoreException.Io;
  }

  private RuntimeException refusal() {
    return switch (failure) {
      case StoreException e -> e;
      case null -> new StoreException.Closed(name);
      case RuntimeException e -> e;
      default -> throw new AssertionError(name + ": not renewed", failure);
    };
  }

  private TableFile onDisk(long pageCount) {
    return TableFile.create(disk, name + "." + pageCount + ".new", identity, pageCount, () -> closing);
  }

  private TableFile inMemory(long pageCount) {
    return TableFile.inMemory(disk, name, identity, pageCount);
  }

  private boolean isLeftOver(String file) {
    return file.startsWith(name + ".") && file.endsWith(".new");
  }
}
