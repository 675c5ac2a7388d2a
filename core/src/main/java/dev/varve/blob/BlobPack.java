// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.chunk.ChunkSizes;
import dev.varve.disk.AppendFile;
import dev.varve.index.EntrySource;
import dev.varve.index.FingerprintTable;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The blobs: `blobs.pack`, found through `blobs.map`. [BlobPreparation] and [PackWriter] add to
/// them.
///
/// A blob's bytes are verified whenever they are read: the record's CRC-32 first, then the BLAKE3
/// of what it decodes to.
public final class BlobPack {

  public static final String FILE = BlobRecord.FILE;
  public static final String INDEX_FILE = BlobIndex.FILE;
  public static final String MAP_FILE = "blobs.map";

  /// Size of an entry of `blobs.idx`.
  public static final int INDEX_ENTRY_BYTES = BlobIndexEntry.SIZE_BYTES;

  private final AppendFile pack;
  private final PackRead reads;
  private final ChunkedBlobs chunked;
  private final BlobIndex index;
  private final BlobCache cache;
  private final int rawBytesMax;
  private @Nullable FingerprintTable map;
  private volatile ErasedTable erased = ErasedTable.EMPTY;

  /// @param pack opened with its logical end; so is `index`
  public BlobPack(
      AppendFile pack, AppendFile index, long cacheBytes, int rawBytesMax, ChunkSizes chunkSizes) {
    this.pack = pack;
    this.reads = new PackRead(pack);
    this.chunked = new ChunkedBlobs(reads, chunkSizes, this::find, this::piece);
    this.index = new BlobIndex(index, pack);
    this.cache = new BlobCache(cacheBytes);
    this.rawBytesMax = rawBytesMax;
  }

  /// Brings `blobs.idx` in line with a pack of this length.
  ///
  /// @param entryCount how many entries it should have
  /// @param remade level of the entry in the log if `blobs.idx` is not in line
  /// @return whether it was in line already
  public boolean openIndex(long entryCount, System.Logger.Level remade) {
    boolean held = index.holds(entryCount, pack.endBytes());
    if (!held) {
      index.rebuild(pack.endBytes(), remade);
    }
    return held;
  }

  /// Returns whether a damaged entry of `blobs.idx` was met, so that the file should be made again.
  public boolean isIndexSpoilt() {
    return index.isSpoilt();
  }

  /// Counts what is in the pack: different blobs, their bytes uncompressed, and the bytes of their
  /// records.
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
                sums[1] +=
                    BlobRecord.keptBytes(entry.codec(), entry.rawLength(), entry.storedLength());
                sums[2] += BlobRecord.HEADER_BYTES + entry.storedLength() + BlobRecord.CRC_BYTES;
              });
    }
    return sums;
  }

  /// The entries from which `blobs.map` is made.
  public EntrySource source() {
    return index;
  }

  public void findThrough(FingerprintTable table) {
    map = table;
  }

  /// Sets the memory of erased blobs.
  public void remember(ErasedTable table) {
    erased = table;
  }

  /// The memory of erased blobs.
  public ErasedTable erased() {
    return erased;
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
    long offset = require(hash);
    BlobRecord record = reads.record(offset);
    byte[] raw;
    if (ChunkedBlobs.isChunked(record)) {
      if (record.rawLength() > rawBytesMax) {
        throw new StoreException.TooLarge("payload", record.rawLength(), rawBytesMax);
      }
      raw = chunked.all(offset, record);
    } else {
      raw = reads.raw(hash, offset, record, rawBytesMax);
    }
    Payload bytes = Payload.wrap(raw);
    cache.put(hash, bytes);
    return bytes;
  }

  /// A chunk or a list. It is looked for in the cache but not put there: a large blob must not
  /// drive out everything else.
  private Payload piece(BlobHash hash, int bytesMax) {
    Payload cached = cache.find(hash);
    if (cached != null && cached.sizeBytes() <= bytesMax) {
      return cached;
    }
    long offset = require(hash);
    BlobRecord record = reads.record(offset);
    if (ChunkedBlobs.isChunked(record) || record.rawLength() > bytesMax) {
      throw new StoreException.Invalid(
          "blob " + hash,
          "expected one piece of at most " + bytesMax + " bytes, found " + record.rawLength());
    }
    return Payload.wrap(reads.raw(hash, offset, record, bytesMax));
  }

  /// The bytes of a part of a blob, one kept as chunks read only where it is asked for.
  ///
  /// @throws StoreException.Invalid if the part is not inside the blob
  public InputStream read(BlobHash hash, long from, long length) {
    long offset = require(hash);
    BlobRecord record = reads.record(offset);
    long sizeBytes = record.rawLength();
    if (from < 0 || length < 0 || length > sizeBytes - from) {
      throw new StoreException.Invalid(
          "range",
          "expected bytes within 0 to "
              + sizeBytes
              + ", found "
              + length
              + " from "
              + from
              + " on");
    }
    if (ChunkedBlobs.isChunked(record)) {
      return chunked.stream(offset, record, from, from + length);
    }
    return new ByteArrayInputStream(get(hash).unsafeArray(), (int) from, (int) length);
  }

  /// The root list of a blob that is kept as chunks.
  public Optional<Payload> findChunkList(BlobHash hash) {
    long offset = require(hash);
    BlobRecord record = reads.record(offset);
    return ChunkedBlobs.isChunked(record)
        ? Optional.of(Payload.wrap(chunked.rootBytes(offset, record)))
        : Optional.empty();
  }

  private long require(BlobHash hash) {
    long offset = find(hash);
    if (offset >= 0) {
      return offset;
    }
    long lost = findLost(hash);
    if (lost >= 0) {
      throw PackRead.corrupt(lost, "the record of blob " + hash, "other bytes");
    }
    throw new StoreException.NotFound(
        isErased(hash) ? StoreException.NotFound.ERASED_BLOB : "blob", hash.toString());
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

  /// Returns whether a blob was stored, even if its record is damaged since, or was erased.
  public boolean isKnown(BlobHash hash) {
    return hasRecord(hash) || erased.find(hash).isPresent();
  }

  /// Returns whether the pack has a record of a blob, even if the record is damaged.
  boolean hasRecord(BlobHash hash) {
    return find(hash) >= 0 || findLost(hash) >= 0;
  }

  /// Returns whether a blob was erased and has not come back.
  public boolean isErased(BlobHash hash) {
    return erased.find(hash).isPresent() && find(hash) < 0;
  }

  /// Size of a blob, uncompressed.
  ///
  /// @throws StoreException.NotFound if there is no such blob
  public long rawBytes(BlobHash hash) {
    return reads.record(require(hash)).rawLength();
  }

  /// Reads and hashes all that a root list stands for.
  ///
  /// @return how many bytes that are
  /// @throws StoreException.Invalid if it is not the content of `hash`
  public long verifyChunked(BlobHash hash, Payload rootList) {
    return chunked.verify(hash, rootList.unsafeArray());
  }

  /// Returns whether a blob can be read whose record is at `offset`: the content has the blob's
  /// hash. Of a blob that is kept as chunks the lists fit and each chunk has its hash.
  public boolean isWhole(BlobHash hash, long offset) {
    if (!reads.isIntact(offset)) {
      return false;
    }
    BlobRecord record = reads.record(offset);
    return ChunkedBlobs.isChunked(record)
        ? chunked.isWhole(offset, record)
        : reads.isReadable(hash, offset, rawBytesMax);
  }

  // ---- for the rest of the room

  BlobIndex index() {
    return index;
  }

  PackRead reads() {
    return reads;
  }

  ChunkedBlobs chunked() {
    return chunked;
  }

  int rawBytesMax() {
    return rawBytesMax;
  }

  @Nullable FingerprintTable map() {
    return map;
  }

  public AppendFile packFile() {
    return pack;
  }
}
