// SPDX-License-Identifier: Apache-2.0
package dev.varve.journal;

import static dev.varve.disk.LittleEndian.U16;
import static dev.varve.disk.LittleEndian.U32;
import static dev.varve.disk.LittleEndian.U64;

import dev.varve.disk.Disk;
import dev.varve.disk.DiskFile;
import dev.varve.disk.LittleEndian;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A position up to which every file is forced: the content of `checkpoint.tbl`.
///
/// Two slots are written in turn, so that a torn write leaves the older one. Beside the position a
/// slot keeps the *tails*: the last, partly filled block of each file that grows. Later appends
/// write into that very block, and a power cut may then spoil all of it, what was forced before
/// included. Page: `docs/format/checkpoint-tbl.md`.
///
/// @param state how the store stood then
/// @param tails the bytes from the last multiple of 4,096 up to the end, a file each, in the order
///   of [#TAIL_FILES]
/// @param erasures how often something had been erased then: a checkpoint holds for the files from
///   between two erasures only
public record Checkpoint(
    long seq, State state, StorePosition position, List<byte[]> tails, long erasures) {

  /// The state of a store at a checkpoint.
  public enum State {
    /// Commits may follow, in the journal.
    OPEN(0),

    /// The store was closed in order: nothing follows in the journal, nor in the files.
    CLOSED(1),

    /// The files are a backup up to the position. What stands behind the position is part of a
    /// later backup that is not complete yet, and does not count.
    BACKUP(3);

    private final int flags;

    State(int flags) {
      this.flags = flags;
    }

    private static Optional<State> of(int flags) {
      return Arrays.stream(values()).filter(state -> state.flags == flags).findFirst();
    }
  }

  public static final String FILE = "checkpoint.tbl";

  /// The files that have tails.
  public static final int TAIL_FILES = 7;

  /// A tail is shorter than this.
  public static final int BLOCK_BYTES = 4096;

  /// The fixed part of a slot. Behind it stand the tails.
  static final StructLayout LAYOUT =
      MemoryLayout.structLayout(
          U32.withName("magic"),
          U16.withName("version"),
          U16.withName("flags"),
          U64.withName("store_id"),
          U64.withName("seq"),
          U32.withName("size"),
          U32.withName("crc32"),
          U64.withName("erasures"),
          LittleEndian.bytes(StorePosition.SIZE_BYTES, "position"),
          LittleEndian.bytes(2 * TAIL_FILES, "tail_lens"));

  /// On the disk: `VCKP`.
  static final int MAGIC = 0x504B4356;

  static final int VERSION = 1;
  static final int SLOT_BYTES = 32768;

  private static final long STORE_ID = 8;
  private static final long SEQ = 16;
  private static final long SIZE = 24;
  private static final long CRC = 28;
  private static final long ERASURES = 32;
  private static final long POSITION = 40;
  private static final long TAIL_LENGTHS = POSITION + StorePosition.SIZE_BYTES;
  private static final int FIXED_BYTES = (int) TAIL_LENGTHS + 2 * TAIL_FILES;

  public Checkpoint {
    tails = List.copyOf(tails);
    if (tails.size() != TAIL_FILES) {
      throw new AssertionError(tails.size() + " tails");
    }
  }

  /// A checkpoint of a store in which nothing was erased.
  public Checkpoint(long seq, State state, StorePosition position, List<byte[]> tails) {
    this(seq, state, position, tails, 0);
  }

  /// The newest valid checkpoint, or empty if there is none.
  public static Optional<Checkpoint> read(Disk disk, long storeId) {
    if (!disk.exists(FILE)) {
      return Optional.empty();
    }
    try (DiskFile file = disk.open(FILE)) {
      Optional<Checkpoint> first = readSlot(file, 0, storeId);
      Optional<Checkpoint> second = readSlot(file, 1, storeId);
      if (first.isEmpty() || second.isEmpty()) {
        return first.or(() -> second);
      }
      return first.get().seq() > second.get().seq() ? first : second;
    }
  }

  private static Optional<Checkpoint> readSlot(DiskFile file, int slot, long storeId) {
    ByteBuffer buffer = ByteBuffer.allocate(SLOT_BYTES);
    int length = Math.max(0, file.read((long) slot * SLOT_BYTES, buffer));
    return readSlot(MemorySegment.ofArray(buffer.array()), length, storeId);
  }

  /// The checkpoint in the content of a file that holds one alone, as [#bytes] makes it; empty if
  /// there is none of this store.
  public static Optional<Checkpoint> of(byte[] file, long storeId) {
    int from = file.length > SLOT_BYTES ? SLOT_BYTES : 0;
    MemorySegment bytes = MemorySegment.ofArray(file).asSlice(from);
    return readSlot(bytes, (int) bytes.byteSize(), storeId);
  }

  private static Optional<Checkpoint> readSlot(MemorySegment bytes, int length, long storeId) {
    if (length < FIXED_BYTES
        || bytes.get(U32, 0) != MAGIC
        || bytes.get(U16, 4) != VERSION
        || bytes.get(U64, STORE_ID) != storeId) {
      return Optional.empty();
    }
    int size = bytes.get(U32, SIZE);
    if (size < FIXED_BYTES || size > length || bytes.get(U32, CRC) != checksum(bytes, size)) {
      return Optional.empty();
    }
    List<byte[]> tails = new ArrayList<>();
    long at = FIXED_BYTES;
    for (int i = 0; i < TAIL_FILES; i++) {
      int tailLength = Short.toUnsignedInt(bytes.get(U16, TAIL_LENGTHS + 2L * i));
      if (tailLength >= BLOCK_BYTES || at + tailLength > size) {
        return Optional.empty();
      }
      tails.add(bytes.asSlice(at, tailLength).toArray(ValueLayout.JAVA_BYTE));
      at += tailLength;
    }
    StorePosition position = StorePosition.read(bytes, POSITION);
    boolean whole = at == size && position.plausible();
    return State.of(bytes.get(U16, 6))
        .filter(_ -> whole)
        .map(
            state ->
                new Checkpoint(
                    bytes.get(U64, SEQ), state, position, tails, bytes.get(U64, ERASURES)));
  }

  /// Returns whether nothing follows the checkpoint in the journal.
  public boolean clean() {
    return state != State.OPEN;
  }

  /// Writes the checkpoint into its slot and forces it.
  public void write(DiskFile file, long storeId) {
    file.write((seq & 1) * SLOT_BYTES, ByteBuffer.wrap(slot(storeId)));
    file.force();
  }

  /// The content of a file that holds this checkpoint alone.
  public byte[] bytes(long storeId) {
    byte[] slot = slot(storeId);
    byte[] file = new byte[(int) (seq & 1) * SLOT_BYTES + slot.length];
    System.arraycopy(slot, 0, file, file.length - slot.length, slot.length);
    return file;
  }

  private byte[] slot(long storeId) {
    int size = FIXED_BYTES;
    for (byte[] tail : tails) {
      size += tail.length;
    }
    ByteBuffer buffer = ByteBuffer.allocate(size);
    MemorySegment bytes = MemorySegment.ofArray(buffer.array());
    bytes.set(U32, 0, MAGIC);
    bytes.set(U16, 4, (short) VERSION);
    bytes.set(U16, 6, (short) state.flags);
    bytes.set(U64, STORE_ID, storeId);
    bytes.set(U64, SEQ, seq);
    bytes.set(U32, SIZE, size);
    bytes.set(U64, ERASURES, erasures);
    position.write(bytes, POSITION);
    long at = FIXED_BYTES;
    for (int i = 0; i < TAIL_FILES; i++) {
      byte[] tail = tails.get(i);
      bytes.set(U16, TAIL_LENGTHS + 2L * i, (short) tail.length);
      MemorySegment.copy(MemorySegment.ofArray(tail), 0, bytes, at, tail.length);
      at += tail.length;
    }
    bytes.set(U32, CRC, checksum(bytes, size));
    return buffer.array();
  }

  /// Over everything, as if the checksum itself were zero.
  private static int checksum(MemorySegment bytes, int size) {
    MemorySegment copy =
        MemorySegment.ofArray(bytes.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE));
    copy.set(U32, CRC, 0);
    return LittleEndian.crc32(copy, 0, size);
  }
}
