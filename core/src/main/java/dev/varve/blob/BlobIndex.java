// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import dev.varve.BlobHash;
import dev.varve.disk.AppendFile;
import dev.varve.index.EntrySink;
import dev.varve.index.EntrySource;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/// The file `blobs.idx`: one entry for each record of `blobs.pack`, in the pack's order. The file
/// is derived: it is rebuilt from the pack when it does not match the pack. `blobs.map` finds
/// entries by hash, and is rebuilt from this file.
///
/// Page: `docs/format/blobs-idx.md`.
final class BlobIndex implements EntrySource {

  static final String FILE = "blobs.idx";

  private static final System.Logger LOGGER = System.getLogger("dev.varve.blob");
  private static final int WRITE_ENTRIES = 1024;

  /// The most entries that an opening verifies.
  private static final long LOOKED_AT_MAX = 1L << 16;

  private final AppendFile index;
  private final AppendFile pack;
  private volatile boolean spoilt;

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

  /// Returns whether a damaged entry was found, so that the file should be made again.
  boolean isSpoilt() {
    return spoilt;
  }

  /// Returns whether the file has exactly `count` entries; whether the record of the last entry
  /// ends where the pack ends; whether the first entry, the last entry and one between belong to
  /// this pack; and whether the checks of the entries that an opening verifies are right.
  boolean holds(long count, long packEnd) {
    if (count() != count) {
      return false;
    }
    if (count == 0) {
      return packEnd == 0;
    }
    Optional<BlobIndexEntry> last = entry(count - 1);
    return last.isPresent()
        && end(last.get()) == packEnd
        && sound(0).isPresent()
        && sound(count / 2).isPresent()
        && sound(count - 1).isPresent()
        && areChecksRight(count);
  }

  private boolean areChecksRight(long count) {
    long step = Math.max(1, count / LOOKED_AT_MAX);
    long before = -1;
    for (long ordinal = 0; ordinal < count; ordinal += step) {
      Optional<BlobIndexEntry> entry = entry(ordinal);
      if (entry.isEmpty() || entry.get().packOffset() <= before) {
        return false;
      }
      before = entry.get().packOffset();
    }
    return true;
  }

  /// The entry at an ordinal, if its check is right and no record of another blob stands at its
  /// offset.
  private Optional<BlobIndexEntry> sound(long ordinal) {
    return entry(ordinal)
        .filter(
            entry ->
                entry.packOffset() >= 0
                    && end(entry) <= pack.endBytes()
                    && BlobRecord.read(pack.at(entry.packOffset(), BlobRecord.HEADER_BYTES))
                        .filter(record -> !record.hash().equals(entry.hash()))
                        .filter(record -> PackScan.intact(pack, entry.packOffset(), record))
                        .isEmpty());
  }

  /// Passes on each damaged entry.
  void eachDamaged(LongConsumer ordinals) {
    long expected = 0;
    for (long ordinal = 0; ordinal < count(); ordinal++) {
      Optional<BlobIndexEntry> entry = sound(ordinal);
      if (entry.isEmpty() || entry.get().packOffset() < expected) {
        spoilt = true;
        ordinals.accept(ordinal);
      } else {
        expected = end(entry.get());
      }
    }
  }

  /// The entries of records that start in a stretch of the pack.
  List<BlobIndexEntry> between(long from, long to) {
    List<BlobIndexEntry> found = new ArrayList<>();
    for (long ordinal = firstAt(from); ordinal < count(); ordinal++) {
      Optional<BlobIndexEntry> entry = sound(ordinal);
      if (entry.isPresent() && entry.get().packOffset() >= to) {
        break;
      }
      entry.filter(e -> e.packOffset() >= from).ifPresent(found::add);
    }
    return found;
  }

  /// The first entry whose record starts at `offset` or behind. Entries are in the order of
  /// offsets; a damaged entry counts like its neighbour.
  private long firstAt(long offset) {
    long low = 0;
    long high = count();
    while (low < high) {
      long middle = (low + high) >>> 1;
      long probe = middle;
      Optional<BlobIndexEntry> entry = sound(probe);
      while (entry.isEmpty() && probe > low) {
        entry = sound(--probe);
      }
      if (entry.isEmpty() || entry.get().packOffset() < offset) {
        low = middle + 1;
      } else {
        high = probe;
      }
    }
    return low;
  }

  /// Returns whether the record of `hash` stood at `offset`, and other bytes stand there now.
  boolean wasAt(BlobHash hash, long offset) {
    if (offset < 0 || offset >= pack.endBytes() || isAt(hash, offset)) {
      return false;
    }
    long ordinal = firstAt(offset);
    Optional<BlobIndexEntry> here = ordinal < count() ? sound(ordinal) : Optional.empty();
    if (here.isPresent() && here.get().packOffset() == offset) {
      return here.get().hash().equals(hash);
    }
    // An index that was made anew passes over what is damaged.
    return ordinal == 0 || sound(ordinal - 1).filter(e -> end(e) > offset).isEmpty();
  }

  private static long end(BlobIndexEntry entry) {
    return entry.packOffset()
        + BlobRecord.HEADER_BYTES
        + entry.storedLength()
        + BlobRecord.CRC_BYTES;
  }

  /// Makes all entries again from the pack.
  ///
  /// @return the number of entries
  long rebuild(long packEnd, System.Logger.Level remade) {
    LOGGER.log(remade, "{0}: rebuilt from {1}", FILE, BlobRecord.FILE);
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
                    BlobRecord.FILE,
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

  /// Passes on hash and offset of each entry. From a damaged entry on, the pack itself is read to
  /// its end.
  @Override
  public void entries(long from, EntrySink sink) {
    long expected = from == 0 ? 0 : sound(from - 1).map(BlobIndex::end).orElse(0L);
    for (long ordinal = from; ordinal < count(); ordinal++) {
      Optional<BlobIndexEntry> entry = sound(ordinal);
      if (entry.isEmpty() || entry.get().packOffset() < expected) {
        spoilt = true;
        LOGGER.log(
            System.Logger.Level.WARNING,
            "{0} at byte {1}: damaged; {2} is read from byte {3}",
            FILE,
            ordinal * BlobIndexEntry.SIZE_BYTES,
            BlobRecord.FILE,
            expected);
        entriesOfPack(expected, sink);
        return;
      }
      put(entry.get().hash(), entry.get().packOffset(), sink);
      expected = end(entry.get());
    }
  }

  private void entriesOfPack(long from, EntrySink sink) {
    new PackScan(pack, false)
        .scan(
            from,
            pack.endBytes(),
            new PackScan.Visitor() {
              @Override
              public void record(long offset, BlobRecord record) {
                put(record.hash(), offset, sink);
              }

              @Override
              public void damage(long offset, long end) {}
            });
  }

  private void put(BlobHash hash, long packOffset, EntrySink sink) {
    sink.put(hash.w0(), packOffset, other -> isAt(hash, other));
  }

  /// Returns whether the record of `hash` stands at `offset`.
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
