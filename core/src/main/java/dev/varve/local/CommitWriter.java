// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.Durability;
import dev.varve.StoreException;
import dev.varve.WriteMeter;
import dev.varve.blob.BlobPack;
import dev.varve.journal.Journal;
import dev.varve.journal.StorePosition;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// Writes one commit: its large records into the pack, its batch into the journal, and then all
/// records where they belong. Shows the commit to readers once the commit is as durable as the
/// store's option demands.
///
/// Not thread-safe: the committer holds its lock.
final class CommitWriter {

  private final StoreFiles files;
  private final Journal journal;
  private final Checkpointer checkpointer;
  private final Durability durability;
  private final long shortId;

  /// The most bytes outside the journal that a recovery reads.
  private final long inPlaceBytesMax;

  private volatile WriteMeter meter = WriteMeter.NONE;
  private boolean started;
  private long inPlaceSinceTurn;
  private ByteBuffer buffer = Journal.buffer(1 << 16);

  CommitWriter(
      StoreFiles files,
      Journal journal,
      Checkpointer checkpointer,
      Durability durability,
      StoreGeometry geometry,
      long shortId) {
    this.files = files;
    this.journal = journal;
    this.checkpointer = checkpointer;
    this.durability = durability;
    this.shortId = shortId;
    this.inPlaceBytesMax = 4 * geometry.journal().maxBytes();
  }

  /// Reports the times of later forced writes to `value`.
  void measure(WriteMeter value) {
    meter = value;
  }

  /// Returns whether anything was written since the store was opened.
  boolean hasWritten() {
    return started;
  }

  /// Returns whether each commit is forced to the disk.
  boolean forces() {
    return durability != Durability.LET_THE_SYSTEM;
  }

  /// Forces all that was written.
  void forceAll() {
    journal.forceAll();
    files.forceGrowing();
  }

  /// Lets the next commit begin a journal: the former one was closed.
  void beginAgain() {
    started = false;
    inPlaceSinceTurn = 0;
  }

  /// Writes a commit that follows `before`, and returns the position after the commit.
  ///
  /// @throws StoreException.Full if there is no room; the journal then holds nothing of the commit
  StorePosition write(Commit commit, StorePosition before) {
    boolean firstOfFile = !started;
    if (firstOfFile) {
      journal.start();
      started = true;
    }
    boolean forces = forces();
    commit.writeLarge(files);
    if (commit.batch.packInPlace() && forces) {
      files.packWriter.forcePack();
    }
    long size = commit.batch.sizeBytes();
    inPlaceSinceTurn += commit.batch.packInPlace() ? commit.draft.packBytes() : 0;
    if (!journal.fits(size) || inPlaceSinceTurn > inPlaceBytesMax) {
      turnOver(size, before);
      firstOfFile = true;
      inPlaceSinceTurn = 0;
    }
    ByteBuffer bytes = buffer(size);
    commit.batch.write(shortId, MemorySegment.ofBuffer(bytes));
    journal.append(bytes);
    // Numbers must never be given twice, whatever is lost: a new limit is forced even where the
    // rest is not.
    boolean limitMoved =
        commit.after.numbers().turnIdLimit() != before.numbers().turnIdLimit()
            || commit.after.numbers().contextIdLimit() != before.numbers().contextIdLimit();
    // The first batch of a file states whether the others are forced, so a file always needs a
    // forced first batch.
    if (forces || limitMoved || firstOfFile) {
      long beganNanos = System.nanoTime();
      journal.force();
      meter.forced(System.nanoTime() - beganNanos);
    }
    // After the journal, so that records behind the last batch of the journal prove damage.
    writeInPlace(commit);
    commit.publish(files, forces);
    return commit.after;
  }

  /// Writes a commit where it belongs. Where there is no room the commit is taken out of the
  /// journal, since an opening could not write the commit either.
  private void writeInPlace(Commit commit) {
    try {
      commit.write(files);
    } catch (StoreException.Full e) {
      takeBack(commit.batch.packInPlace());
      throw e;
    }
  }

  /// Takes the last batch out of the journal. Whatever fails meanwhile, an opening finds the batch
  /// and all that it needs, or no batch and nothing behind it that would prove a lost one.
  ///
  /// @param packInPlace whether the batch promises that its large records stand in the pack. They
  ///   stay there as long as the batch does
  private void takeBack(boolean packInPlace) {
    StoreFiles.GROWING.stream()
        .filter(name -> !(packInPlace && name.equals(BlobPack.FILE)))
        .forEach(name -> files.growing(name).truncateToEnd());
    files.forceGrowing();
    journal.takeBack();
    files.growing(BlobPack.FILE).truncateToEnd();
  }

  private ByteBuffer buffer(long size) {
    if (buffer.capacity() < size) {
      buffer = Journal.buffer(Math.max(size, buffer.capacity() * 2L));
    }
    return buffer.clear().limit((int) size);
  }

  /// Goes on in the other journal file, once the commits of that file are durable where they
  /// belong, and begins to make the commits of the present file durable.
  private void turnOver(long neededBytes, StorePosition position) {
    checkpointer.await();
    journal.turnOver(neededBytes);
    checkpointer.begin(position);
  }
}
