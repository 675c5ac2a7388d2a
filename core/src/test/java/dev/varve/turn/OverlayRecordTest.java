// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.Overlay;
import dev.varve.StoreException;
import dev.varve.disk.LittleEndian;
import dev.varve.format.Bytes;
import dev.varve.format.Example;
import dev.varve.format.FormatPage;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OverlayRecordTest {

  private static final FormatPage PAGE = FormatPage.of("overlays-log");
  private static final BlobHash BLOB = new BlobHash(6, 7, 8, 9);

  private static OverlayRecord distinct(Overlay.Kind kind) {
    BlobHash blob = kind == Overlay.Kind.TOMBSTONE ? new BlobHash(0, 0, 0, 0) : BLOB;
    return new OverlayRecord(0x11, blob, kind, 0x22, 0x33);
  }

  private static byte[] written(OverlayRecord record) {
    byte[] bytes = new byte[OverlayRecord.SIZE_BYTES];
    record.write(MemorySegment.ofArray(bytes), 0, Example.SHORT_ID);
    return bytes;
  }

  private static OverlayRecord read(byte[] bytes) {
    return OverlayRecord.read(MemorySegment.ofArray(bytes), "overlays.log", 64, Example.SHORT_ID);
  }

  @Test
  void thePageTellsTheLayout() {
    assertThat(PAGE.table("Record").differences(OverlayRecord.LAYOUT)).isEmpty();
    assertThat(OverlayRecord.LAYOUT.byteSize()).isEqualTo(OverlayRecord.SIZE_BYTES);
  }

  @Test
  void thePageShowsWhatIsWritten() {
    OverlayRecord example =
        new OverlayRecord(1, new BlobHash(0, 0, 0, 0), Overlay.Kind.TOMBSTONE, 1, 0);

    assertThat(PAGE.example("Example")).isEqualTo(Bytes.dump(written(example)));
  }

  @Test
  void everyFieldIsWrittenWhereTheLayoutHasIt() {
    MemorySegment bytes = MemorySegment.ofArray(written(distinct(Overlay.Kind.FS_ROOT)));

    assertThat(Bytes.fields(OverlayRecord.LAYOUT, bytes))
        .isEqualTo(
            Map.of(
                "target_turn_id", 0x11L,
                "new_payload_hash", BLOB.toString(),
                "flags", 3L,
                "seq", 0x22L,
                "previous_seq", 0x33L,
                "crc32", Integer.toUnsignedLong(LittleEndian.crc32(bytes, 0, 60))));
  }

  @ParameterizedTest
  @EnumSource
  void whatIsWrittenIsReadAgain(Overlay.Kind kind) {
    assertThat(read(written(distinct(kind)))).isEqualTo(distinct(kind));
  }

  @Test
  void everyDamagedByteIsRefusedWithFileAndOffset() {
    Bytes.eachDamaged(
        written(distinct(Overlay.Kind.PATCH)),
        damaged -> {
          assertThat(OverlayRecord.valid(MemorySegment.ofArray(damaged), Example.SHORT_ID))
              .isFalse();
          assertThatThrownBy(() -> read(damaged))
              .isInstanceOfSatisfying(
                  StoreException.Corrupt.class,
                  e -> {
                    assertThat(e.file()).isEqualTo("overlays.log");
                    assertThat(e.offset()).isEqualTo(64);
                  });
        });
    byte[] zeros = new byte[OverlayRecord.SIZE_BYTES];
    assertThat(OverlayRecord.valid(MemorySegment.ofArray(zeros), Example.SHORT_ID)).isFalse();
    assertThatThrownBy(() -> read(zeros)).isInstanceOf(StoreException.Corrupt.class);
  }

  @Test
  void aKindThatThisVersionDoesNotKnowIsRefused() {
    byte[] bytes = written(distinct(Overlay.Kind.PATCH));
    MemorySegment record = MemorySegment.ofArray(bytes);
    record.set(LittleEndian.U32, 40, 4);
    record.set(LittleEndian.U32, 60, LittleEndian.crc32(record, 0, 60));

    assertThatThrownBy(() -> read(bytes)).isInstanceOf(StoreException.Corrupt.class);
  }

  @Test
  void aTombstoneOfAnotherStoreIsRefusedAndOneThatNamesNoStoreIsBelieved() {
    byte[] bytes = new byte[OverlayRecord.SIZE_BYTES];
    MemorySegment record = MemorySegment.ofArray(bytes);
    distinct(Overlay.Kind.TOMBSTONE).write(record, 0, Example.SHORT_ID + 1);
    assertThat(OverlayRecord.valid(record, Example.SHORT_ID)).isFalse();
    assertThatThrownBy(() -> read(bytes))
        .isInstanceOf(StoreException.Corrupt.class)
        .hasMessageContaining("of store");
    distinct(Overlay.Kind.TOMBSTONE).write(record, 0, 0);
    assertThat(OverlayRecord.valid(record, Example.SHORT_ID)).isTrue();
    assertThat(read(bytes)).isEqualTo(distinct(Overlay.Kind.TOMBSTONE));
  }

  @Test
  void aTombstoneHasNoBlob() {
    assertThat(distinct(Overlay.Kind.TOMBSTONE).overlay().blob()).isNull();
    assertThat(distinct(Overlay.Kind.PATCH).overlay().blob()).isEqualTo(BLOB);
  }
}
