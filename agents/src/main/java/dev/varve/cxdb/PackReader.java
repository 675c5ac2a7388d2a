// SPDX-License-Identifier: Apache-2.0
package dev.varve.cxdb;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreLimits;
import dev.varve.hash.Blake3;
import dev.varve.hash.RangeChecksums;
import dev.varve.imports.ProblemList;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/// Reads `blobs.pack` record by record. The server's own index of the pack is not used: the index
/// has no checksums, and after a crash it lacks records.
///
/// A record is whole if its checksum is right and its decompressed bytes have its hash. Behind a
/// record with a wrong checksum, the next record is searched for by its magic, in time proportional
/// to the file's size, whatever lengths the damaged record declares. A record with a right checksum
/// and a wrong hash was written like that, and is skipped as a whole.
final class PackReader {

  private static final int MAGIC = 0x42534C42; // "BLSB"
  private static final int HEADER_BYTES = 48;
  private static final int CRC_BYTES = 4;
  private static final int NONE = 0;
  private static final int ZSTD = 1;

  private final SourceFile pack;
  private final StoreLimits limits;
  private final ZstdDecompressor zstd;

  /// The checksums of ranges, once damage was found: the search for a record needs checksums of the
  /// same bytes again and again.
  private @Nullable RangeChecksums ranges;

  PackReader(SourceFile pack, StoreLimits limits, ZstdDecompressor zstd) {
    this.pack = pack;
    this.limits = limits;
    this.zstd = zstd;
  }

  private record Header(int codec, long rawSize, long storedSize, BlobHash hash) {
    long recordSize() {
      return HEADER_BYTES + storedSize + CRC_BYTES;
    }
  }

  /// Puts all blobs into `store`.
  ///
  /// @return the number of whole records
  long read(Store store, ProblemList problems) {
    long blobs = 0;
    long offset = 0;
    long damagedFrom = -1;
    while (offset < pack.sizeBytes()) {
      Header header = header(offset);
      boolean whole = header != null && hasChecksum(offset, header);
      byte[] raw = header == null || !whole ? null : raw(offset, header);
      if (header != null && raw != null) {
        if (damagedFrom >= 0) {
          SourceFile.reportDamage(problems, pack.name(), damagedFrom, offset);
          damagedFrom = -1;
        }
        store.put(Payload.wrap(raw));
        blobs++;
        offset += header.recordSize();
      } else {
        damagedFrom = damagedFrom < 0 ? offset : damagedFrom;
        offset = header != null && whole ? offset + header.recordSize() : nextMagic(offset + 1);
      }
    }
    if (damagedFrom >= 0) {
      SourceFile.reportDamage(problems, pack.name(), damagedFrom, pack.sizeBytes());
    }
    return blobs;
  }

  /// The header at `offset`, if its bytes can be a header. Every length is checked before anything
  /// is read by it.
  private @Nullable Header header(long offset) {
    if (pack.sizeBytes() - offset < HEADER_BYTES + CRC_BYTES) {
      return null;
    }
    ByteBuffer bytes = pack.at(offset, HEADER_BYTES);
    byte[] hash = new byte[BlobHash.SIZE_BYTES];
    bytes.get(16, hash);
    Header header =
        new Header(
            Short.toUnsignedInt(bytes.getShort(6)),
            Integer.toUnsignedLong(bytes.getInt(8)),
            Integer.toUnsignedLong(bytes.getInt(12)),
            BlobHash.of(hash));
    boolean sizesFit =
        switch (header.codec) {
          case NONE -> header.storedSize == header.rawSize;
          case ZSTD -> header.storedSize <= header.rawSize + (header.rawSize >> 8) + 64;
          default -> false;
        };
    return bytes.getInt(0) == MAGIC
            && bytes.getShort(4) == 1
            && sizesFit
            && header.rawSize <= limits.payloadBytes()
            && header.recordSize() <= pack.sizeBytes() - offset
        ? header
        : null;
  }

  private boolean hasChecksum(long offset, Header header) {
    long end = offset + HEADER_BYTES + header.storedSize;
    RangeChecksums known = ranges;
    if (known != null) {
      return known.crc(offset, end) == pack.apart(end, CRC_BYTES).getInt(0);
    }
    boolean holds = crc(offset, end - offset) == pack.at(end, CRC_BYTES).getInt(0);
    if (!holds) {
      ranges = new RangeChecksums(pack::apart, pack.sizeBytes());
    }
    return holds;
  }

  private byte @Nullable [] raw(long offset, Header header) {
    byte[] stored = pack.copy(offset + HEADER_BYTES, (int) header.storedSize);
    Optional<byte[]> raw =
        header.codec == NONE ? Optional.of(stored) : zstd.decompress(stored, (int) header.rawSize);
    return raw.filter(bytes -> Blake3.hash(bytes).equals(header.hash)).orElse(null);
  }

  private int crc(long offset, long length) {
    CRC32 crc = new CRC32();
    for (long done = 0; done < length; ) {
      int size = (int) Math.min(SourceFile.most(), length - done);
      crc.update(pack.at(offset + done, size));
      done += size;
    }
    return (int) crc.getValue();
  }

  private long nextMagic(long from) {
    long offset = from;
    while (pack.sizeBytes() - offset >= HEADER_BYTES + CRC_BYTES) {
      int size = (int) Math.min(1 << 16, pack.sizeBytes() - offset);
      ByteBuffer bytes = pack.at(offset, size);
      for (int i = 0; i + 4 <= size; i++) {
        if (bytes.getInt(i) == MAGIC) {
          return offset + i;
        }
      }
      offset += size - 3;
    }
    return pack.sizeBytes();
  }
}
