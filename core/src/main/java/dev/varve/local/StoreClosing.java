// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.StoreException;
import dev.varve.disk.Disk;
import dev.varve.disk.DiskLock;
import dev.varve.journal.Checkpoint;
import dev.varve.journal.Journal;
import dev.varve.journal.StorePosition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// The state of a store, open or closed, and the ways in which its files are closed: as they are,
/// or so that other files take their places, after which the store ends or goes on. The lock of a
/// store that ends is given back last, and in any case.
final class StoreClosing {

  private final Disk disk;
  private final DiskLock lock;
  private final StoreFiles files;
  private final Journal journal;
  private final Checkpointer checkpointer;
  private final Committer committer;

  /// Held by work that takes long and that a closing breaks off.
  private final ReentrantLock longWork = new ReentrantLock();

  private volatile boolean ending;
  private volatile boolean closed;

  StoreClosing(
      Disk disk,
      DiskLock lock,
      StoreFiles files,
      Journal journal,
      Checkpointer checkpointer,
      Committer committer) {
    this.disk = disk;
    this.lock = lock;
    this.files = files;
    this.journal = journal;
    this.checkpointer = checkpointer;
    this.committer = committer;
  }

  /// Refuses a store that is closed. Takes no lock.
  void requireOpen() {
    if (closed) {
      throw new StoreException.Closed("store");
    }
  }

  /// Carries out work that takes long, one after the other. A closing waits for the work, which
  /// asks [#requireNotEnding] now and then.
  <R> R breakable(Supplier<R> work) {
    longWork.lock();
    try {
      requireNotEnding();
      return work.get();
    } finally {
      longWork.unlock();
    }
  }

  /// Refuses a store that is closed, or that waits to be closed.
  void requireNotEnding() {
    if (ending || closed) {
      throw new StoreException.Closed("store");
    }
  }

  /// Carries out work that a closing waits for.
  synchronized void whileOpen(Runnable work) {
    requireOpen();
    work.run();
  }

  /// Asks for something that a closing waits for.
  synchronized <R> R askWhileOpen(Supplier<R> question) {
    requireOpen();
    return question.get();
  }

  /// Finishes accepted changes, makes everything durable where it belongs, and closes. Idempotent.
  ///
  /// @throws StoreException.Io if the closing fails; nothing acknowledged is lost
  void close() {
    ending = true;
    longWork.lock();
    try {
      closeOnce();
    } finally {
      longWork.unlock();
    }
  }

  private synchronized void closeOnce() {
    if (!closed) {
      closed = true;
      finish();
    }
  }

  private void finish() {
    boolean orderly = false;
    try {
      committer.close();
      checkpointer.await();
      boolean changed = committer.hasWritten() || files.heads.recentCount() > 0;
      if (changed && !committer.hasFailed()) {
        checkpoint();
      }
      orderly = !committer.hasFailed();
    } finally {
      release(orderly);
    }
  }

  /// Closes the store and lets files that `prepare` writes take the places of others. Where
  /// `prepare` refuses, the store is closed as it was.
  <R> R switching(Supplier<R> prepare) {
    longWork.lock();
    try {
      return switchAndClose(prepare);
    } finally {
      longWork.unlock();
    }
  }

  private synchronized <R> R switchAndClose(Supplier<R> prepare) {
    requireOpen();
    closed = true;
    boolean orderly = false;
    R result;
    try {
      committer.close();
      checkpointer.await();
      committer.refuseIfFailed();
      checkpoint();
      orderly = true;
      result = prepare.get();
    } catch (RuntimeException | Error e) {
      release(orderly);
      throw e;
    }
    try (lock) {
      closeFiles(true);
      ErasureSwitch.complete(disk, ErasureSwitch.decide(disk, files.root()));
    }
    return result;
  }

  /// Lets files that `prepare` writes take the places of others, while the store stays open and its
  /// readers go on. Called within [Committer#alone]. Where `prepare` refuses, the store goes on as
  /// it was.
  <R> R switchingOpen(Supplier<R> prepare) {
    try {
      checkpointer.await();
      checkpoint();
      journal.close(true);
      committer.goOnAt(committer.position());
    } catch (RuntimeException | Error e) {
      committer.giveUp(e);
      throw e;
    }
    R result = prepare.get();
    try {
      files.retireBlobMap();
      StoreRoot switched = ErasureSwitch.complete(disk, ErasureSwitch.decide(disk, files.root()));
      StorePosition position =
          Checkpoint.read(disk, switched.shortId())
              .map(Checkpoint::position)
              .orElseThrow(
                  () -> new StoreException.Corrupt(Checkpoint.FILE, 0, "what was written", "none"));
      files.reopenBlobs(switched, position);
      committer.goOnAt(position);
    } catch (RuntimeException | Error e) {
      committer.giveUp(e);
      throw e;
    }
    return result;
  }

  /// Makes everything durable where it belongs.
  private void checkpoint() {
    files.truncateToEnds(); // so that the checkpoint forces the sizes too
    checkpointer.now(committer.position(), true);
  }

  private void release(boolean orderly) {
    try (lock) {
      closeFiles(orderly);
    }
  }

  private void closeFiles(boolean orderly) {
    try {
      journal.close(orderly);
    } finally {
      files.close(orderly);
    }
  }
}
