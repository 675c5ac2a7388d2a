// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.StoreException;
import dev.varve.disk.Disk;
import dev.varve.disk.DiskLock;
import dev.varve.journal.Journal;
import java.util.function.Supplier;

/// The state of a store, open or closed, and the two ways in which an open store ends: closed as it
/// is, or closed so that other files take the places of its own. The lock is given back last, and
/// in any case.
final class StoreClosing {

  private final Disk disk;
  private final DiskLock lock;
  private final StoreRoot root;
  private final StoreFiles files;
  private final Journal journal;
  private final Checkpointer checkpointer;
  private final Committer committer;
  private volatile boolean closed;

  StoreClosing(
      Disk disk,
      DiskLock lock,
      StoreRoot root,
      StoreFiles files,
      Journal journal,
      Checkpointer checkpointer,
      Committer committer) {
    this.disk = disk;
    this.lock = lock;
    this.root = root;
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

  /// Carries out work that a closing waits for.
  synchronized void whileOpen(Runnable work) {
    requireOpen();
    work.run();
  }

  /// Finishes accepted changes, makes everything durable where it belongs, and closes. Idempotent.
  ///
  /// @throws StoreException.Io if the closing fails; nothing acknowledged is lost
  synchronized void close() {
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
  synchronized <R> R switching(Supplier<R> prepare) {
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
      ErasureSwitch.complete(disk, ErasureSwitch.decide(disk, root));
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
