// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.ErasedBlob;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.disk.DiskFile;
import dev.varve.disk.FileGrowth;
import dev.varve.disk.LittleEndian;
import dev.varve.disk.SimulatedDisk;
import dev.varve.format.Bytes;
import dev.varve.format.Example;
import dev.varve.format.FormatPage;
import dev.varve.hash.Blake3;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ErasedTableTest {

  private static final FormatPage PAGE = FormatPage.of("erased-tbl");
  private static final ErasedBlob HELLO = erased("hello", 1);

  private static ErasedBlob erased(String content, int run) {
    return new ErasedBlob(
        Blake3.hash(Payload.utf8(content)),
        content.length(),
        ErasedBlob.Cause.BLOB,
        Example.CREATED_AT,
        run);
  }

  private static List<ErasedBlob> sorted(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> erased("blob " + i, i))
        .sorted((a, b) -> ErasedTable.compare(a.hash(), b.hash()))
        .toList();
  }

  private static SimulatedDisk diskWith(List<ErasedBlob> entries) {
    SimulatedDisk disk = new SimulatedDisk(0);
    ErasedTable.write(disk, ErasedTable.FILE, Example.SHORT_ID, entries);
    return disk;
  }

  private static byte[] bytes(SimulatedDisk disk) {
    try (DiskFile file = disk.open(ErasedTable.FILE)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) file.sizeBytes());
      file.read(0, bytes);
      return bytes.array();
    }
  }

  private static ErasedTable open(SimulatedDisk disk) {
    return ErasedTable.open(disk, Example.SHORT_ID, FileGrowth.DEFAULTS, true);
  }

  @Test
  void thePageTellsTheLayout() {
    assertThat(PAGE.table("Header").differences(ErasedTable.HEADER)).isEmpty();
    assertThat(PAGE.table("Entry").differences(ErasedTable.LAYOUT)).isEmpty();
  }

  @Test
  void thePageShowsWhatIsWritten() {
    assertThat(PAGE.example("Example")).isEqualTo(Bytes.dump(bytes(diskWith(List.of(HELLO)))));
  }

  @Test
  void everyFieldIsWrittenWhereThePageSays() {
    byte[] file = bytes(diskWith(List.of(HELLO)));
    MemorySegment header = MemorySegment.ofArray(file).asSlice(0, 64);
    MemorySegment entry = MemorySegment.ofArray(file).asSlice(64, 64);

    assertThat(Bytes.fields(ErasedTable.HEADER, header))
        .isEqualTo(
            Map.of(
                "magic",
                ErasedTable.MAGIC,
                "version",
                1L,
                "reserved",
                0L,
                "store_id",
                Example.SHORT_ID,
                "count",
                1L,
                "reserved_2",
                Bytes.zeros(28),
                "crc32",
                Integer.toUnsignedLong(LittleEndian.crc32(header, 0, 60))));
    assertThat(Bytes.fields(ErasedTable.LAYOUT, entry))
        .isEqualTo(
            Map.of(
                "hash",
                HELLO.hash().toString(),
                "erased_at_unix_ms",
                Example.CREATED_MS,
                "raw_len",
                5L,
                "run",
                1L,
                "cause",
                2L,
                "flags",
                0L,
                "crc32",
                Integer.toUnsignedLong(LittleEndian.crc32(entry, 0, 60))));
  }

  @Test
  void eachEntryIsFoundAndNoOther() {
    List<ErasedBlob> entries = sorted(3000);
    try (ErasedTable table = open(diskWith(entries))) {
      List<ErasedBlob> read = new ArrayList<>();
      table.each(read::add);

      assertThat(table.damage()).isNull();
      assertThat(read).isEqualTo(entries);
      for (ErasedBlob entry : entries) {
        assertThat(table.find(entry.hash())).contains(entry);
      }
      assertThat(table.find(HELLO.hash())).isEmpty();
      table.refuse(HELLO.hash());
      BlobHash first = entries.getFirst().hash();
      assertThatThrownBy(() -> table.refuse(first)).isInstanceOf(StoreException.Erased.class);
    }
  }

  @Test
  void aTableWithAnyByteDamagedIsFoundOut() {
    byte[] file = bytes(diskWith(sorted(2)));
    Bytes.eachDamaged(
        file,
        damaged -> {
          SimulatedDisk disk = new SimulatedDisk(0);
          try (DiskFile written = disk.open(ErasedTable.FILE)) {
            written.write(0, ByteBuffer.wrap(damaged));
          }
          try (ErasedTable table = open(disk)) {
            assertThat(table.damage()).isNotNull();
            assertThat(table.count()).isZero();
          }
        });
  }

  @Test
  void aMissingOrForeignOrCutTableIsFoundOut() {
    assertThat(open(new SimulatedDisk(0)).damage()).isNotNull();
    SimulatedDisk disk = diskWith(sorted(2));
    try (ErasedTable foreign =
        ErasedTable.open(disk, Example.SHORT_ID + 1, FileGrowth.DEFAULTS, true)) {
      assertThat(foreign.damage()).isNotNull();
    }
    try (DiskFile file = disk.open(ErasedTable.FILE)) {
      file.resize(128);
    }
    try (ErasedTable cut = open(disk)) {
      assertThat(cut.damage()).isNotNull();
    }
  }

  @Test
  void aStoreInWhichNothingWasErasedHasNoTable() {
    SimulatedDisk disk = new SimulatedDisk(0);
    ErasedTable none = ErasedTable.open(disk, Example.SHORT_ID, FileGrowth.DEFAULTS, false);

    assertThat(none.damage()).isNull();
    assertThat(none.count()).isZero();
    assertThat(disk.names()).isEmpty();
  }
}
