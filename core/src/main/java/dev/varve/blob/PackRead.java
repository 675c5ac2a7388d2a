// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import static dev.varve.disk.LittleEndian.U32;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.disk.AppendFile;
import dev.varve.disk.LittleEndian;
import dev.varve.hash.Blake3;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// Reads single records of `blobs.pack`, and verifies each: first the CRC-32, then the BLAKE3 of
/// the decoded bytes.
final class PackRead {

  private final AppendFile pack;

  PackRead(AppendFile pack) {
    this.pack = pack;
  }

  /// The fixed part of the record at `offset`, which must be within the pack.
  ///
  /// @throws StoreException.Corrupt if there is no record, or the record cannot be whole
  BlobRecord record(long offset) {
    BlobRecord record =
        BlobRecord.read(pack.at(offset, BlobRecord.HEADER_BYTES))
            .orElseThrow(() -> corrupt(offset, "a blob record", "other bytes"));
    if (record.sizeBytes() > Math.min(pack.endBytes() - offset, Integer.MAX_VALUE)) {
      throw corrupt(offset, "a record within the file", record.storedLength() + " stored bytes");
    }
    return record;
  }

  /// The stored bytes of a record, after its checksum was verified.
  ///
  /// @param bytesMax a record with more stored bytes is refused
  byte[] stored(long offset, BlobRecord record, long bytesMax) {
    if (record.storedLength() > bytesMax) {
      throw corrupt(
          offset, "at most " + bytesMax + " stored bytes", record.storedLength() + " of them");
    }
    int size = (int) record.sizeBytes();
    MemorySegment bytes = pack.at(offset, size);
    int crc = LittleEndian.crc32(bytes, 0, size - 4);
    if (crc != bytes.get(U32, size - 4)) {
      throw corrupt(offset, LittleEndian.hex(bytes.get(U32, size - 4)), LittleEndian.hex(crc));
    }
    byte[] stored = new byte[(int) record.storedLength()];
    MemorySegment.copy(
        bytes, BlobRecord.HEADER_BYTES, MemorySegment.ofArray(stored), 0, stored.length);
    return stored;
  }

  /// The blob whose record is at `offset` and in one piece.
  ///
  /// @param rawBytesMax a blob with more bytes is refused before memory is taken
  byte[] raw(BlobHash hash, long offset, BlobRecord record, int rawBytesMax) {
    if (record.rawLength() > rawBytesMax) {
      throw corrupt(
          offset,
          "at most " + rawBytesMax + " bytes",
          record.rawLength() + " raw and " + record.storedLength() + " stored bytes");
    }
    Codec codec =
        Codec.of(record.codec())
            .orElseThrow(() -> corrupt(offset, "codec 0, 1 or 2", "codec " + record.codec()));
    if (codec == Codec.CHUNKS) {
      throw corrupt(offset, "a blob in one piece", "a list of chunks");
    }
    byte[] stored = stored(offset, record, Integer.MAX_VALUE);
    byte[] raw =
        codec
            .decode(stored, (int) record.rawLength())
            .orElseThrow(
                () ->
                    corrupt(offset, "stored bytes that decode to " + record.rawLength(), "others"));
    BlobHash found = Blake3.hash(raw);
    if (!found.equals(hash)) {
      throw corrupt(offset, "content with hash " + hash, "content with hash " + found);
    }
    return raw;
  }

  /// Returns whether the record at `offset` is whole and its checksum is right.
  boolean isIntact(long offset) {
    Optional<BlobRecord> record = BlobRecord.read(pack.at(offset, BlobRecord.HEADER_BYTES));
    return record.isPresent()
        && record.get().sizeBytes() <= pack.endBytes() - offset
        && PackScan.intact(pack, offset, record.get());
  }

  /// Returns whether a blob in one piece can be read at `offset`: the record decodes to content
  /// that has the blob's hash. A checksum alone does not prove this, because it covers the written
  /// bytes whatever they were.
  boolean isReadable(BlobHash hash, long offset, int rawBytesMax) {
    if (!isIntact(offset)) {
      return false;
    }
    try {
      raw(hash, offset, record(offset), rawBytesMax);
      return true;
    } catch (StoreException.Corrupt e) {
      return false;
    }
  }

  static StoreException.Corrupt corrupt(long offset, String expected, String found) {
    return new StoreException.Corrupt(BlobRecord.FILE, offset, expected, found);
  }
}
