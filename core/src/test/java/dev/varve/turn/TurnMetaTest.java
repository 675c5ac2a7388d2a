// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.disk.LittleEndian;
import dev.varve.format.Bytes;
import dev.varve.format.Example;
import dev.varve.format.FormatPage;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TurnMetaTest {

  private static final FormatPage PAGE = FormatPage.of("turns-meta");
  private static final BlobHash ROOT = new BlobHash(6, 7, 8, 9);
  private static final BlobHash KEY = new BlobHash(10, 11, 12, 13);

  private static final TurnMeta DISTINCT = new TurnMeta(0x11, 0x22, 0x33, -4, 5, ROOT, KEY, false);

  /// The checksum of the example's turn.
  private static final int RECORD_CRC = 0x576a137c;

  private static byte[] written(TurnMeta meta) {
    byte[] bytes = new byte[TurnMeta.SIZE_BYTES];
    Arrays.fill(bytes, (byte) 0x55);
    meta.write(MemorySegment.ofArray(bytes), 0, Example.SHORT_ID, RECORD_CRC);
    return bytes;
  }

  private static TurnMeta read(byte[] bytes) {
    return TurnMeta.read(MemorySegment.ofArray(bytes), "turns.meta", 256, Example.SHORT_ID);
  }

  @Test
  void aMetaOfAnotherStoreIsRefusedByName() {
    MemorySegment bytes = MemorySegment.ofArray(written(DISTINCT));

    assertThat(TurnMeta.valid(bytes, Example.SHORT_ID)).isTrue();
    assertThat(TurnMeta.valid(bytes, Example.SHORT_ID + 1)).isFalse();
    assertThatThrownBy(() -> TurnMeta.read(bytes, "turns.meta", 256, Example.SHORT_ID + 1))
        .isInstanceOf(StoreException.Corrupt.class)
        .hasMessageContaining("store " + Long.toHexString(Example.SHORT_ID));
  }

  @Test
  void aMetaOfAVersionThatWroteNoStoreIsBelieved() {
    byte[] bytes = new byte[TurnMeta.SIZE_BYTES];
    DISTINCT.write(MemorySegment.ofArray(bytes), 0, 0, 0);

    assertThat(read(bytes)).isEqualTo(DISTINCT);
    assertThat(TurnMeta.isOwn(MemorySegment.ofArray(bytes), Example.SHORT_ID)).isFalse();
    assertThat(TurnMeta.denies(MemorySegment.ofArray(bytes), Example.SHORT_ID, 5)).isFalse();
  }

  @Test
  void aMetaDeniesARecordThatItWasNotWrittenWith() {
    MemorySegment bytes = MemorySegment.ofArray(written(DISTINCT));

    assertThat(TurnMeta.denies(bytes, Example.SHORT_ID, RECORD_CRC)).isFalse();
    assertThat(TurnMeta.denies(bytes, Example.SHORT_ID, RECORD_CRC + 1)).isTrue();
    assertThat(TurnMeta.denies(bytes, Example.SHORT_ID + 1, RECORD_CRC + 1)).isFalse();
    bytes.set(LittleEndian.U32, 0, 77);
    assertThat(TurnMeta.denies(bytes, Example.SHORT_ID, RECORD_CRC + 1)).as("damaged").isFalse();
  }

  @Test
  void thePageTellsTheLayout() {
    assertThat(PAGE.table("Record").differences(TurnMeta.LAYOUT)).isEmpty();
    assertThat(TurnMeta.LAYOUT.byteSize()).isEqualTo(TurnMeta.SIZE_BYTES);
  }

  @Test
  void thePageShowsWhatIsWritten() {
    TurnMeta example =
        new TurnMeta(
            1,
            Example.CONTEXT.value(),
            1,
            Example.HELLO.sizeBytes(),
            0,
            null,
            Example.KEY_HASH,
            true);

    assertThat(PAGE.example("Example")).isEqualTo(Bytes.dump(written(example)));
  }

  @Test
  void everyFieldIsWrittenWhereTheLayoutHasIt() {
    MemorySegment bytes = MemorySegment.ofArray(written(DISTINCT));

    assertThat(Bytes.fields(TurnMeta.LAYOUT, bytes))
        .isEqualTo(
            Map.ofEntries(
                Map.entry("turn_id", 0x11L),
                Map.entry("context_id", 0x22L),
                Map.entry("jump_turn_id", 0x33L),
                Map.entry("raw_len", 0xfffffffcL),
                Map.entry("compression", 5L),
                Map.entry("fs_root", ROOT.toString()),
                Map.entry("key_hash", KEY.toString()),
                Map.entry("flags", 7L),
                Map.entry("store_id", Example.SHORT_ID),
                Map.entry("record_crc32", (long) RECORD_CRC),
                Map.entry("reserved", Bytes.zeros(12)),
                Map.entry("crc32", Integer.toUnsignedLong(LittleEndian.crc32(bytes, 0, 124)))));
  }

  @Test
  void eachFlagStandsForItself() {
    assertThat(flags(new TurnMeta(1, 1, 1, 0, 0, null, null, true))).isEqualTo(0L);
    assertThat(flags(new TurnMeta(1, 1, 1, 0, 0, ROOT, null, true)))
        .isEqualTo((long) TurnMeta.HAS_FS_ROOT);
    assertThat(flags(new TurnMeta(1, 1, 1, 0, 0, null, KEY, true)))
        .isEqualTo((long) TurnMeta.HAS_KEY);
    assertThat(flags(new TurnMeta(1, 1, 1, 0, 0, null, null, false)))
        .isEqualTo((long) TurnMeta.MOVED_NO_HEAD);
  }

  private static Object flags(TurnMeta meta) {
    byte[] bytes = written(meta);
    assertThat(read(bytes)).isEqualTo(meta);
    return Bytes.fields(TurnMeta.LAYOUT, MemorySegment.ofArray(bytes)).get("flags");
  }

  @Test
  void whatIsWrittenIsReadAgain() {
    assertThat(read(written(DISTINCT))).isEqualTo(DISTINCT);
  }

  @Test
  void everyDamagedByteIsRefusedWithFileAndOffset() {
    Bytes.eachDamaged(
        written(DISTINCT),
        damaged ->
            assertThatThrownBy(() -> read(damaged))
                .isInstanceOfSatisfying(
                    StoreException.Corrupt.class,
                    e -> {
                      assertThat(e.file()).isEqualTo("turns.meta");
                      assertThat(e.offset()).isEqualTo(256);
                    }));
    assertThatThrownBy(() -> read(new byte[TurnMeta.SIZE_BYTES]))
        .as("zeros")
        .isInstanceOf(StoreException.Corrupt.class);
  }
}
