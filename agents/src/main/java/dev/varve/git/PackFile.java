// SPDX-License-Identifier: Apache-2.0
package dev.varve.git;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/// One pack with its index of version 2, which has a CRC-32 of each object as the object stands in
/// the pack. For one thread. Format: git's `gitformat-pack`.
final class PackFile implements AutoCloseable {

  private static final int MAGIC = 0xff744f63;
  private static final int FANOUT_AT = 8;
  private static final int IDS_AT = FANOUT_AT + 256 * 4;
  private static final int DIFFERENCE_BY_OFFSET = 6;
  private static final int DIFFERENCE_BY_ID = 7;
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment index;
  private final MemorySegment pack;
  private final int idBytes;
  private final int count;

  /// The beginning of each object, in the order of the pack; `numbers` has each object's number in
  /// the index.
  private final long[] starts;

  private final int[] numbers;

  /// The objects, by their place in [#starts], that were read and are intact.
  private final BitSet intact = new BitSet();

  private PackFile(Path indexFile, Path packFile, int idBytes) throws IOException {
    this.idBytes = idBytes;
    this.index = map(indexFile);
    this.pack = map(packFile);
    boolean known =
        index.byteSize() >= IDS_AT && index.get(INT, 0) == MAGIC && index.get(INT, 4) == 2;
    this.count = known ? index.get(INT, IDS_AT - 4) : 0;
    if (!known || count < 0 || index.byteSize() < offsetsAt() + 4L * count + 2L * idBytes) {
      throw new IOException(indexFile + ": no index of version 2");
    }
    this.starts = new long[count];
    Arrays.setAll(starts, this::offset);
    Arrays.sort(starts);
    this.numbers = new int[count];
    for (int i = 0; i < count; i++) {
      numbers[Arrays.binarySearch(starts, offset(i))] = i;
    }
  }

  /// @throws IOException if a file is gone, or its format is another
  static PackFile open(Path index, Path pack, int idBytes) throws IOException {
    return new PackFile(index, pack, idBytes);
  }

  private MemorySegment map(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
    }
  }

  private long checksumsAt() {
    return IDS_AT + (long) count * idBytes;
  }

  private long offsetsAt() {
    return checksumsAt() + 4L * count;
  }

  private long offset(int number) {
    int offset = index.get(INT, offsetsAt() + 4L * number);
    if (offset >= 0) {
      return offset;
    }
    long large = offsetsAt() + 4L * count + 8L * (offset & Integer.MAX_VALUE);
    return large + 8 <= index.byteSize() ? index.get(LONG, large) : -1;
  }

  /// Returns whether the pack has an object.
  boolean has(String id) {
    return find(HexFormat.of().parseHex(id)) >= 0;
  }

  /// The ids of all objects, in order.
  Stream<String> ids() {
    return IntStream.range(0, count)
        .mapToObj(
            number ->
                HexFormat.of()
                    .formatHex(
                        index
                            .asSlice(IDS_AT + (long) number * idBytes, idBytes)
                            .toArray(ValueLayout.JAVA_BYTE)));
  }

  /// False if the pack has an object, and the object or what it is a difference to is damaged.
  boolean isIntact(String id) {
    int number = find(HexFormat.of().parseHex(id));
    return number < 0 || isIntact(offset(number), count);
  }

  /// @param stepsMax the longest way of differences: a longer one goes in a circle
  private boolean isIntact(long offset, int stepsMax) {
    long start = offset;
    for (int step = 0; step <= stepsMax; step++) {
      int place = Arrays.binarySearch(starts, start);
      if (place < 0) {
        return false;
      }
      if (intact.get(place)) {
        return true;
      }
      long end = place + 1 < count ? starts[place + 1] : pack.byteSize() - idBytes;
      if (start < 0 || end <= start || end > pack.byteSize() || !hasChecksum(place, start, end)) {
        return false;
      }
      long base = base(start, end);
      if (base < 0) {
        return false;
      }
      if (base == start) {
        intact.set(place);
        return true;
      }
      start = base;
    }
    return false;
  }

  private boolean hasChecksum(int place, long start, long end) {
    CRC32 checksum = new CRC32();
    checksum.update(pack.asSlice(start, end - start).asByteBuffer());
    return (int) checksum.getValue() == index.get(INT, checksumsAt() + 4L * numbers[place]);
  }

  /// The offset of the object that an object is a difference to; the object's own if it is whole;
  /// -1 if the base is not in the pack.
  private long base(long start, long end) {
    long at = start;
    int first = pack.get(ValueLayout.JAVA_BYTE, at);
    int kind = (first >> 4) & 7;
    for (int more = first; more < 0 && at + 1 < end; ) {
      more = pack.get(ValueLayout.JAVA_BYTE, ++at);
    }
    at++;
    if (kind == DIFFERENCE_BY_OFFSET) {
      return start - distance(at, end);
    }
    if (kind == DIFFERENCE_BY_ID && at + idBytes <= end) {
      int number = find(pack.asSlice(at, idBytes).toArray(ValueLayout.JAVA_BYTE));
      return number < 0 ? -1 : offset(number);
    }
    return kind == DIFFERENCE_BY_ID ? -1 : start;
  }

  private long distance(long from, long end) {
    long at = from;
    int next = pack.get(ValueLayout.JAVA_BYTE, at);
    long distance = next & 0x7f;
    while (next < 0 && at + 1 < end) {
      next = pack.get(ValueLayout.JAVA_BYTE, ++at);
      distance = ((distance + 1) << 7) | (next & 0x7f);
    }
    return distance;
  }

  /// The number of an object in the index; -1 if the pack does not have the object.
  private int find(byte[] id) {
    int first = id[0] & 0xff;
    int low = first == 0 ? 0 : index.get(INT, FANOUT_AT + 4L * (first - 1));
    int high = Math.min(count, index.get(INT, FANOUT_AT + 4L * first)) - 1;
    MemorySegment wanted = MemorySegment.ofArray(id);
    low = Math.max(0, low);
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int compared = compare(wanted, IDS_AT + (long) middle * idBytes);
      if (compared == 0) {
        return middle;
      }
      if (compared < 0) {
        high = middle - 1;
      } else {
        low = middle + 1;
      }
    }
    return -1;
  }

  private int compare(MemorySegment id, long at) {
    long differs = MemorySegment.mismatch(id, 0, idBytes, index, at, at + idBytes);
    return differs < 0
        ? 0
        : Byte.compareUnsigned(
            id.get(ValueLayout.JAVA_BYTE, differs), index.get(ValueLayout.JAVA_BYTE, at + differs));
  }

  @Override
  public void close() {
    arena.close();
  }
}
