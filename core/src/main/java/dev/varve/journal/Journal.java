// SPDX-License-Identifier: Apache-2.0
package dev.varve.journal;

import dev.varve.StoreException;
import dev.varve.disk.Disk;
import dev.varve.disk.DiskFile;
import dev.varve.disk.Forcing;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

  /// How large a journal file is at first and at most.
  public record Sizes(long firstBytes, long maxBytes) {
    public static final Sizes DEFAULTS = new Sizes(2L << 20, 64L << 20);
  }

  private final Disk disk;
  private final Sizes sizes;
  private final @Nullable DiskFile[] files = new DiskFile[2];

  /// The committing thread forces them, and a checkpoint's does.
  private final @Nullable Forcing[] forcings = new Forcing[2];

  /// Their sizes. A file is not asked: to ask for it makes some systems note the time of the next
  /// write exactly, which the next force then has to write too.
  private final long[] sizesBytes = new long[2];

  private int current;
  private long end;

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
      Forcing forcing = new Forcing(file);
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
    Forcing forcing = forcings[which];
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

  /// Whether a batch of this size still fits into the current file.
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
    long next = end + roundUp(bytes.remaining());
    int padded = bytes.position() + (int) (next - end);
    if (next <= sizesBytes[current] && padded <= bytes.capacity()) {
      bytes.limit(padded);
    }
    file.write(end, bytes);
    end = next;
  }

  /// Direct memory that begins and ends as blocks of the disk do.
  public static ByteBuffer buffer(long sizeBytes) {
    return ByteBuffer.allocateDirect(Math.toIntExact(roundUp(sizeBytes) + ALIGNMENT_BYTES))
        .alignedSlice(ALIGNMENT_BYTES);
  }

  private static long roundUp(long sizeBytes) {
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

  /// Whether there is a journal: somebody wrote, and did not close in order.
  public static boolean isOn(Disk disk) {
    return disk.exists(FILE_A) || disk.exists(FILE_B);
  }

  /// Receives the batches that a crash left.
  public interface Replay {
    /// Takes a batch, in order, or refuses it and all behind it.
    boolean take(Batch batch);

    /// Is asked whether the first batch may be one with this position before it, if none follows
    /// the checkpoint.
    boolean startAt(Position before);

    /// Is told of each whole batch that is not taken, because it was refused or does not follow.
    /// What it says of numbers that were given is true.
    void passOver(Batch batch);
  }

  /// Hands over the batches behind `batchSeq`, without gaps.
  ///
  /// @param batchSeq last batch of the checkpoint; -1 if there is none, then the oldest is first
  ///   from which all are there up to the newest
  /// @return how many were taken
  public static long replay(Disk disk, long storeId, long batchSeq, Replay replay) {
    Map<Long, Place> places = new HashMap<>();
    for (int which = 0; which < 2; which++) {
      if (disk.exists(name(which))) {
        try (DiskFile file = disk.open(name(which))) {
          // A killed process may have left batches that the system has and the disk has not. What
          // is
          // taken from here is acted upon, so it must not go away again.
          file.force();
          findBatches(file, storeId, places);
        }
      }
    }
    long next = batchSeq >= 0 ? batchSeq + 1 : oldestOfTheNewest(places.keySet());
    if (!places.containsKey(next)) {
      long later = oldestBehind(places.keySet(), next);
      if (read(disk, places.get(later)).filter(b -> replay.startAt(b.before())).isPresent()) {
        next = later;
      }
    }
    long taken = 0;
    Place place = places.get(next);
    while (place != null) {
      Optional<Batch> batch = read(disk, place);
      if (batch.isEmpty() || !replay.take(batch.get())) {
        break;
      }
      taken++;
      place = places.get(++next);
    }
    for (Map.Entry<Long, Place> left : places.entrySet()) {
      if (left.getKey() >= next) {
        read(disk, left.getValue()).ifPresent(replay::passOver);
      }
    }
    return taken;
  }

  private static long oldestOfTheNewest(Set<Long> seqs) {
    long seq = seqs.stream().mapToLong(Long::longValue).max().orElse(1);
    while (seqs.contains(seq - 1)) {
      seq--;
    }
    return seq;
  }

  private static long oldestBehind(Set<Long> seqs, long seq) {
    return seqs.stream().mapToLong(Long::longValue).filter(s -> s > seq).min().orElse(seq);
  }

  private record Place(String file, long offset, int sizeBytes) {}

  /// Notes the run of consecutive batches at the start of a file.
  private static void findBatches(DiskFile file, long storeId, Map<Long, Place> places) {
    long offset = 0;
    long expected = -1;
    while (true) {
      MemorySegment header = readBytes(file, offset, Batch.HEADER_BYTES);
      Optional<Integer> bodyBytes =
          header.byteSize() < Batch.HEADER_BYTES
              ? Optional.empty()
              : Batch.bodyBytes(header, storeId);
      long left = file.sizeBytes() - offset - Batch.HEADER_BYTES;
      if (bodyBytes.isEmpty() || bodyBytes.get() > left) {
        return;
      }
      int size = Batch.HEADER_BYTES + bodyBytes.get();
      Optional<Batch> batch = Batch.read(readBytes(file, offset, size));
      if (batch.isEmpty()) {
        return;
      }
      long seq = batch.get().after().batchSeq();
      if (expected >= 0 && seq != expected) {
        return; // left over from an earlier round
      }
      places.put(seq, new Place(file.name(), offset, size));
      expected = seq + 1;
      offset += roundUp(size);
    }
  }

  private static Optional<Batch> read(Disk disk, @Nullable Place place) {
    if (place == null) {
      return Optional.empty();
    }
    try (DiskFile file = disk.open(place.file())) {
      return Batch.read(readBytes(file, place.offset(), place.sizeBytes()));
    }
  }

  private static MemorySegment readBytes(DiskFile file, long offset, int sizeBytes) {
    ByteBuffer bytes = ByteBuffer.allocate(sizeBytes);
    int length = Math.max(0, file.read(offset, bytes));
    return MemorySegment.ofArray(bytes.array()).asSlice(0, length);
  }
}
