// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import dev.varve.BlobHash;
import dev.varve.disk.AppendFile;
import dev.varve.index.FingerprintTable;
import java.nio.ByteBuffer;
import java.util.List;

/// Writes blobs that were made ready: records into the pack, then their entries, and then shows
/// them to readers. For the one thread that writes.
public final class PackWriter {

  private final BlobPack blobs;
  private final AppendFile pack;
  private final BlobIndex index;

  public PackWriter(BlobPack blobs) {
    this.blobs = blobs;
    this.pack = blobs.packFile();
    this.index = blobs.index();
  }

  /// Writes records at `offset` and their entries behind entry `ordinal`. No reader sees them until
  /// [#publish].
  public void write(long offset, ByteBuffer records, long ordinal, List<PlacedBlob> placed) {
    pack.write(offset, records);
    writeIndex(ordinal, placed);
  }

  /// Writes entries of records that are in the pack already.
  public void writeIndex(long ordinal, List<PlacedBlob> placed) {
    index.write(
        ordinal,
        BlobIndex.encode(
            placed.stream().map(one -> BlobIndex.entryOf(one.offset(), one.record())).toList()));
  }

  /// Shows readers what was written.
  public void publish(long packEnd, long entryCount, List<PlacedBlob> placed) {
    pack.end(packEnd);
    index.publish(entryCount);
    FingerprintTable table = blobs.map();
    if (table != null) {
      for (PlacedBlob one : placed) {
        BlobHash hash = one.record().hash();
        // What the table says of this hash is replaced: it is a damaged copy, or newer than the
        // pack.
        table.put(
            hash.w0(),
            one.offset(),
            offset -> index.isAt(hash, offset) || !isRecordOf(hash, offset));
      }
    }
  }

  /// Returns whether a record at `offset` has a hash that begins like this one.
  private boolean isRecordOf(BlobHash hash, long offset) {
    return offset <= pack.endBytes() - BlobRecord.HEADER_BYTES
        && BlobRecord.read(pack.at(offset, BlobRecord.HEADER_BYTES))
            .filter(record -> record.hash().w0() == hash.w0())
            .isPresent();
  }

  /// Forces the pack, so that records too large for the journal are durable before it names them.
  public void forcePack() {
    pack.force();
  }

  /// Forces pack and index.
  public void force() {
    pack.force();
    index.force();
  }
}
