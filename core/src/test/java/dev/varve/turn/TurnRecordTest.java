// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.Encoding;
import dev.varve.StoreException;
import dev.varve.disk.LittleEndian;
import dev.varve.format.Bytes;
import dev.varve.format.Example;
import dev.varve.format.FormatPage;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TurnRecordTest {

  private static final FormatPage PAGE = FormatPage.of("turns-log");

  /// No two fields hold the same.
  private static final TurnRecord DISTINCT =
      new TurnRecord(0x11, 0x22, 3, -4, -5, new BlobHash(6, 7, 8, 9), 0x0a, 0x0b);

  static final TurnRecord EXAMPLE =
      new TurnRecord(
          1,
          0,
          0,
          Encoding.RAW.tag(),
          TypeTable.proposeTag(Example.NOTE),
          Example.HELLO_HASH,
          0,
          Example.APPENDED_MS);

  private static byte[] written(TurnRecord record) {
    byte[] bytes = new byte[TurnRecord.SIZE_BYTES];
    record.write(MemorySegment.ofArray(bytes), 0);
    return bytes;
  }

  @Test
  void thePageTellsTheLayout() {
    assertThat(PAGE.table("Record").differences(TurnRecord.LAYOUT)).isEmpty();
    assertThat(TurnRecord.LAYOUT.byteSize()).isEqualTo(TurnRecord.SIZE_BYTES);
  }

  @Test
  void thePageShowsWhatIsWritten() {
    assertThat(PAGE.example("Example")).isEqualTo(Bytes.dump(written(EXAMPLE)));
  }

  @Test
  void everyFieldIsWrittenWhereTheLayoutHasIt() {
    MemorySegment bytes = MemorySegment.ofArray(written(DISTINCT));

    assertThat(Bytes.fields(TurnRecord.LAYOUT, bytes))
        .isEqualTo(
            Map.of(
                "turn_id", 0x11L,
                "parent_turn_id", 0x22L,
                "depth", 3L,
                "codec", 0xfffffffcL,
                "type_tag", -5L,
                "payload_hash", DISTINCT.payloadHash().toString(),
                "flags", 0x0aL,
                "created_at_unix_ms", 0x0bL,
                "crc32", Integer.toUnsignedLong(LittleEndian.crc32(bytes, 0, 76))));
  }

  @Test
  void whatIsWrittenIsReadAgain() {
    MemorySegment bytes = MemorySegment.ofArray(new byte[200]);
    DISTINCT.write(bytes, 100);

    MemorySegment record = bytes.asSlice(100, TurnRecord.SIZE_BYTES);
    assertThat(TurnRecord.valid(record)).isTrue();
    assertThat(TurnRecord.read(record, "turns.log", 0)).isEqualTo(DISTINCT);
    assertThat(bytes.asSlice(0, 100).mismatch(MemorySegment.ofArray(new byte[100]))).isEqualTo(-1);
    assertThat(bytes.asSlice(180).mismatch(MemorySegment.ofArray(new byte[20]))).isEqualTo(-1);
  }

  @Test
  void everyDamagedByteIsRefusedWithFileAndOffset() {
    Bytes.eachDamaged(
        written(DISTINCT),
        damaged -> {
          MemorySegment bytes = MemorySegment.ofArray(damaged);
          assertThat(TurnRecord.valid(bytes)).isFalse();
          assertThatThrownBy(() -> TurnRecord.read(bytes, "turns.log", 240))
              .isInstanceOfSatisfying(
                  StoreException.Corrupt.class,
                  e -> {
                    assertThat(e.file()).isEqualTo("turns.log");
                    assertThat(e.offset()).isEqualTo(240);
                  });
        });
  }

  @Test
  void aRecordWithoutANumberIsNone() {
    TurnRecord unnumbered = new TurnRecord(0, 0, 0, 0, 0, DISTINCT.payloadHash(), 0, 0);
    TurnRecord negative = new TurnRecord(-1, 0, 0, 0, 0, DISTINCT.payloadHash(), 0, 0);

    assertThat(TurnRecord.valid(MemorySegment.ofArray(written(unnumbered)))).isFalse();
    assertThat(TurnRecord.valid(MemorySegment.ofArray(written(negative)))).isFalse();
    assertThat(TurnRecord.valid(MemorySegment.ofArray(new byte[TurnRecord.SIZE_BYTES]))).isFalse();
  }
}
