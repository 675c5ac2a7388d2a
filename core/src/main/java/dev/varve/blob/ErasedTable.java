// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import static dev.varve.disk.LittleEndian.U32;
import static dev.varve.disk.LittleEndian.U64;

import dev.varve.BlobHash;
import dev.varve.ErasedBlob;
import dev.varve.StoreException;
import dev.varve.disk.AppendFile;
import dev.varve.disk.Disk;
import dev.varve.disk.FileGrowth;
import dev.varve.disk.LittleEndian;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The names of the blobs that were erased: `erased.tbl`, sorted. The file is there once something
/// was erased, and is replaced as a whole.
///
/// Page: `docs/format/erased-tbl.md`.
public final class ErasedTable implements AutoCloseable {

  public static final String FILE = "erased.tbl";

  /// A store in which nothing was erased.
  public static final ErasedTable EMPTY = new ErasedTable(null, 0, null);

  static final StructLayout HEADER =
      MemoryLayout.structLayout(
          U64.withName("magic"),
          U32.withName("version"),
          U32.withName("reserved"),
          U64.withName("store_id"),
          U64.withName("count"),
          LittleEndian.bytes(28, "reserved_2"),
          U32.withName("crc32"));

  static final StructLayout LAYOUT =
      MemoryLayout.structLayout(
          LittleEndian.bytes(32, "hash"),
          U64.withName("erased_at_unix_ms"),
          U64.withName("raw_len"),
          U32.withName("run"),
          U32.withName("cause"),
          U32.withName("flags"),
          U32.withName("crc32"));

  /// The bit of `flags` of content that may come back.
  private static final int READMITTED = 1;

  static final int SIZE_BYTES = 64;

  /// On the disk: `VARVEERA`.
  static final long MAGIC = 0x4152454556524156L;

  static final int VERSION = 1;
  private static final long CRC = 60;
  private static final int WRITE_ENTRIES = 1024;

  private final @Nullable AppendFile file;
  private final long count;
  private final StoreException.@Nullable Corrupt damage;

  private ErasedTable(
      @Nullable AppendFile file, long count, StoreException.@Nullable Corrupt damage) {
    this.file = file;
    this.count = count;
    this.damage = damage;
  }

  /// Opens the table of a store, and verifies all of it.
  ///
  /// @param expected whether something was erased, so that the file must be there. A table that is
  ///   damaged or missing knows nothing, and says so by [#damage]
  public static ErasedTable open(Disk disk, long storeId, FileGrowth growth, boolean expected) {
    if (!expected) {
      return EMPTY;
    }
    if (!disk.exists(FILE)) {
      return new ErasedTable(
          null, 0, new StoreException.Corrupt(FILE, 0, "the names of erased blobs", "no file"));
    }
    AppendFile file = AppendFile.open(disk, FILE, growth);
    StoreException.Corrupt damage = verify(file, storeId);
    long count = damage == null ? file.at(0, SIZE_BYTES).get(U64, 24) : 0;
    return new ErasedTable(file, count, damage);
  }

  private static StoreException.@Nullable Corrupt verify(AppendFile file, long storeId) {
    if (file.endBytes() < SIZE_BYTES) {
      return new StoreException.Corrupt(FILE, 0, "a header", file.endBytes() + " bytes");
    }
    MemorySegment header = file.at(0, SIZE_BYTES);
    long count = header.get(U64, 24);
    if (header.get(U64, 0) != MAGIC
        || header.get(U32, 8) != VERSION
        || header.get(U64, 16) != storeId
        || header.get(U32, CRC) != LittleEndian.crc32(header, 0, CRC)
        || count != file.endBytes() / SIZE_BYTES - 1) {
      return new StoreException.Corrupt(FILE, 0, "a header of this store", "other bytes");
    }
    BlobHash before = null;
    for (long i = 0; i < count; i++) {
      MemorySegment entry = file.at((i + 1) * SIZE_BYTES, SIZE_BYTES);
      BlobHash hash = BlobHash.read(entry, 0);
      if (entry.get(U32, CRC) != LittleEndian.crc32(entry, 0, CRC)
          || before != null && compare(before, hash) >= 0) {
        return new StoreException.Corrupt(
            FILE, (i + 1) * SIZE_BYTES, "the name of an erased blob", "other bytes");
      }
      before = hash;
    }
    return null;
  }

  /// The order of the entries: by the four words of a hash, each unsigned.
  public static int compare(BlobHash a, BlobHash b) {
    int order = Long.compareUnsigned(a.w0(), b.w0());
    order = order != 0 ? order : Long.compareUnsigned(a.w1(), b.w1());
    order = order != 0 ? order : Long.compareUnsigned(a.w2(), b.w2());
    return order != 0 ? order : Long.compareUnsigned(a.w3(), b.w3());
  }

  /// The damage of the file; null if the file is whole.
  public StoreException.@Nullable Corrupt damage() {
    return damage;
  }

  public long count() {
    return count;
  }

  /// The memory of an erased blob; empty if the blob was never erased.
  public Optional<ErasedBlob> find(BlobHash hash) {
    long low = 0;
    long high = count - 1;
    while (low <= high) {
      long middle = (low + high) >>> 1;
      ErasedBlob found = entry(middle);
      int order = compare(found.hash(), hash);
      if (order == 0) {
        return Optional.of(found);
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return Optional.empty();
  }

  /// Refuses a blob that was erased, unless its content was readmitted.
  ///
  /// @throws StoreException.Erased if it was
  public void refuse(BlobHash hash) {
    if (count > 0) {
      find(hash)
          .filter(known -> !known.readmitted())
          .ifPresent(
              erased -> {
                throw new StoreException.Erased(
                    hash.toString(), erased.cause().word(), erased.erasedAt().toString());
              });
    }
  }

  /// Hands over all entries in their order.
  public void each(Consumer<ErasedBlob> visitor) {
    for (long i = 0; i < count; i++) {
      visitor.accept(entry(i));
    }
  }

  private ErasedBlob entry(long i) {
    if (file == null) {
      throw new AssertionError("an entry of no file");
    }
    MemorySegment entry = file.at((i + 1) * SIZE_BYTES, SIZE_BYTES);
    int cause = entry.get(U32, 52);
    return new ErasedBlob(
        BlobHash.read(entry, 0),
        entry.get(U64, 40),
        ErasedBlob.Cause.of(cause)
            .orElseThrow(
                () ->
                    new StoreException.Corrupt(
                        FILE, (i + 1) * SIZE_BYTES, "a known cause", String.valueOf(cause))),
        Instant.ofEpochMilli(entry.get(U64, 32)),
        entry.get(U32, 48),
        (entry.get(U32, 56) & READMITTED) != 0);
  }

  /// Writes a table under another name and forces it.
  ///
  /// @param sorted in the order of [#compare], each name once
  public static void write(Disk disk, String name, long storeId, List<ErasedBlob> sorted) {
    disk.delete(name);
    try (var file = disk.open(name)) {
      ByteBuffer buffer = ByteBuffer.allocate(WRITE_ENTRIES * SIZE_BYTES);
      MemorySegment bytes = MemorySegment.ofArray(buffer.array());
      bytes.set(U64, 0, MAGIC);
      bytes.set(U32, 8, VERSION);
      bytes.set(U64, 16, storeId);
      bytes.set(U64, 24, sorted.size());
      bytes.set(U32, CRC, LittleEndian.crc32(bytes, 0, CRC));
      file.write(0, buffer.slice(0, SIZE_BYTES));
      for (int from = 0; from < sorted.size(); from += WRITE_ENTRIES) {
        List<ErasedBlob> part = sorted.subList(from, Math.min(sorted.size(), from + WRITE_ENTRIES));
        for (int i = 0; i < part.size(); i++) {
          write(part.get(i), bytes, (long) i * SIZE_BYTES);
        }
        file.write((from + 1L) * SIZE_BYTES, buffer.slice(0, part.size() * SIZE_BYTES));
      }
      file.force();
    }
  }

  private static void write(ErasedBlob erased, MemorySegment target, long offset) {
    erased.hash().write(target, offset);
    target.set(U64, offset + 32, erased.erasedAt().toEpochMilli());
    target.set(U64, offset + 40, erased.sizeBytes());
    target.set(U32, offset + 48, erased.run());
    target.set(U32, offset + 52, erased.cause().number());
    target.set(U32, offset + 56, erased.readmitted() ? READMITTED : 0);
    target.set(U32, offset + CRC, LittleEndian.crc32(target, offset, CRC));
  }

  @Override
  public void close() {
    if (file != null) {
      file.close();
    }
  }
}
