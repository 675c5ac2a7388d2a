// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import static dev.varve.disk.LittleEndian.U32;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.disk.AppendFile;
import dev.varve.disk.FileGrowth;
import dev.varve.disk.LittleEndian;
import dev.varve.disk.SimulatedDisk;
import dev.varve.format.Bytes;
import dev.varve.format.Example;
import dev.varve.format.FieldTable;
import dev.varve.format.FormatPage;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BlobRecordTest {

  private static final FormatPage PAGE = FormatPage.of("blobs-pack");
  private static final byte[] STORED = {1, 2, 3, 4, 5, 6, 7};

  private static final BlobRecord DISTINCT =
      new BlobRecord(0x1234, 0xfffffffeL, STORED.length, new BlobHash(6, 7, 8, 9));

  static final BlobRecord EXAMPLE = new BlobRecord(Codec.NONE.number(), 5, 5, Example.HELLO_HASH);

  private static byte[] written(BlobRecord record, byte[] stored) {
    byte[] bytes = new byte[(int) record.sizeBytes()];
    record.writeAll(stored, MemorySegment.ofArray(bytes), 0);
    return bytes;
  }

  @Test
  void thePageTellsTheFixedPart() {
    assertThat(PAGE.table("Record").differences(BlobRecord.HEADER)).isEmpty();
    assertThat(BlobRecord.HEADER.byteSize()).isEqualTo(BlobRecord.HEADER_BYTES);
  }

  @Test
  void thePageShowsWhatIsWritten() {
    assertThat(PAGE.example("Example"))
        .isEqualTo(Bytes.dump(written(EXAMPLE, Example.HELLO.bytes())));
  }

  @Test
  void everyFieldIsWrittenWhereTheLayoutHasIt() {
    byte[] record = written(DISTINCT, STORED);
    MemorySegment bytes = MemorySegment.ofArray(record);

    assertThat(Bytes.fields(BlobRecord.HEADER, bytes))
        .isEqualTo(
            Map.of(
                "magic", 0x42534C42L,
                "version", 1L,
                "codec", 0x1234L,
                "raw_len", 0xfffffffeL,
                "stored_len", (long) STORED.length,
                "hash", DISTINCT.hash().toString()));
    Map<String, FieldTable.Place> places =
        PAGE.table("Record").places(Map.of("stored_len", (long) STORED.length));
    FieldTable.Place stored = places.get("stored_bytes");
    FieldTable.Place crc = places.get("crc32");
    assertThat(Arrays.copyOfRange(record, (int) stored.offset(), (int) crc.offset()))
        .isEqualTo(STORED);
    assertThat(bytes.get(U32, crc.offset())).isEqualTo(LittleEndian.crc32(bytes, 0, crc.offset()));
    assertThat(record).hasSize((int) (crc.offset() + crc.size()));
  }

  @Test
  void whatIsWrittenIsReadAgain() {
    byte[] bytes = written(DISTINCT, STORED);

    assertThat(BlobRecord.read(MemorySegment.ofArray(bytes))).contains(DISTINCT);
    assertThat(BlobRecord.hasHash(MemorySegment.ofArray(bytes), DISTINCT.hash())).isTrue();
  }

  @Test
  void everyDamagedByteIsNoticed() {
    Bytes.eachDamaged(
        written(DISTINCT, STORED), damaged -> assertThat(isIntact(damaged)).isFalse());
    assertThat(isIntact(written(DISTINCT, STORED))).isTrue();
    assertThat(isIntact(new byte[60])).isFalse();
  }

  /// Whether the bytes, as all of a pack, are one whole record.
  private static boolean isIntact(byte[] bytes) {
    try (AppendFile pack =
        AppendFile.open(new SimulatedDisk(0), BlobPack.FILE, FileGrowth.DEFAULTS)) {
      pack.write(0, ByteBuffer.wrap(bytes));
      pack.end(bytes.length);
      return BlobRecord.read(pack.at(0, BlobRecord.HEADER_BYTES))
          .filter(record -> record.sizeBytes() == bytes.length)
          .filter(record -> PackScan.intact(pack, 0, record))
          .isPresent();
    }
  }

  @Test
  void anotherHashIsNotTakenForIt() {
    MemorySegment bytes = MemorySegment.ofArray(written(DISTINCT, STORED));

    for (BlobHash other :
        new BlobHash[] {
          new BlobHash(0, 7, 8, 9),
          new BlobHash(6, 0, 8, 9),
          new BlobHash(6, 7, 0, 9),
          new BlobHash(6, 7, 8, 0)
        }) {
      assertThat(BlobRecord.hasHash(bytes, other)).isFalse();
    }
  }
}
