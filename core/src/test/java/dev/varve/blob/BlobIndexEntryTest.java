// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.disk.LittleEndian;
import dev.varve.format.Bytes;
import dev.varve.format.FormatPage;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BlobIndexEntryTest {

  private static final FormatPage PAGE = FormatPage.of("blobs-idx");

  private static final BlobIndexEntry DISTINCT =
      new BlobIndexEntry(new BlobHash(6, 7, 8, 9), 0x1122334455L, 0xfffffffeL, 0xfffffffdL, 0x1234);

  static byte[] written(BlobIndexEntry entry) {
    byte[] bytes = new byte[BlobIndexEntry.SIZE_BYTES];
    entry.write(MemorySegment.ofArray(bytes), 0);
    return bytes;
  }

  @Test
  void thePageTellsTheLayout() {
    assertThat(PAGE.table("Entry").differences(BlobIndexEntry.LAYOUT)).isEmpty();
    assertThat(BlobIndexEntry.LAYOUT.byteSize()).isEqualTo(BlobIndexEntry.SIZE_BYTES);
  }

  @Test
  void thePageShowsWhatIsWritten() {
    assertThat(PAGE.example("Example"))
        .isEqualTo(Bytes.dump(written(BlobIndex.entryOf(0, BlobRecordTest.EXAMPLE))));
  }

  @Test
  void everyFieldIsWrittenWhereTheLayoutHasIt() {
    MemorySegment bytes = MemorySegment.ofArray(written(DISTINCT));

    assertThat(Bytes.fields(BlobIndexEntry.LAYOUT, bytes))
        .isEqualTo(
            Map.of(
                "hash", DISTINCT.hash().toString(),
                "pack_offset", 0x1122334455L,
                "raw_len", 0xfffffffeL,
                "stored_len", 0xfffffffdL,
                "codec", 0x1234L,
                "reserved", LittleEndian.crc32(bytes, 0, 50) & 0xffffL));
  }

  @Test
  void whatIsWrittenIsReadAgain() {
    assertThat(BlobIndexEntry.read(MemorySegment.ofArray(written(DISTINCT)))).contains(DISTINCT);
  }

  @Test
  void everyDamagedByteIsRefused() {
    Bytes.eachDamaged(
        written(DISTINCT),
        damaged -> assertThat(BlobIndexEntry.read(MemorySegment.ofArray(damaged))).isEmpty());
    assertThat(BlobIndexEntry.read(MemorySegment.ofArray(new byte[BlobIndexEntry.SIZE_BYTES])))
        .as("zeros")
        .isEmpty();
  }
}
