// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.blob.BlobPack;
import dev.varve.blob.BlobRecord;
import dev.varve.disk.LittleEndian;
import dev.varve.disk.SimulatedDisk;
import dev.varve.hash.Blake3;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Records whose checksum holds and whose content is not what the hash says, as a writer with a
/// fault leaves them: a put of the right content replaces them, whatever part of a blob they are.
class FalseContentTest {

  /// More than a block of the disk. The checkpoint has the last block of the pack, and so would
  /// mend a record in there by itself.
  private static final int BEHIND_BYTES = 9_000;

  private interface Put {
    void into(LocalStore store, Payload content) throws IOException;
  }

  private static Payload noise(int sizeBytes) {
    byte[] bytes = new byte[sizeBytes];
    new SplittableRandom(sizeBytes).nextBytes(bytes);
    return Payload.wrap(bytes);
  }

  /// Changes a byte of the stored content and makes the checksum fit.
  private static DiskImage falsified(DiskImage image, int offset) {
    byte[] pack = image.file(BlobPack.FILE);
    MemorySegment bytes = MemorySegment.ofArray(pack);
    BlobRecord record =
        BlobRecord.read(bytes.asSlice(offset, BlobRecord.HEADER_BYTES)).orElseThrow();
    pack[offset + BlobRecord.HEADER_BYTES] ^= 1;
    long crc = offset + record.sizeBytes() - BlobRecord.CRC_BYTES;
    bytes.set(LittleEndian.U32, crc, LittleEndian.crc32(bytes, offset, crc - offset));
    return image.with(BlobPack.FILE, pack);
  }

  /// Falsifies each record of a blob in turn, puts the blob again, and reads it in every state.
  private static void isHealed(Payload content, int recordsMin, Put put) throws IOException {
    SimulatedDisk disk = new SimulatedDisk(1);
    long end;
    try (LocalStore store = Furnished.open(disk)) {
      put.into(store, content);
      end = store.counts().storedBytes();
      store.put(noise(BEHIND_BYTES));
    }
    DiskImage image = DiskImage.of(disk);
    List<Integer> offsets =
        Furnished.packOffsets(image.file(BlobPack.FILE)).stream().filter(at -> at < end).toList();
    assertThat(offsets).hasSizeGreaterThanOrEqualTo(recordsMin);
    for (int offset : offsets) {
      SimulatedDisk damaged = falsified(image, offset).disk();
      try (LocalStore store = Furnished.open(damaged)) {
        assertThat(catchThrowable(() -> store.get(Blake3.hash(content))))
            .as("the record at %d", offset)
            .isInstanceOf(StoreException.class);
        put.into(store, content);
        isThere(store, content, offset);
      }
      try (LocalStore store =
          Furnished.open(Furnished.withoutDerived(DiskImage.of(damaged)).disk())) {
        isThere(store, content, offset);
      }
    }
  }

  private static void isThere(LocalStore store, Payload content, int offset) {
    assertThat(store.get(Blake3.hash(content))).as("the record at %d", offset).isEqualTo(content);
    assertThat(store.check().problems()).as("the record at %d", offset).isEmpty();
  }

  @Test
  void aBlobInOnePieceIsReplaced() throws IOException {
    isHealed(noise(150), 1, LocalStore::put);
  }

  @Test
  void aChunkAListAndARootListAreReplacedByAPayload() throws IOException {
    isHealed(noise(20_000), 4, LocalStore::put);
  }

  @Test
  void aChunkAListAndARootListAreReplacedByAStream() throws IOException {
    isHealed(
        noise(20_000),
        4,
        (store, content) -> store.put(new ByteArrayInputStream(content.unsafeArray()), null));
  }
}
