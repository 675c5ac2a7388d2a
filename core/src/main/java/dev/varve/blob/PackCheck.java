// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import dev.varve.BlobHash;
import dev.varve.CheckReport.Problem;
import dev.varve.StoreException;
import dev.varve.chunk.BlobVerification;
import dev.varve.disk.AppendFile;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/// Reads a whole pack and reports each fault. Changes nothing.
public final class PackCheck implements PackScan.Visitor {

  private final BlobPack blobs;
  private final AppendFile pack;
  private final BlobIndex index;
  private final PackRead reads;
  private final ChunkedBlobs chunked;
  private final int rawBytesMax;
  private final Consumer<Problem> problems;
  private final LongConsumer reached;
  private final BlobVerification verification;
  private long sound;

  /// @param reached hears of the offset of each record
  public PackCheck(BlobPack blobs, Consumer<Problem> problems, LongConsumer reached) {
    this.blobs = blobs;
    this.pack = blobs.packFile();
    this.index = blobs.index();
    this.reads = blobs.reads();
    this.chunked = blobs.chunked();
    this.rawBytesMax = blobs.rawBytesMax();
    this.problems = problems;
    this.reached = reached;
    this.verification = chunked.verification();
  }

  /// Reads and verifies every record.
  ///
  /// @return how many records are sound
  public long run() {
    new PackScan(pack, true).scan(0, pack.endBytes(), this);
    index.eachDamaged(
        ordinal ->
            problems.accept(
                new Problem(
                    BlobIndex.FILE,
                    ordinal * BlobIndexEntry.SIZE_BYTES,
                    BlobIndex.FILE + " entry " + ordinal + ": not of the record in the pack",
                    true)));
    return sound;
  }

  @Override
  public void record(long offset, BlobRecord record) {
    reached.accept(offset);
    try {
      long found = blobs.find(record.hash());
      if (found == offset) {
        verify(offset, record);
      } else if (found < 0) {
        problems.accept(
            new Problem(
                BlobPack.MAP_FILE, 0, BlobPack.MAP_FILE + ": no blob " + record.hash(), true));
      }
      sound++;
    } catch (StoreException.Corrupt e) {
      String what = String.valueOf(e.getMessage());
      boolean elsewhere = e.offset() != offset;
      problems.accept(
          elsewhere
              ? damage(offset, "blob " + record.hash() + " cannot be read: " + what)
              : new Problem(BlobPack.FILE, offset, what, false));
    }
  }

  private void verify(long offset, BlobRecord record) {
    if (ChunkedBlobs.isChunked(record)) {
      chunked.verify(offset, record, verification);
    } else {
      reads.raw(record.hash(), offset, record, rawBytesMax);
    }
  }

  /// Reports each record that stood in a damaged stretch, but for those that have since been stored
  /// again elsewhere.
  @Override
  public void damage(long from, long end) {
    List<BlobIndexEntry> stood = index.between(from, end);
    if (stood.isEmpty() && !isHealed(from, BlobHash.read(hashAt(from), 0))) {
      problems.accept(damage(from, end - from + " damaged bytes"));
    }
    for (BlobIndexEntry entry : stood) {
      if (!isHealed(entry.packOffset(), entry.hash())) {
        problems.accept(
            damage(entry.packOffset(), "the record of blob " + entry.hash() + " is damaged"));
      }
    }
  }

  private static Problem damage(long offset, String what) {
    return new Problem(
        BlobPack.FILE, offset, BlobPack.FILE + " at byte " + offset + ": " + what, false);
  }

  /// The bytes at the place where a record at `offset` has its hash.
  private MemorySegment hashAt(long offset) {
    return offset <= pack.endBytes() - BlobRecord.HEADER_BYTES
        ? pack.at(offset + BlobRecord.HEADER_BYTES - 32, 32)
        : MemorySegment.ofArray(new byte[32]);
  }

  /// Returns whether the blob whose record at `offset` is damaged has been stored again elsewhere.
  private boolean isHealed(long offset, BlobHash hash) {
    long elsewhere = blobs.find(hash);
    return elsewhere >= 0 && elsewhere != offset && reads.isIntact(elsewhere);
  }
}
