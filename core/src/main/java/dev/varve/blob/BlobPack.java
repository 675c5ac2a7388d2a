// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import static dev.varve.disk.LittleEndian.U32;

import dev.varve.BlobHash;
import dev.varve.CheckReport.Problem;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.disk.AppendFile;
import dev.varve.disk.LittleEndian;
import dev.varve.hash.Blake3;
import dev.varve.index.FingerprintTable;
import dev.varve.index.Source;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The blobs: `blobs.pack`, found through `blobs.map`.
///
/// A blob's bytes are verified whenever they are read: the record's CRC-32 first, then the BLAKE3 of what it decodes to.
public final class BlobPack {

  public static final String FILE = "blobs.pack";
  public static final String INDEX_FILE = BlobIndex.FILE;
  public static final String MAP_FILE = "blobs.map";

  /// Size of an entry of `blobs.idx`.
  public static final int INDEX_ENTRY_BYTES = BlobIndexEntry.SIZE_BYTES;

  private final AppendFile pack;
  private final BlobIndex index;
  private final BlobCache cache;
  private final int zstdLevel;
  private final int rawBytesMax;
  private @Nullable FingerprintTable map;

  /// @param pack opened with its logical end; so is `index`
  public BlobPack(
      AppendFile pack, AppendFile index, long cacheBytes, int zstdLevel, int rawBytesMax) {
    this.pack = pack;
    this.index = new BlobIndex(index, pack);
    this.cache = new BlobCache(cacheBytes);
    this.zstdLevel = zstdLevel;
    this.rawBytesMax = rawBytesMax;
  }

  /// Brings `blobs.idx` in line with a pack of this length.
  ///
  /// @param entryCount how many entries it should have
  /// @return whether it was in line already
  public boolean openIndex(long entryCount) {
    boolean held = index.holds(entryCount, pack.endBytes());
    if (!held) {
      index.rebuild(pack.endBytes());
    }
    return held;
  }

  /// Counts what is in the pack: different blobs, their raw bytes, and the bytes of their records.
  ///
  /// @return three numbers, in that order
  public long[] tally() {
    long[] sums = new long[3];
    for (long ordinal = 0; ordinal < index.count(); ordinal++) {
      index
          .entry(ordinal)
          .filter(entry -> find(entry.hash()) == entry.packOffset())
          .ifPresent(
              entry -> {
                sums[0]++;
                sums[1] += entry.rawLength();
                sums[2] +=
                    BlobRecord.HEADER_BYTES + entry.storedLength() + BlobRecord.CRC_BYTES;
              });
    }
    return sums;
  }

  /// Where a pack whose end nobody knows ends: behind its last whole record.
  public static long endByScan(AppendFile pack) {
    long[] end = {0};
    new PackScan(pack, true)
        .scan(
            0,
            pack.endBytes(),
            new PackScan.Visitor() {
              @Override
              public void record(long offset, BlobRecord record) {
                end[0] = offset + record.sizeBytes();
              }

              @Override
              public void damage(long offset, long damageEnd) {}
            });
    return end[0];
  }

  /// What `blobs.map` is made from.
  public Source source() {
    return index;
  }

  public void findThrough(FingerprintTable table) {
    map = table;
  }

  public long endBytes() {
    return pack.endBytes();
  }

  public long entryCount() {
    return index.count();
  }

  // ---- reading

  /// The offset of a blob's record, or -1.
  public long find(BlobHash hash) {
    FingerprintTable table = map;
    return table == null ? -1 : table.find(hash.w0(), offset -> index.isAt(hash, offset));
  }

  /// The bytes of a blob, verified, from the cache or the disk.
  ///
  /// @throws StoreException.NotFound if there is no such blob
  /// @throws StoreException.Corrupt if the record is damaged
  public Payload get(BlobHash hash) {
    Payload cached = cache.find(hash);
    if (cached != null) {
      return cached;
    }
    Payload bytes = Payload.wrap(read(hash, require(hash)));
    cache.put(hash, bytes);
    return bytes;
  }

  private long require(BlobHash hash) {
    long offset = find(hash);
    if (offset >= 0) {
      return offset;
    }
    long lost = findLost(hash);
    if (lost >= 0) {
      throw corrupt(lost, "the record of blob " + hash, "other bytes");
    }
    throw new StoreException.NotFound("blob", hash.toString());
  }

  /// The bytes of a blob that a turn names, so that it must be there.
  ///
  /// @throws StoreException.Corrupt if it is damaged or missing
  public Payload getNamed(BlobHash hash, String file, long offset) {
    try {
      return get(hash);
    } catch (StoreException.NotFound e) {
      throw new StoreException.Corrupt(file, offset, "a blob of " + FILE, "blob " + hash);
    }
  }

  /// Where the record of a blob stood whose header is damaged, or -1.
  private long findLost(BlobHash hash) {
    FingerprintTable table = map;
    return table == null ? -1 : table.find(hash.w0(), offset -> index.wasAt(hash, offset));
  }

  /// Whether a blob was stored, even if its record is damaged since.
  public boolean isKnown(BlobHash hash) {
    return find(hash) >= 0 || findLost(hash) >= 0;
  }

  /// Size of a blob, uncompressed.
  ///
  /// @throws StoreException.NotFound if there is no such blob
  public long rawBytes(BlobHash hash) {
    return Integer.toUnsignedLong(pack.at(require(hash), BlobRecord.HEADER_BYTES).get(U32, 8));
  }

  private byte[] read(BlobHash hash, long offset) {
    BlobRecord record =
        BlobRecord.read(pack.at(offset, BlobRecord.HEADER_BYTES))
            .orElseThrow(() -> corrupt(offset, "a blob record", "other bytes"));
    if (record.sizeBytes() > pack.endBytes() - offset || record.rawLength() > rawBytesMax) {
      throw corrupt(
          offset,
          "at most " + rawBytesMax + " bytes",
          record.rawLength() + " raw and " + record.storedLength() + " stored bytes");
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
    Codec codec =
        Codec.of(record.codec())
            .orElseThrow(() -> corrupt(offset, "codec 0 or 1", "codec " + record.codec()));
    byte[] raw =
        codec
            .decode(stored, (int) record.rawLength())
            .orElseThrow(
                () ->
                    corrupt(
                        offset,
                        "stored bytes that decode to " + record.rawLength(),
                        "others"));
    BlobHash found = Blake3.hash(raw);
    if (!found.equals(hash)) {
      throw corrupt(offset, "content with hash " + hash, "content with hash " + found);
    }
    return raw;
  }

  private static StoreException.Corrupt corrupt(long offset, String expected, String found) {
    return new StoreException.Corrupt(FILE, offset, expected, found);
  }

  // ---- writing

  /// A blob made ready by its caller's thread, so that the writing thread only has to place it.
  ///
  /// @param stored the bytes as they will stand in the record; null if a good copy is already there
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Prepared(BlobHash hash, int rawLength, Codec codec, byte @Nullable [] stored) {

    public boolean isNew() {
      return stored != null;
    }

    /// The record to write.
    public BlobRecord record() {
      if (stored == null) {
        throw new AssertionError("blob " + hash + " is already there");
      }
      return new BlobRecord(codec.number(), rawLength, stored.length, hash);
    }
  }

  /// Hashes and compresses a blob, unless an intact copy is there already.
  public Prepared prepare(Payload payload) {
    byte[] raw = payload.unsafeArray();
    BlobHash hash = Blake3.hash(raw);
    long offset = find(hash);
    if (offset >= 0 && isIntact(offset)) {
      return new Prepared(hash, raw.length, Codec.NONE, null);
    }
    Optional<byte[]> compressed = Codec.compress(raw, zstdLevel);
    return compressed
        .map(bytes -> new Prepared(hash, raw.length, Codec.ZSTD, bytes))
        .orElseGet(() -> new Prepared(hash, raw.length, Codec.NONE, raw));
  }

  /// Whether the record at `offset` is whole and its checksum holds.
  public boolean isIntact(long offset) {
    Optional<BlobRecord> record = BlobRecord.read(pack.at(offset, BlobRecord.HEADER_BYTES));
    return record.isPresent()
        && record.get().sizeBytes() <= pack.endBytes() - offset
        && PackScan.intact(pack, offset, record.get());
  }

  /// Writes records at `offset` and their entries behind entry `ordinal`. No reader sees them until [#publish].
  public void write(long offset, ByteBuffer records, long ordinal, List<Placed> placed) {
    pack.write(offset, records);
    writeIndex(ordinal, placed);
  }

  /// Writes entries of records that are in the pack already.
  public void writeIndex(long ordinal, List<Placed> placed) {
    index.write(
        ordinal,
        BlobIndex.encode(
            placed.stream().map(one -> BlobIndex.entryOf(one.offset(), one.record())).toList()));
  }

  /// A record and where it stands.
  public record Placed(long offset, BlobRecord record) {}

  /// The whole records between two offsets, or empty if something else is between them.
  public Optional<List<Placed>> placedBetween(long from, long end) {
    List<Placed> placed = new ArrayList<>();
    boolean[] damaged = {false};
    new PackScan(pack, true)
        .scan(
            from,
            end,
            new PackScan.Visitor() {
              @Override
              public void record(long offset, BlobRecord record) {
                placed.add(new Placed(offset, record));
              }

              @Override
              public void damage(long offset, long damageEnd) {
                damaged[0] = true;
              }
            });
    return damaged[0] ? Optional.empty() : Optional.of(List.copyOf(placed));
  }

  /// Shows readers what was written.
  public void publish(long packEnd, long entryCount, List<Placed> placed) {
    pack.end(packEnd);
    index.publish(entryCount);
    FingerprintTable table = map;
    if (table != null) {
      for (Placed one : placed) {
        BlobHash hash = one.record().hash();
        // What the table says of this hash is replaced: it is a damaged copy, or newer than the pack.
        table.put(hash.w0(), one.offset(), offset -> index.isAt(hash, offset) || !isRecordOf(hash, offset));
      }
    }
  }

  /// Whether a record at `offset` has a hash that begins like this one.
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

  // ---- the whole

  /// Reads and verifies every record.
  ///
  /// @return how many are sound
  public long check(Consumer<Problem> problems) {
    long[] sound = {0};
    new PackScan(pack, true)
        .scan(
            0,
            pack.endBytes(),
            new PackScan.Visitor() {
              @Override
              public void record(long offset, BlobRecord record) {
                try {
                  long found = find(record.hash());
                  if (found == offset) {
                    read(record.hash(), offset);
                  } else if (found < 0) {
                    problems.accept(
                        new Problem(
                            MAP_FILE, 0, MAP_FILE + ": no blob " + record.hash(), true));
                  }
                  sound[0]++;
                } catch (StoreException.Corrupt e) {
                  problems.accept(new Problem(FILE, offset, String.valueOf(e.getMessage()), false));
                }
              }

              @Override
              public void damage(long offset, long end) {
                reportDamage(offset, end, problems);
              }
            });
    index.eachDamaged(
        ordinal ->
            problems.accept(
                new Problem(
                    INDEX_FILE,
                    ordinal * INDEX_ENTRY_BYTES,
                    INDEX_FILE + " entry " + ordinal + ": not of the record in the pack",
                    true)));
    return sound[0];
  }

  /// Reports each record that stood in a damaged stretch, but for those that have since been stored again elsewhere.
  private void reportDamage(long from, long end, Consumer<Problem> problems) {
    List<BlobIndexEntry> stood = index.between(from, end);
    if (stood.isEmpty() && !isHealed(from, BlobHash.read(hashAt(from), 0))) {
      problems.accept(damage(from, end - from + " damaged bytes"));
    }
    for (BlobIndexEntry entry : stood) {
      if (!isHealed(entry.packOffset(), entry.hash())) {
        problems.accept(damage(entry.packOffset(), "the record of blob " + entry.hash() + " is damaged"));
      }
    }
  }

  private static Problem damage(long offset, String what) {
    return new Problem(FILE, offset, FILE + " at byte " + offset + ": " + what, false);
  }

  /// What stands where a record at `offset` has its hash.
  private MemorySegment hashAt(long offset) {
    return offset <= pack.endBytes() - BlobRecord.HEADER_BYTES
        ? pack.at(offset + BlobRecord.HEADER_BYTES - 32, 32)
        : MemorySegment.ofArray(new byte[32]);
  }

  /// Whether the blob whose record at `offset` is damaged has been stored again elsewhere.
  private boolean isHealed(long offset, BlobHash hash) {
    long elsewhere = find(hash);
    return elsewhere >= 0 && elsewhere != offset && isIntact(elsewhere);
  }

  public AppendFile packFile() {
    return pack;
  }

  public void close() {
    pack.close(true);
    index.close();
  }
}
