// SPDX-License-Identifier: Apache-2.0
package dev.varve.journal;

import dev.varve.StoreException;
import dev.varve.disk.Disk;
import dev.varve.disk.DiskFile;
import dev.varve.disk.SharedForce;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Two files of zeros that are written over and over: while one takes batches, the other's are
/// being made durable where they belong.
///
/// The files are filled by real writes before they are used, so that forcing a batch forces its
/// bytes and nothing else (no size, no block map). A batch starts at a multiple of 4,096 bytes, so
/// that a torn write of one never harms the one before. Page: `docs/format/journal.md`.
public final class Journal implements AutoCloseable {

  /// The two files.
  public static final String FILE_A = "journal.a";

  public static final String FILE_B = "journal.b";

  static final int ALIGNMENT_BYTES = 4096;

  /// The first and the greatest size of a journal file.
  public record Sizes(long firstBytes, long maxBytes) {
    public static final Sizes DEFAULTS = new Sizes(2L << 20, 64L << 20);
  }

  private final Disk disk;
  private final Sizes sizes;
  private final @Nullable DiskFile[] files = new DiskFile[2];

  /// The committing thread forces them, and a checkpoint's does.
  private final @Nullable SharedForce[] forcings = new SharedForce[2];

  /// Their sizes. A file is not asked: to ask for it makes some systems note the time of the next
  /// write exactly, which the next force then has to write too.
  private final long[] sizesBytes = new long[2];

  private int current;
  private long end;

  /// Where the last batch begins.
  private long last;

  public Journal(Disk disk, Sizes sizes) {
    this.disk = disk;
    this.sizes = sizes;
  }

  /// Makes the first file ready. Needed before the first [#append] only; a store that is only read
  /// has no journal.
  public void start() {
    if (files[0] == null) {
      current = 0;
      end = 0;
      file(0);
      disk.forceNames();
    }
  }

  public boolean isStarted() {
    return files[0] != null;
  }

  private static String name(int which) {
    return which == 0 ? FILE_A : FILE_B;
  }

  private DiskFile file(int which) {
    DiskFile file = files[which];
    if (file == null) {
      file = disk.openUncached(name(which));
      boolean filled = false;
      SharedForce forcing = new SharedForce(file);
      try {
        fill(which, file, sizes.firstBytes());
        forcing.force();
        filled = true;
      } finally {
        if (!filled) {
          file.close();
        }
      }
      files[which] = file;
      forcings[which] = forcing;
    }
    return file;
  }

  private void force(int which) {
    SharedForce forcing = forcings[which];
    if (forcing != null) {
      forcing.force();
    }
  }

  /// Grows a file to `sizeBytes` by writing zeros.
  private void fill(int which, DiskFile file, long sizeBytes) {
    ByteBuffer zeros = ByteBuffer.allocateDirect(1 << 18);
    for (long at = file.sizeBytes(); at < sizeBytes; at += zeros.capacity()) {
      zeros.clear().limit((int) Math.min(zeros.capacity(), sizeBytes - at));
      file.write(at, zeros);
    }
    sizesBytes[which] = file.sizeBytes();
  }

  /// Returns whether a batch of this size still fits into the current file.
  public boolean fits(long sizeBytes) {
    return isStarted() && end + sizeBytes <= sizesBytes[current];
  }

  /// Goes on in the other file, whose batches must all be behind a checkpoint.
  public void turnOver(long neededBytes) {
    int next = 1 - current;
    boolean isNew = files[next] == null;
    DiskFile file = file(next);
    if (sizesBytes[next] < neededBytes) {
      fill(next, file, roundUp(neededBytes));
      force(next);
    }
    if (isNew) {
      disk.forceNames();
    }
    current = next;
    end = 0;
  }

  /// Makes the file that is not in use larger, if it is still small. Called after a checkpoint,
  /// beside the writing thread. If there is no room it stays as it is, and leaves the room to what
  /// is needed more.
  public void growIdle() {
    int which = 1 - current;
    DiskFile idle = files[which];
    long sizeBytes = sizesBytes[which];
    if (idle == null || sizeBytes >= sizes.maxBytes()) {
      return;
    }
    try {
      fill(which, idle, Math.min(sizes.maxBytes(), sizeBytes * 4));
    } catch (StoreException.Full e) {
      idle.resize(sizeBytes);
    }
    force(which);
  }

  /// Writes a batch behind the last one. It counts once [#force] has returned.
  ///
  /// Whole blocks are written, which a disk takes in one go: what follows the batch in its last
  /// block is of no meaning.
  ///
  /// @param bytes from a [#buffer]: a batch, all that remains of it; fits
  public void append(ByteBuffer bytes) {
    DiskFile file = file(current);
    last = end;
    long next = end + roundUp(bytes.remaining());
    int padded = bytes.position() + (int) (next - end);
    if (next <= sizesBytes[current] && padded <= bytes.capacity()) {
      bytes.limit(padded);
    }
    file.write(end, bytes);
    end = next;
  }

  /// Makes the last batch none, for good: it could not be written where it belongs.
  public void takeBack() {
    file(current).write(last, ByteBuffer.allocate(Batch.HEADER_BYTES));
    force(current);
    end = last;
  }

  /// Direct memory that begins and ends as blocks of the disk do.
  public static ByteBuffer buffer(long sizeBytes) {
    return ByteBuffer.allocateDirect(Math.toIntExact(roundUp(sizeBytes) + ALIGNMENT_BYTES))
        .alignedSlice(ALIGNMENT_BYTES);
  }

  static long roundUp(long sizeBytes) {
    return (sizeBytes + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
  }

  public void force() {
    force(current);
  }

  /// Forces both files.
  public void forceAll() {
    force(0);
    force(1);
  }

  /// Closes the files and, if all they hold is behind a checkpoint, deletes them.
  public void close(boolean empty) {
    for (int which = 0; which < 2; which++) {
      DiskFile file = files[which];
      if (file != null) {
        file.close();
        files[which] = null;
        forcings[which] = null;
      }
    }
    if (empty && isOn(disk)) {
      disk.delete(FILE_A);
      disk.delete(FILE_B);
      disk.forceNames();
    }
  }

  @Override
  public void close() {
    close(false);
  }

  // ---- after a crash

  /// Returns whether there is a journal: somebody wrote, and did not close in order.
  public static boolean isOn(Disk disk) {
    return disk.exists(FILE_A) || disk.exists(FILE_B);
  }

  /// Receives the batches that a crash left.
  public interface Replay {
    /// Takes a batch, in order, or refuses it and all behind it.
    boolean take(Batch batch);

    /// Is asked whether the store may go on with a batch though those between the last one and this
    /// one are not whole, or there are none. If so, [#take] follows.
    ///
    /// @param file where the batch stands; `offset` the byte where it begins
    boolean goOnWith(Batch batch, String file, long offset);

    /// Takes note of a whole batch that is not replayed, because it was refused or does not follow.
    /// The numbers that such a batch declares as given were really given.
    void passOver(Batch batch);
  }

  /// Facts about the journal that a replay has found.
  ///
  /// @param taken how many batches were taken
  /// @param allForced whether each commit was forced here before it was written where it belongs,
  ///   so that what stands there behind the last batch proves damage; also if there is no whole
  ///   batch, since the first is always forced
  /// @param endsBadly whether behind the newest batch stands what is neither a whole batch nor
  ///   zeros
  /// @param isVoid whether there is not one whole batch
  /// @param foreign a file that has batches of another store, null if there is none
  /// @param shortestBytes size of the shorter file, `sizeBytes` of both
  public record Remains(
      long taken,
      boolean allForced,
      boolean endsBadly,
      boolean isVoid,
      @Nullable String foreign,
      long shortestBytes,
      long sizeBytes) {}

  /// Hands over the batches behind `batchSeq`, in order.
  ///
  /// @param batchSeq last batch of the checkpoint; -1 if there is none, then it begins with the
  ///   oldest from which all are there up to the newest, or with the oldest of all if `Replay` may
  ///   go on behind a gap
  public static Remains replay(Disk disk, long storeId, long batchSeq, Replay replay) {
    JournalScan scan = JournalScan.of(disk, storeId);
    Map.Entry<Long, JournalScan.Place> newest = scan.places().lastEntry();
    boolean allForced =
        newest == null || scan.batch(newest.getValue()).filter(Batch::forced).isPresent();
    long next = batchSeq >= 0 ? batchSeq + 1 : first(scan.places(), allForced);
    long taken = 0;
    boolean ended = false;
    for (JournalScan.Place place : scan.places().tailMap(next).values()) {
      Optional<Batch> batch = scan.batch(place);
      if (batch.isEmpty()) {
        continue;
      }
      ended =
          ended
              || place.seq() != next && !replay.goOnWith(batch.get(), place.file(), place.offset())
              || !replay.take(batch.get());
      if (ended) {
        replay.passOver(batch.get());
      } else {
        taken++;
        next = place.seq() + 1;
      }
    }
    return new Remains(
        taken,
        allForced,
        scan.endsBadly(),
        newest == null,
        scan.foreign(),
        scan.shortestBytes(),
        scan.sizeBytes());
  }

  /// Where to begin without a checkpoint.
  private static long first(NavigableMap<Long, JournalScan.Place> places, boolean allForced) {
    if (places.isEmpty()) {
      return 1;
    }
    if (allForced) {
      return places.firstKey();
    }
    long seq = places.lastKey();
    while (places.containsKey(seq - 1)) {
      seq--;
    }
    return seq;
  }
}
