// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.StoreException;
import dev.varve.disk.Disk;
import dev.varve.disk.DiskFile;
import dev.varve.disk.QuietThread;
import dev.varve.journal.Checkpoint;
import dev.varve.journal.Journal;
import dev.varve.journal.StorePosition;
import org.jspecify.annotations.Nullable;

/// Makes the journal's commits durable in the files where they belong, so that a journal file can
/// be used again.
///
/// At most one checkpoint is under way. The heads are set aside on the committing thread; all else
/// happens on a thread of the checkpoint's own, while commits go on in the other journal file.
final class Checkpointer {

  private final Disk disk;
  private final StoreFiles files;
  private final Journal journal;
  private long seq;
  private @Nullable Thread thread;
  private volatile @Nullable RuntimeException failure;

  /// @param seq sequence of the last checkpoint
  Checkpointer(Disk disk, StoreFiles files, Journal journal, long seq) {
    this.disk = disk;
    this.files = files;
    this.journal = journal;
    this.seq = seq;
  }

  /// Starts a checkpoint at `position`. None is under way.
  void begin(StorePosition position) {
    files.heads.freeze();
    thread =
        Thread.ofPlatform()
            .daemon()
            .name("varve-checkpoint")
            .start(
                () -> {
                  try {
                    complete(position, false);
                    journal.growIdle();
                  } catch (RuntimeException e) {
                    failure = e;
                  } catch (Error e) { // such as a fault in mapped memory
                    failure = new StoreException.Io(Checkpoint.FILE, "cannot be made: " + e, e);
                  }
                });
  }

  /// Waits until no checkpoint is under way.
  ///
  /// @throws StoreException if it failed
  void await() {
    Thread running = thread;
    if (running != null) {
      QuietThread.join(running);
    }
    thread = null;
    RuntimeException cause = failure;
    if (cause != null) {
      throw cause;
    }
  }

  /// Makes a checkpoint here and now. None is under way.
  ///
  /// @param clean whether nothing follows it
  void now(StorePosition position, boolean clean) {
    files.heads.freeze();
    complete(position, clean);
  }

  private void complete(StorePosition position, boolean clean) {
    long next = seq + 1;
    if (journal.isStarted()) {
      journal.forceAll(); // heads never run ahead of the turns they lead to
    }
    files.force(position, next);
    disk.forceNames();
    try (DiskFile file = disk.open(Checkpoint.FILE)) {
      new Checkpoint(
              next,
              clean ? Checkpoint.State.CLOSED : Checkpoint.State.OPEN,
              position,
              files.tails(position),
              files.root().erasures())
          .write(file, files.root().shortId());
    }
    seq = next;
    files.heads.thaw();
  }
}
