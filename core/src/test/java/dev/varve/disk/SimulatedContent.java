// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/// What a file of a [SimulatedDisk] holds: once as programs see it, once as it is on the medium.
///
/// The two differ in the sectors that are *dirty*. A write may bring the sector's earlier version
/// to the medium first, as a system that writes back in the background does; [#force] brings all
/// there; [#survivor] is what a power cut leaves.
///
/// Guarded by its disk.
final class SimulatedContent {

  static final int SECTOR_BYTES = 512;

  private final int capacityBytes;

  /// As programs see it; zeros behind `sizeBytes`. Once mapped it has `capacityBytes` and stays the
  /// same array, so that each mapping is a slice of it.
  private byte[] bytes;

  private int sizeBytes;
  private boolean mapped;

  /// As it is on the medium.
  private byte[] medium;

  private int mediumSizeBytes;

  private final BitSet dirty = new BitSet();

  /// The bytes that were written since they were forced, even if by the same.
  private final BitSet written = new BitSet();

  /// The sectors that somebody may write through memory, which may be dirty without being in
  /// `dirty`.
  private final BitSet mappedForWriting = new BitSet();

  /// The sectors that take room.
  private final BitSet allocated = new BitSet();

  /// Sectors that a failed force dropped, and what they held then: the system takes them for
  /// written until they change again.
  private final Map<Integer, byte[]> dropped = new HashMap<>();

  SimulatedContent(int capacityBytes) {
    this(capacityBytes, new byte[0], 0);
  }

  private SimulatedContent(int capacityBytes, byte[] survived, int sizeBytes) {
    this.capacityBytes = capacityBytes;
    this.bytes = survived;
    this.sizeBytes = sizeBytes;
    this.medium = survived.clone();
    this.mediumSizeBytes = sizeBytes;
    allocated.set(0, sectors(sizeBytes));
  }

  int sizeBytes() {
    return sizeBytes;
  }

  long allocatedBytes() {
    return (long) allocated.cardinality() * SECTOR_BYTES;
  }

  /// How many of `length` bytes at `position` can be written if `freeBytes` may still be taken.
  int fitting(long position, int length, long freeBytes) {
    ensure(position + length);
    long free = freeBytes;
    for (int sector = sector(position); sector < sectors(position + length); sector++) {
      if (!allocated.get(sector)) {
        free -= SECTOR_BYTES;
        if (free < 0) {
          return (int) Math.max(0, (long) sector * SECTOR_BYTES - position);
        }
      }
    }
    return length;
  }

  int read(long position, ByteBuffer target) {
    int count = (int) Math.max(0, Math.min(target.remaining(), sizeBytes - position));
    if (count > 0) {
      target.put(bytes, (int) position, count);
    }
    return count;
  }

  void write(long position, ByteBuffer source, SplittableRandom random) {
    int length = source.remaining();
    if (length == 0) {
      return;
    }
    ensure(position + length);
    int first = sector(position);
    int end = sectors(position + length);
    for (int sector = dirty.nextSetBit(first); sector >= 0 && sector < end; ) {
      if (random.nextInt(4) == 0) {
        bringToMedium(sector);
      }
      sector = dirty.nextSetBit(sector + 1);
    }
    source.get(bytes, (int) position, length);
    written.set((int) position, (int) position + length);
    sizeBytes = Math.max(sizeBytes, (int) position + length);
    dirty.set(first, end);
    allocated.set(first, end);
    dropped.keySet().removeIf(sector -> sector >= first && sector < end);
  }

  void resize(long size) {
    ensure(size);
    int target = (int) size;
    if (target < sizeBytes) {
      Arrays.fill(bytes, target, sizeBytes, (byte) 0);
      dirty.set(sector(target), sectors(sizeBytes));
      allocated.clear(sectors(target), Math.max(sectors(target), sectors(sizeBytes)));
    }
    sizeBytes = target;
  }

  MemorySegment map(long position, long length, boolean writable) {
    if (!mapped) {
      bytes = Arrays.copyOf(bytes, capacityBytes);
      mapped = true;
    }
    MemorySegment memory = MemorySegment.ofArray(bytes).asSlice(position, length);
    if (writable) {
      mappedForWriting.set(sector(position), sectors(position + length));
      return memory;
    }
    return memory.asReadOnly();
  }

  void force() {
    BitSet forced = suspects();
    for (int s = forced.nextSetBit(0); s >= 0; s = forced.nextSetBit(s + 1)) {
      if (!isDropped(s)) {
        bringToMedium(s);
      }
    }
    dirty.clear();
    written.clear();
    mediumSizeBytes = sizeBytes;
  }

  /// What Linux does when it cannot write pages back: it says so once, and then takes some of them
  /// for written.
  void failForce(SplittableRandom random) {
    BitSet forced = suspects();
    for (int s = forced.nextSetBit(0); s >= 0; s = forced.nextSetBit(s + 1)) {
      if (isChanged(s) && random.nextBoolean()) {
        dropped.put(s, sectorOf(bytes, s));
        dirty.clear(s);
        written.clear(s * SECTOR_BYTES, (s + 1) * SECTOR_BYTES);
      }
    }
  }

  /// The file after the process died and the system lived on.
  SimulatedContent copy() {
    SimulatedContent copy =
        new SimulatedContent(capacityBytes, Arrays.copyOf(bytes, sizeBytes), sizeBytes);
    copy.medium = medium.clone();
    copy.mediumSizeBytes = mediumSizeBytes;
    copy.dirty.or(suspects());
    copy.written.or(written);
    copy.dropped.putAll(dropped);
    copy.allocated.clear();
    copy.allocated.or(allocated);
    return copy;
  }

  /// The file after a power cut.
  ///
  /// @param spoiltBytes size of the blocks that are harmed whole; 0 if only what was written is
  SimulatedContent survivor(SplittableRandom random, int spoiltBytes) {
    int size = survivingSize(random);
    byte[] survived = Arrays.copyOf(medium, Math.max(medium.length, sizeBytes));
    BitSet suspects = suspects();
    WriteBack writeBack = WriteBack.any(random);
    for (int s = suspects.nextSetBit(0); s >= 0; s = suspects.nextSetBit(s + 1)) {
      if (!isDropped(s) && (dirty.get(s) || isChanged(s))) {
        if (spoiltBytes == 0) {
          writeBack.sector(survived, bytes, written, s * SECTOR_BYTES, random);
        } else {
          int start = s * SECTOR_BYTES / spoiltBytes * spoiltBytes;
          writeBack.block(survived, bytes, start, spoiltBytes, random);
          s = (start + spoiltBytes) / SECTOR_BYTES - 1;
        }
      }
    }
    return new SimulatedContent(capacityBytes, Arrays.copyOf(survived, size), size);
  }

  private int survivingSize(SplittableRandom random) {
    int least = Math.min(sizeBytes, mediumSizeBytes);
    int most = Math.max(sizeBytes, mediumSizeBytes);
    return switch (random.nextInt(3)) {
      case 0 -> mediumSizeBytes;
      case 1 -> sizeBytes;
      default -> random.nextInt(least, most + 1);
    };
  }

  private BitSet suspects() {
    BitSet suspects = (BitSet) dirty.clone();
    suspects.or(mappedForWriting);
    return suspects;
  }

  private boolean isDropped(int sector) {
    byte[] then = dropped.get(sector);
    return then != null && Arrays.equals(then, sectorOf(bytes, sector));
  }

  private boolean isChanged(int sector) {
    int from = sector * SECTOR_BYTES;
    int to = from + SECTOR_BYTES;
    if (to <= bytes.length && to <= medium.length) {
      return Arrays.mismatch(bytes, from, to, medium, from, to) >= 0;
    }
    return !Arrays.equals(sectorOf(bytes, sector), sectorOf(medium, sector));
  }

  private void bringToMedium(int sector) {
    int from = sector * SECTOR_BYTES;
    int to = Math.min(from + SECTOR_BYTES, bytes.length);
    if (to > medium.length) {
      medium = Arrays.copyOf(medium, Math.max(to, Math.min(capacityBytes, 2 * medium.length)));
    }
    if (from < to) {
      System.arraycopy(bytes, from, medium, from, to - from);
    }
  }

  /// The sector, with zeros for what the array does not have.
  private static byte[] sectorOf(byte[] content, int sector) {
    int from = Math.min(content.length, sector * SECTOR_BYTES);
    return Arrays.copyOf(
        Arrays.copyOfRange(content, from, Math.min(content.length, from + SECTOR_BYTES)),
        SECTOR_BYTES);
  }

  private void ensure(long size) {
    if (size < 0 || size > capacityBytes) {
      throw new AssertionError(
          "a simulated file of " + size + " bytes: raise the capacity of " + capacityBytes);
    }
    if (size > bytes.length) {
      bytes =
          Arrays.copyOf(bytes, (int) Math.min(capacityBytes, Math.max(size, 2L * bytes.length)));
    }
  }

  private static int sector(long position) {
    return (int) (position / SECTOR_BYTES);
  }

  private static int sectors(long size) {
    return (int) ((size + SECTOR_BYTES - 1) / SECTOR_BYTES);
  }
}
