// SPDX-License-Identifier: Apache-2.0
package dev.varve.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.disk.DiskFile;
import dev.varve.disk.LittleEndian;
import dev.varve.disk.SimulatedDisk;
import dev.varve.format.Bytes;
import dev.varve.format.Example;
import dev.varve.format.FieldTable;
import dev.varve.format.FormatPage;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class CheckpointTest {

  private static final FormatPage PAGE = FormatPage.of("checkpoint-tbl");
  private static final long STORE = 0x1122334455667788L;

  /// Tails of 1, 2, 3, … bytes, and one of the greatest length.
  private static List<byte[]> tails() {
    List<byte[]> tails = new ArrayList<>();
    for (int i = 0; i < Checkpoint.TAIL_FILES; i++) {
      byte[] tail = new byte[i == 5 ? Checkpoint.BLOCK_BYTES - 1 : i + 1];
      Arrays.fill(tail, (byte) (0xc0 + i));
      tails.add(tail);
    }
    return tails;
  }

  private static Checkpoint checkpoint(long seq) {
    return new Checkpoint(seq, Checkpoint.State.OPEN, Positions.distinct(seq * 100, seq), tails());
  }

  private static byte[] written(Checkpoint checkpoint, long storeId) {
    SimulatedDisk disk = new SimulatedDisk(0);
    try (DiskFile file = disk.open(Checkpoint.FILE)) {
      checkpoint.write(file, storeId);
      long start = (checkpoint.seq() & 1) * Checkpoint.SLOT_BYTES;
      ByteBuffer bytes = ByteBuffer.allocate((int) (file.sizeBytes() - start));
      file.read(start, bytes);
      return bytes.array();
    }
  }

  private static void put(SimulatedDisk disk, long offset, byte[] bytes) {
    try (DiskFile file = disk.open(Checkpoint.FILE)) {
      file.write(offset, ByteBuffer.wrap(bytes));
    }
  }

  private static Optional<Checkpoint> read(byte[] slot) {
    SimulatedDisk disk = new SimulatedDisk(0);
    put(disk, 0, slot);
    Optional<Checkpoint> read = Checkpoint.read(disk, STORE);
    assertThat(Checkpoint.of(slot, STORE).isPresent()).isEqualTo(read.isPresent());
    return read;
  }

  private static void assertSame(Optional<Checkpoint> read, Checkpoint expected) {
    assertThat(read).isPresent();
    assertThat(read.get().seq()).isEqualTo(expected.seq());
    assertThat(read.get().clean()).isEqualTo(expected.clean());
    assertThat(read.get().position()).isEqualTo(expected.position());
    for (int i = 0; i < Checkpoint.TAIL_FILES; i++) {
      assertThat(read.get().tails().get(i)).isEqualTo(expected.tails().get(i));
    }
  }

  @Test
  void thePageTellsTheLayout() {
    assertThat(PAGE.table("Slot").differences(Checkpoint.LAYOUT)).isEmpty();
  }

  @Test
  void thePageShowsWhatIsWritten() {
    List<byte[]> tails = new ArrayList<>(Collections.nCopies(Checkpoint.TAIL_FILES, new byte[0]));
    tails.set(0, Positions.helloRecord());
    tails.set(6, Positions.helloEntry());
    Checkpoint example = new Checkpoint(2, Checkpoint.State.CLOSED, Positions.WITH_HELLO, tails);

    assertThat(PAGE.example("Example")).isEqualTo(Bytes.dump(written(example, Example.SHORT_ID)));
  }

  @Test
  void everyFieldIsWrittenWhereThePageSays() {
    byte[] slot = written(checkpoint(4), STORE);
    MemorySegment bytes = MemorySegment.ofArray(slot);
    byte[] position = new byte[StorePosition.SIZE_BYTES];
    checkpoint(4).position().write(MemorySegment.ofArray(position), 0);
    MemorySegment unsigned = MemorySegment.ofArray(slot.clone());
    unsigned.set(LittleEndian.U32, 28, 0);

    assertThat(Bytes.fields(Checkpoint.LAYOUT, bytes))
        .isEqualTo(
            Map.of(
                "magic",
                (long) Checkpoint.MAGIC,
                "version",
                (long) Checkpoint.VERSION,
                "flags",
                0L,
                "store_id",
                STORE,
                "seq",
                4L,
                "size",
                (long) slot.length,
                "crc32",
                Integer.toUnsignedLong(LittleEndian.crc32(unsigned, 0, slot.length)),
                "erasures",
                0L,
                "position",
                Bytes.hex(position),
                "tail_lens",
                "0100" + "0200" + "0300" + "0400" + "0500" + "ff0f" + "0700"));
    FieldTable.Place tails =
        PAGE.table("Slot").places(Map.of("tail_bytes", 22L + 4095)).get("tails");
    byte[] all = new byte[(int) tails.size()];
    int at = 0;
    for (byte[] tail : tails()) {
      System.arraycopy(tail, 0, all, at, tail.length);
      at += tail.length;
    }
    assertThat(Arrays.copyOfRange(slot, (int) tails.offset(), slot.length)).isEqualTo(all);
  }

  @Test
  void whatIsWrittenIsReadAgain() {
    assertSame(read(written(checkpoint(2), STORE)), checkpoint(2));
    Checkpoint clean =
        new Checkpoint(6, Checkpoint.State.CLOSED, Positions.distinct(1, 1), tails());
    assertSame(read(written(clean, STORE)), clean);
  }

  @Test
  void everyDamagedByteIsRefused() {
    byte[] slot = written(checkpoint(2), STORE);

    Bytes.eachDamaged(slot, damaged -> assertThat(read(damaged)).isEmpty());
  }

  @Test
  void aSlotThatIsCutAnywhereIsRefused() {
    byte[] slot = written(checkpoint(2), STORE);

    for (int length = 0; length < slot.length; length += 5) {
      assertThat(read(Arrays.copyOf(slot, length))).as("%d bytes", length).isEmpty();
    }
  }

  @Test
  void theNewerOfTwoSlotsCounts() {
    SimulatedDisk disk = new SimulatedDisk(0);
    assertThat(Checkpoint.read(disk, STORE)).as("no file").isEmpty();
    for (long seq = 1; seq <= 5; seq++) {
      try (DiskFile file = disk.open(Checkpoint.FILE)) {
        checkpoint(seq).write(file, STORE);
      }
      assertSame(Checkpoint.read(disk, STORE), checkpoint(seq));
    }
  }

  @Test
  void theOlderSlotCountsWhenTheNewerIsTorn() {
    SimulatedDisk disk = new SimulatedDisk(0);
    put(disk, Checkpoint.SLOT_BYTES, written(checkpoint(7), STORE));
    byte[] newer = written(checkpoint(8), STORE);
    put(disk, 0, newer);
    assertSame(Checkpoint.read(disk, STORE), checkpoint(8));

    put(disk, 100, new byte[200]);
    assertSame(Checkpoint.read(disk, STORE), checkpoint(7));

    put(disk, Checkpoint.SLOT_BYTES + 60, new byte[] {1, 2, 3});
    assertThat(Checkpoint.read(disk, STORE)).as("both are damaged").isEmpty();
  }

  @Test
  void aShorterCheckpointOverALongerOneIsRead() {
    SimulatedDisk disk = new SimulatedDisk(0);
    List<byte[]> none = Collections.nCopies(Checkpoint.TAIL_FILES, new byte[0]);
    Checkpoint shorter = new Checkpoint(4, Checkpoint.State.OPEN, Positions.distinct(9, 9), none);
    try (DiskFile file = disk.open(Checkpoint.FILE)) {
      checkpoint(2).write(file, STORE);
      shorter.write(file, STORE);
    }

    assertSame(Checkpoint.read(disk, STORE), shorter);
  }

  @Test
  void aCheckpointIsForcedWhenItIsWritten() {
    SimulatedDisk disk = new SimulatedDisk(0);
    try (DiskFile file = disk.open(Checkpoint.FILE)) {
      disk.forceNames();
      long before = disk.forces();
      checkpoint(2).write(file, STORE);
      assertThat(disk.forces()).isEqualTo(before + 1);
    }

    assertSame(Checkpoint.read(disk.cutPower(), STORE), checkpoint(2));
  }

  @Test
  void aCheckpointOfAnotherStoreIsNone() {
    SimulatedDisk disk = new SimulatedDisk(0);
    put(disk, 0, written(checkpoint(2), STORE));

    assertThat(Checkpoint.read(disk, STORE + 1)).isEmpty();
  }

  @Test
  void theLargestCheckpointFitsInItsSlot() {
    List<byte[]> largest =
        Collections.nCopies(Checkpoint.TAIL_FILES, new byte[Checkpoint.BLOCK_BYTES - 1]);
    byte[] slot =
        written(new Checkpoint(2, Checkpoint.State.OPEN, StorePosition.START, largest), STORE);

    assertThat(slot.length).isLessThanOrEqualTo(Checkpoint.SLOT_BYTES);
    assertThatThrownBy(
            () -> new Checkpoint(2, Checkpoint.State.OPEN, StorePosition.START, List.of()))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void theCountOfErasuresIsReadAgain() {
    Checkpoint erased =
        new Checkpoint(2, Checkpoint.State.OPEN, Positions.distinct(1, 1), tails(), 11);

    assertThat(read(written(erased, STORE)).orElseThrow().erasures()).isEqualTo(11);
  }

  /// As a backup keeps it: in the slot that its number has, the other one of zeros.
  @Test
  void aFileOfOneCheckpointAloneIsReadAsTheFileOfAStoreIs() {
    for (long seq = 4; seq <= 5; seq++) {
      byte[] file = checkpoint(seq).bytes(STORE);
      SimulatedDisk disk = new SimulatedDisk(0);
      put(disk, 0, file);

      assertThat(file.length > Checkpoint.SLOT_BYTES)
          .as("in its slot, or a torn write spoils the only one")
          .isEqualTo(seq % 2 == 1);
      assertSame(Checkpoint.of(file, STORE), checkpoint(seq));
      assertSame(Checkpoint.read(disk, STORE), checkpoint(seq));
      assertThat(Checkpoint.of(file, STORE + 1)).as("of another store").isEmpty();
    }
    assertThat(Checkpoint.of(new byte[Checkpoint.SLOT_BYTES], STORE)).as("zeros").isEmpty();
    assertThat(Checkpoint.of(new byte[0], STORE)).as("an empty file").isEmpty();
  }

  /// A right checksum over wrong numbers, as a fault of a program would leave them.
  @Test
  void aSlotWhoseNumbersCannotBeIsRefused() {
    byte[] slot = written(checkpoint(2), STORE);
    int lengths = 40 + StorePosition.SIZE_BYTES;
    for (int last : new int[] {6, 8, 4096, 0xffff}) {
      assertThat(
              read(signed(slot, bytes -> bytes.set(LittleEndian.U16, lengths + 12, (short) last))))
          .as("a last tail of %d bytes", last)
          .isEmpty();
    }
    assertThat(read(signed(slot, bytes -> bytes.set(LittleEndian.U64, 40 + 8, -1))))
        .as("a negative number")
        .isEmpty();
    assertThat(read(signed(slot, bytes -> bytes.set(LittleEndian.U16, 6, (short) 2))))
        .as("a state that there is not")
        .isEmpty();
    assertThat(read(signed(slot, _ -> {}))).isPresent();
  }

  private static byte[] signed(byte[] slot, Consumer<MemorySegment> change) {
    byte[] changed = slot.clone();
    MemorySegment bytes = MemorySegment.ofArray(changed);
    change.accept(bytes);
    bytes.set(LittleEndian.U32, 28, 0);
    bytes.set(LittleEndian.U32, 28, LittleEndian.crc32(bytes, 0, changed.length));
    return changed;
  }

  @Test
  void nothingFollowsACheckpointThatClosesAStoreOrABackup() {
    for (Checkpoint.State state : Checkpoint.State.values()) {
      Checkpoint checkpoint = new Checkpoint(2, state, Positions.distinct(1, 1), tails());

      assertThat(read(written(checkpoint, STORE)).orElseThrow().clean())
          .as(state.name())
          .isEqualTo(state != Checkpoint.State.OPEN);
    }
  }
}
