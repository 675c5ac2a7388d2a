// SPDX-License-Identifier: Apache-2.0
package dev.varve.journal;

import dev.varve.disk.Disk;
import dev.varve.disk.DiskFile;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The whole batches that a crash left in the journal's files, those behind damage included.
///
/// A batch is looked for at each multiple of 4,096, but not inside a batch whose header is whole:
/// the bytes that a batch carries are never taken for batches. Sequences rise along a file; where
/// one is too small, or too great for the blocks between, the rest is of an earlier round.
final class JournalScan {

  /// Where a batch stands.
  record Place(long seq, String file, long offset, int sizeBytes) {}

  private final Disk disk;
  private final long storeId;
  private final TreeMap<Long, Place> places = new TreeMap<>();
  private long shortestBytes = Long.MAX_VALUE;
  private long sumBytes;
  private boolean endsBadly;
  private @Nullable String foreign;

  private JournalScan(Disk disk, long storeId) {
    this.disk = disk;
    this.storeId = storeId;
  }

  /// Forces the files and reads them. A killed process may have left batches that the system has
  /// and the disk has not; the caller acts on what is found, so it must not go away again.
  static JournalScan of(Disk disk, long storeId) {
    JournalScan scan = new JournalScan(disk, storeId);
    for (String name : List.of(Journal.FILE_A, Journal.FILE_B)) {
      if (disk.exists(name)) {
        try (DiskFile file = disk.open(name)) {
          file.force();
          scan.read(file);
        }
      }
    }
    return scan;
  }

  /// The whole batches by their sequences.
  NavigableMap<Long, Place> places() {
    return places;
  }

  /// Size of the shorter file.
  long shortestBytes() {
    return shortestBytes;
  }

  /// Size of both files.
  long sizeBytes() {
    return sumBytes;
  }

  /// Returns whether something stands where the batch behind the newest one would, and is neither a
  /// whole batch nor zeros.
  boolean endsBadly() {
    return endsBadly;
  }

  /// The last file that has a batch of another store; null if there is none.
  @Nullable String foreign() {
    return foreign;
  }

  /// The batch at a place, read once more; empty if it is not whole any more.
  Optional<Batch> batch(@Nullable Place place) {
    if (place == null) {
      return Optional.empty();
    }
    try (DiskFile file = disk.open(place.file())) {
      return Batch.read(bytes(file, place.offset(), place.sizeBytes()));
    }
  }

  private void read(DiskFile file) {
    long sizeBytes = file.sizeBytes();
    shortestBytes = Math.min(shortestBytes, sizeBytes);
    sumBytes += sizeBytes;
    long last = -1;
    long end = 0; // of the last whole batch
    boolean bad = false; // whether what follows it is neither a batch nor zeros
    long offset = 0;
    while (offset <= sizeBytes - Batch.HEADER_BYTES) {
      MemorySegment header = bytes(file, offset, Batch.HEADER_BYTES);
      long left = sizeBytes - offset - Batch.HEADER_BYTES;
      Optional<Integer> body = Batch.bodyBytes(header, storeId).filter(length -> length <= left);
      if (body.isEmpty()) {
        bad |= offset == end && !isZero(header);
        foreign = Batch.isForeign(header, storeId) ? file.name() : foreign;
        offset += Journal.ALIGNMENT_BYTES;
        continue;
      }
      int size = Batch.HEADER_BYTES + body.get();
      Optional<Batch> batch = Batch.read(bytes(file, offset, size));
      if (batch.isPresent()) {
        long seq = batch.get().after().batchSeq();
        long between = (offset - end) / Journal.ALIGNMENT_BYTES;
        if (last >= 0 && (seq <= last || seq - last - 1 > between)) {
          break; // left over from an earlier round
        }
        places.put(seq, new Place(seq, file.name(), offset, size));
        last = seq;
        end = offset + Journal.roundUp(size);
        bad = false;
      } else {
        bad |= offset == end;
      }
      offset += Journal.roundUp(size);
    }
    if (places.isEmpty() || places.lastKey() == last) {
      endsBadly = bad;
    }
  }

  private static boolean isZero(MemorySegment bytes) {
    return bytes.mismatch(MemorySegment.ofArray(new byte[(int) bytes.byteSize()])) < 0;
  }

  private static MemorySegment bytes(DiskFile file, long offset, int sizeBytes) {
    ByteBuffer bytes = ByteBuffer.allocate(sizeBytes);
    int length = Math.max(0, file.read(offset, bytes));
    return MemorySegment.ofArray(bytes.array()).asSlice(0, length);
  }
}
