// SPDX-License-Identifier: Apache-2.0
package dev.varve.index;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import dev.varve.StoreException;
import java.lang.System.Logger.Level;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/// Which file is the table now, and the making of the one that comes after it.
///
/// All methods but [#current] are called under the lock [#writing].
final class TableSwap {

  private static final System.Logger LOG = System.getLogger("dev.varve.index");

  private final TablePlace place;
  private final EntrySource source;
  private final long growsInlineTo;
  private final ReentrantLock writing = new ReentrantLock();

  /// A renewal has ended, or has room in its backlog again.
  private final Condition renewed = writing.newCondition();

  /// Written under the lock; null before there is one and once closed.
  private volatile @Nullable TableFile current;

  private volatile boolean closing;

  /// Written under the lock.
  private volatile boolean retired;

  // Guarded by the lock.
  private @Nullable TableRenewal renewal;
  private @Nullable Throwable failure;
  private long growsAt;

  /// @param growsInlineTo how many slots a table may have so that its successor is made by the
  ///   thread that needs it; larger ones get a thread of their own
  TableSwap(TablePlace place, EntrySource source, long growsInlineTo) {
    this.place = place;
    this.source = source;
    this.growsInlineTo = growsInlineTo;
  }

  /// Guards all that changes the table.
  ReentrantLock writing() {
    return writing;
  }

  /// @throws StoreException.Closed if there is none
  TableFile current() {
    TableFile table = current;
    if (table == null) {
      throw new StoreException.Closed(place.name());
    }
    return table;
  }

  void use(TableFile table) {
    current = table;
    growsAt = TableRenewal.growsAt(table.pages());
  }

  /// Makes the first table of this opening from the source, in memory if the disk refuses.
  ///
  /// @param why there is none that can be used
  /// @param level of the entry in the log
  void makeAnew(String why, Level level) {
    long count = source.count();
    if (count > 0) {
      LOG.log(level, "{0}: {1}; made anew from {2}", place.name(), why, count);
    }
    renewHere(this::onDisk);
    if (current == null && isRefusedByDisk()) {
      renewHere(place::createInMemory);
    }
    if (current == null) {
      throw refusal();
    }
  }

  /// Lets the successor, if one is being made, have an entry that was just put; begins to make one
  /// if the table is crowded.
  ///
  /// @return false if it is to be put again: the successor had no room for it, and is meanwhile in
  ///   use or has failed
  boolean hasTaken(long fingerprint, long value, LongPredicate superseded) {
    if (renewal == null) {
      if (current().pages().entries() >= growsAt) {
        renew();
      }
      return true;
    }
    TableRenewal job = renewal;
    while (job == renewal && !job.take(fingerprint, value, superseded)) {
      renewed.awaitUninterruptibly();
    }
    return job == renewal;
  }

  /// Waits for a larger table. On return things have changed.
  ///
  /// @throws StoreException.Full if the disk has no room for one
  void makeRoom() {
    TableFile full = current();
    renew();
    awaitRenewal();
    if (full == current) {
      throw refusal();
    }
  }

  /// Waits for a successor of a table that has a damaged page, which must be found whatever the
  /// disk says: in memory, if need be. On return things have changed.
  void mend() {
    TableFile damaged = current();
    renew();
    awaitRenewal();
    if (damaged == current && isRefusedByDisk()) {
      renewHere(place::createInMemory);
    }
    if (damaged == current) {
      throw refusal();
    }
  }

  /// Begins to make a successor, if none is being made. That of a small table is in use on return.
  void renew() {
    if (renewal != null) {
      return;
    }
    if (current().pages().slots() <= growsInlineTo) {
      renewHere(this::onDisk);
    } else {
      TableRenewal job = begin(this::onDisk);
      Thread.ofPlatform()
          .daemon()
          .name("varve-index-" + place.name())
          .start(() -> finishAlone(job));
    }
  }

  void close() {
    awaitRenewal();
    if (current != null) {
      current.close();
      current = null;
    }
  }

  /// Lets a renewal in progress give up. Needs no lock.
  void stop() {
    closing = true;
  }

  private void awaitRenewal() {
    while (renewal != null) {
      renewed.awaitUninterruptibly();
    }
  }

  private void renewHere(LongFunction<TableFile> maker) {
    switch (finish(begin(maker))) {
      case RuntimeException e when !(e instanceof StoreException) -> throw e;
      case Error e -> throw e;
      case null, default -> {}
    }
  }

  private void finishAlone(TableRenewal job) {
    Throwable failed = finish(job);
    if (failed != null && !(failed instanceof StoreException)) {
      LOG.log(ERROR, place.name() + ": not renewed", failed);
    }
  }

  private TableRenewal begin(LongFunction<TableFile> maker) {
    TableRenewal job =
        new TableRenewal(writing, source, current, maker, () -> closing, renewed::signalAll);
    renewal = job;
    return job;
  }

  /// Makes the successor and hands the table over to it. Needs no lock.
  ///
  /// @return why there is no successor
  private @Nullable Throwable finish(TableRenewal job) {
    TableFile made = null;
    Throwable failed = null;
    try {
      made = job.run();
      made.publish(place.name());
    } catch (RuntimeException | Error e) {
      failed = e;
    }
    TableFile replaced = current;
    boolean inUse = false;
    writing.lock();
    try {
      if (failed == null && made != null && job.isComplete()) {
        use(made);
        inUse = true;
      } else {
        postpone(failed);
      }
      failure = failed;
      renewal = null;
      renewed.signalAll();
    } finally {
      writing.unlock();
    }
    if (inUse && replaced != null) {
      replaced.close();
    } else if (!inUse && made != null) {
      made.discard();
    }
    return failed;
  }

  /// Goes on with the old table, and tries again when it has become a little fuller.
  private void postpone(@Nullable Throwable why) {
    if (current != null) {
      TablePages pages = current.pages();
      growsAt = pages.entries() + pages.slots() / 64 + 1;
    }
    if (why instanceof StoreException && !(why instanceof StoreException.Closed)) {
      LOG.log(WARNING, place.name() + ": not renewed", why);
    }
  }

  /// Lets a renewal in progress end, and makes later ones in memory. Called under the lock.
  void retire() {
    awaitRenewal();
    retired = true;
  }

  private TableFile onDisk(long pageCount) {
    return retired ? place.createInMemory(pageCount) : place.create(pageCount, () -> closing);
  }

  /// Returns whether it was the disk for which the last renewal failed.
  private boolean isRefusedByDisk() {
    return failure instanceof StoreException.Full || failure instanceof StoreException.Io;
  }

  private RuntimeException refusal() {
    return switch (failure) {
      case RuntimeException e -> e;
      case null -> new StoreException.Closed(place.name());
      default -> throw new AssertionError(place.name() + ": not renewed", failure);
    };
  }
}
