// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.chunk.ChunkList;
import dev.varve.disk.AppendFile;
import java.util.List;
import java.util.function.LongConsumer;

/// The records of a pack by their ordinals, for who goes through all of them. A record is *live* if
/// its blob is found there; the others are superseded.
///
/// Records that are added meanwhile are not looked at.
public final class PackSurvey {

  private final BlobPack blobs;
  private final AppendFile pack;
  private final BlobIndex index;
  private final PackRead reads;
  private final long records;
  private final long endBytes;

  /// All records of a pack that nobody writes to.
  public PackSurvey(BlobPack blobs) {
    this(blobs, blobs.entryCount(), blobs.packFile().endBytes());
  }

  /// The first records of a pack.
  ///
  /// @param endBytes where the last of them ends
  public PackSurvey(BlobPack blobs, long records, long endBytes) {
    this.records = records;
    this.endBytes = endBytes;
    this.blobs = blobs;
    this.pack = blobs.packFile();
    this.index = blobs.index();
    this.reads = blobs.reads();
  }

  /// A record.
  ///
  /// @param rawBytes size of the blob; of a blob kept as chunks, of all its chunks
  /// @param recordBytes size of the whole record in the pack
  public record Entry(
      BlobHash hash, long offset, long rawBytes, long recordBytes, boolean chunked) {}

  /// The number of records, superseded ones included.
  public int count() {
    long count = records;
    if (count > Integer.MAX_VALUE) {
      throw new StoreException.TooLarge("blob records to survey", count, Integer.MAX_VALUE);
    }
    return (int) count;
  }

  /// The record at an ordinal.
  ///
  /// @throws StoreException.Corrupt if its entry in the index is damaged
  public Entry entry(int ordinal) {
    return index
        .entry(ordinal)
        .map(
            found ->
                new Entry(
                    found.hash(),
                    found.packOffset(),
                    found.rawLength(),
                    BlobRecord.HEADER_BYTES + found.storedLength() + BlobRecord.CRC_BYTES,
                    found.codec() == Codec.CHUNKS.number()))
        .orElseThrow(
            () ->
                new StoreException.Corrupt(
                    BlobIndex.FILE,
                    (long) ordinal * BlobIndexEntry.SIZE_BYTES,
                    "an entry",
                    "other bytes; 'varve check --rebuild' makes the file again"));
  }

  /// Returns whether the blob of the record is found there.
  public boolean isLive(Entry entry) {
    return blobs.find(entry.hash()) == entry.offset();
  }

  /// The ordinal of a blob's live record; -1 if there is no such blob.
  public int ordinal(BlobHash hash) {
    long offset = blobs.find(hash);
    int low = 0;
    int high = offset < 0 ? -1 : count() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      long found = entry(middle).offset();
      if (found == offset) {
        return middle;
      }
      if (found < offset) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }

  /// The ordinal of the live record of a blob that must be there.
  ///
  /// @throws StoreException.Corrupt if there is no such blob
  public int requireOrdinal(BlobHash blob) {
    int ordinal = ordinal(blob);
    if (ordinal < 0) {
      throw PackRead.corrupt(0, "the record of blob " + blob, "none");
    }
    return ordinal;
  }

  /// The bytes of a blob, verified; of a blob kept as chunks its root list.
  public byte[] content(Entry entry) {
    BlobRecord record = reads.record(entry.offset());
    return entry.chunked()
        ? reads.stored(entry.offset(), record, ChunkList.rootBytesMax())
        : reads.raw(entry.hash(), entry.offset(), record, Integer.MAX_VALUE);
  }

  /// The bytes of a record as they stand in the pack.
  public Payload recordBytes(Entry entry) {
    byte[] bytes = new byte[Math.toIntExact(entry.recordBytes())];
    pack.at(entry.offset(), bytes.length).asByteBuffer().get(bytes);
    return Payload.wrap(bytes);
  }

  /// Refuses a pack with damage whose content nobody has elsewhere: who rewrites the pack could
  /// neither keep the damaged bytes nor know what they were.
  ///
  /// @param reached is given how many bytes of the pack were verified
  /// @throws StoreException.Corrupt at the first such place
  public void requireWhole(LongConsumer reached) {
    int[] next = {0};
    new PackScan(pack, true)
        .scan(
            0,
            endBytes,
            new PackScan.Visitor() {
              @Override
              public void record(long offset, BlobRecord record) {
                next[0] = passHealed(next[0], offset);
                Entry entry = next[0] < count() ? entry(next[0]) : null;
                if (entry == null
                    || entry.offset() != offset
                    || !entry.hash().equals(record.hash())) {
                  throw PackRead.corrupt(
                      offset, "the record of which " + BlobIndex.FILE + " knows", "another one");
                }
                next[0]++;
                reached.accept(offset + record.sizeBytes());
              }

              @Override
              public void damage(long offset, long end) {
                List<BlobIndexEntry> stood = index.between(offset, end);
                if (stood.isEmpty()
                    || stood.getFirst().packOffset() != offset
                    || !stood.stream().allMatch(PackSurvey.this::isHealed)) {
                  throw PackRead.corrupt(offset, "blob records", "damage");
                }
              }
            });
    if (passHealed(next[0], endBytes) != count()) {
      throw PackRead.corrupt(endBytes, count() + " records", next[0] + " of them");
    }
  }

  /// The first ordinal from `ordinal` on that does not stand before `offset`.
  private int passHealed(int ordinal, long offset) {
    int at = ordinal;
    while (at < count() && entry(at).offset() < offset) {
      at++;
    }
    return at;
  }

  private boolean isHealed(BlobIndexEntry damaged) {
    long elsewhere = blobs.find(damaged.hash());
    return elsewhere >= 0 && elsewhere != damaged.packOffset() && reads.isIntact(elsewhere);
  }
}
