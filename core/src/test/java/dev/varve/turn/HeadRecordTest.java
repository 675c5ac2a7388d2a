// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.disk.AppendFile;
import dev.varve.disk.FileGrowth;
import dev.varve.disk.LittleEndian;
import dev.varve.disk.SimulatedDisk;
import dev.varve.format.Bytes;
import dev.varve.format.Example;
import dev.varve.format.FormatPage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HeadRecordTest {

  private static final BlobHash ABOUT = new BlobHash(6, 7, 8, 9);

  private static final HeadRecord DISTINCT =
      new HeadRecord(0x11, 0x22, 3, 0x44, 0x55, 0x66, ABOUT, 0x77);

  /// The context when it had just been created.
  private static final HeadRecord CREATED =
      new HeadRecord(
          Example.CONTEXT.value(), 0, 0, Example.CREATED_MS, 0, Example.CREATED_MS, null, 1);

  private static byte[] written(HeadRecord head) {
    byte[] bytes = new byte[HeadRecord.SIZE_BYTES];
    Arrays.fill(bytes, (byte) 0x55);
    head.write(MemorySegment.ofArray(bytes), 0, Example.SHORT_ID);
    return bytes;
  }

  @Test
  void bothPagesTellTheLayout() {
    assertThat(FormatPage.of("heads-log").table("Record").differences(HeadRecord.LAYOUT)).isEmpty();
    assertThat(HeadRecord.LAYOUT.byteSize()).isEqualTo(HeadRecord.SIZE_BYTES);
    assertThat(FormatPage.of("heads-tbl").table("Header").differences(HeadTable.HEADER)).isEmpty();
    assertThat(HeadTable.HEADER.byteSize())
        .as("the header is a slot")
        .isEqualTo(HeadRecord.SIZE_BYTES);
  }

  @Test
  void thePageOfTheLogShowsWhatIsWritten() {
    assertThat(FormatPage.of("heads-log").example("Example"))
        .isEqualTo(Bytes.dump(written(CREATED)));
  }

  @Test
  void thePageOfTheTableShowsTheWholeFile() {
    try (AppendFile file =
        AppendFile.open(new SimulatedDisk(0), HeadTable.FILE, FileGrowth.DEFAULTS)) {
      HeadTable table = new HeadTable(file, Example.SHORT_ID);
      table.put(CREATED.moved(1, 0, Example.APPENDED_MS));
      table.freeze();
      table.save(2, 1, 1);

      byte[] bytes = file.at(0, (int) file.endBytes()).toArray(ValueLayout.JAVA_BYTE);
      assertThat(FormatPage.of("heads-tbl").example("Example")).isEqualTo(Bytes.dump(bytes));
      assertThat(Bytes.fields(HeadTable.HEADER, MemorySegment.ofArray(bytes)))
          .isEqualTo(
              Map.of(
                  "magic",
                  (long) HeadTable.MAGIC,
                  "version",
                  (long) HeadTable.VERSION,
                  "store_id",
                  Example.SHORT_ID,
                  "checkpoint_seq",
                  2L,
                  "turns",
                  1L,
                  "head_log_records",
                  1L,
                  "reserved",
                  Bytes.zeros(84),
                  "crc32",
                  Integer.toUnsignedLong(
                      LittleEndian.crc32(MemorySegment.ofArray(bytes), 0, 124))));
    }
  }

  @Test
  void everyFieldIsWrittenWhereTheLayoutHasIt() {
    MemorySegment bytes = MemorySegment.ofArray(written(DISTINCT));

    assertThat(Bytes.fields(HeadRecord.LAYOUT, bytes))
        .isEqualTo(
            Map.ofEntries(
                Map.entry("context_id", 0x11L),
                Map.entry("head_turn_id", 0x22L),
                Map.entry("head_depth", 3L),
                Map.entry("created_at_unix_ms", 0x44L),
                Map.entry("flags", (long) HeadRecord.HAS_ABOUT),
                Map.entry("base_turn_id", 0x55L),
                Map.entry("active_at_unix_ms", 0x66L),
                Map.entry("about", ABOUT.toString()),
                Map.entry("at_turn_id", 0x77L),
                Map.entry("store_id", Example.SHORT_ID),
                Map.entry("reserved", Bytes.zeros(28)),
                Map.entry("crc32", Integer.toUnsignedLong(LittleEndian.crc32(bytes, 0, 124)))));
  }

  private static Optional<HeadRecord> read(byte[] bytes) {
    return HeadRecord.read(MemorySegment.ofArray(bytes), 0, Example.SHORT_ID);
  }

  @Test
  void aRecordOfAnotherStoreIsNoneAndOneThatNamesNoStoreIsBelieved() {
    byte[] other = new byte[HeadRecord.SIZE_BYTES];
    DISTINCT.write(MemorySegment.ofArray(other), 0, Example.SHORT_ID + 1);
    assertThat(read(other)).isEmpty();
    DISTINCT.write(MemorySegment.ofArray(other), 0, 0);
    assertThat(read(other)).contains(DISTINCT);
  }

  @Test
  void whatIsWrittenIsReadAgain() {
    assertThat(read(written(DISTINCT))).contains(DISTINCT);
    assertThat(read(written(CREATED))).contains(CREATED);
  }

  @Test
  void everyDamagedByteIsRefused() {
    Bytes.eachDamaged(written(DISTINCT), damaged -> assertThat(read(damaged)).isEmpty());
    assertThat(read(new byte[HeadRecord.SIZE_BYTES])).as("zeros").isEmpty();
  }

  @Test
  void aHeadThatMovesKeepsWhatItIs() {
    HeadRecord moved = DISTINCT.moved(100, 9, 5000);

    assertThat(moved).isEqualTo(new HeadRecord(0x11, 100, 9, 0x44, 0x55, 5000, ABOUT, 101));
    assertThat(CREATED.described(ABOUT, 6000, 42))
        .isEqualTo(new HeadRecord(1, 0, 0, Example.CREATED_MS, 0, 6000, ABOUT, 42));
  }
}
