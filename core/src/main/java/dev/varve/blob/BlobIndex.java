// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import dev.varve.BlobHash;
import dev.varve.disk.AppendFile;
import dev.varve.index.Sink;
import dev.varve.index.Source;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// `blobs.idx`: one entry a record of `blobs.pack`, in the pack's order. Derived: it is rebuilt from the pack when it does
/// not hold. `blobs.map` finds entries by hash and is rebuilt from here.
///
/// Page: `docs/format/blobs-idx.md`.
final class BlobIndex implements Source {

  static final String FILE = "blobs.idx";

  private static final System.Logger LOGGER = System.getLogger("dev.varve.blob");
  private static final int WRITE_ENTRIES = 1024;

  private final AppendFile index;
  private final AppendFile pack;

  BlobIndex(AppendFile index, AppendFile pack) {
    this.index = index;
    this.pack = pack;
  }

  @Override
  public long count() {
    return index.endBytes() / BlobIndexEntry.SIZE_BYTES;
  }

  Optional<BlobIndexEntry> entry(long ordinal) {
    return BlobIndexEntry.read(
        index.at(ordinal * BlobIndexEntry.SIZE_BYTES, BlobIndexEntry.SIZE_BYTES));
  }

  /// Whether the file has exactly `count` entries of which the last ends where the pack does.
  boolean holds(long count, long packEnd) {
    if (count() != count) {
      return false;
    }
    if (count == 0) {
      return packEnd == 0;
    }
    Optional<BlobIndexEntry> last = entry(count - 1);
    return last.isPresent() && end(last.get()) == packEnd;
  }

  private static long end(BlobIndexEntry entry) {
    return entry.packOffset()
        + BlobRecord.HEADER_BYTES
        + entry.storedLength()
        + BlobRecord.CRC_BYTES;
  }

  /// Makes all entries again from the pack.
  ///
  /// @return how many there are
  long rebuild(long packEnd) {
    LOGGER.log(System.Logger.Level.WARNING, "{0}: rebuilt from {1}", FILE, BlobPack.FILE);
    List<BlobIndexEntry> waiting = new ArrayList<>(WRITE_ENTRIES);
    long[] count = {0};
    new PackScan(pack, false)
        .scan(
            0,
            packEnd,
            new PackScan.Visitor() {
              @Override
              public void record(long offset, BlobRecord record) {
                waiting.add(entryOf(offset, record));
                if (waiting.size() == WRITE_ENTRIES) {
                  count[0] = flush(count[0], waiting);
                }
              }

              @Override
              public void damage(long offset, long end) {
                LOGGER.log(
                    System.Logger.Level.WARNING,
                    "{0} at byte {1}: {2} damaged bytes passed over",
                    BlobPack.FILE,
                    offset,
                    end - offset);
              }
            });
    count[0] = flush(count[0], waiting);
    index.end(count[0] * BlobIndexEntry.SIZE_BYTES);
    return count[0];
  }

  private long flush(long ordinal, List<BlobIndexEntry> waiting) {
    write(ordinal, encode(waiting));
    long count = ordinal + waiting.size();
    waiting.clear();
    return count;
  }

  static BlobIndexEntry entryOf(long offset, BlobRecord record) {
    return new BlobIndexEntry(
        record.hash(), offset, record.rawLength(), record.storedLength(), record.codec());
  }

  static ByteBuffer encode(List<BlobIndexEntry> entries) {
    ByteBuffer bytes = ByteBuffer.allocate(entries.size() * BlobIndexEntry.SIZE_BYTES);
    MemorySegment target = MemorySegment.ofBuffer(bytes);
    for (int i = 0; i < entries.size(); i++) {
      entries.get(i).write(target, (long) i * BlobIndexEntry.SIZE_BYTES);
    }
    return bytes;
  }

  void write(long ordinal, ByteBuffer entries) {
    index.write(ordinal * BlobIndexEntry.SIZE_BYTES, entries);
  }

  void publish(long count) {
    index.end(count * BlobIndexEntry.SIZE_BYTES);
  }

  /// Hands over hash and offset of each entry. Where an entry is damaged the pack itself is asked.
  @Override
  public void entries(long from, Sink sink) {
    long expectedOffset = from == 0 ? 0 : -1;
    for (long ordinal = from; ordinal < count(); ordinal++) {
      Optional<BlobIndexEntry> entry = entry(ordinal);
      if (entry.isEmpty() && expectedOffset >= 0) {
        long offset = expectedOffset;
        entry =
            BlobRecord.read(pack.at(offset, BlobRecord.HEADER_BYTES))
                .map(record -> entryOf(offset, record));
      }
      expectedOffset = -1;
      if (entry.isPresent()) {
        BlobHash hash = entry.get().hash();
        sink.put(hash.w0(), entry.get().packOffset(), offset -> isAt(hash, offset));
        expectedOffset = end(entry.get());
      }
    }
  }

  /// Whether the record of `hash` stands at `offset`.
  boolean isAt(BlobHash hash, long offset) {
    return offset >= 0
        && offset <= pack.endBytes() - BlobRecord.HEADER_BYTES - BlobRecord.CRC_BYTES
        && BlobRecord.hasHash(pack.at(offset, BlobRecord.HEADER_BYTES), hash);
  }

  void force() {
    index.force();
  }

  void close() {
    index.close(true);
  }
}
