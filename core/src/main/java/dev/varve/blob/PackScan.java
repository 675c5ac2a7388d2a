// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import static dev.varve.disk.LittleEndian.U32;

import dev.varve.disk.AppendFile;
import dev.varve.disk.LittleEndian;
import dev.varve.hash.RangeChecksums;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads `blobs.pack` record by record. Behind damage it finds the next record by its magic and
/// checksum, so that damage costs the damaged record only, and time in proportion to the pack's
/// size, whatever lengths stand in it.
///
/// Serves one scan.
final class PackScan {

  /// The findings of a scan, in the order of offsets.
  interface Visitor {
    void record(long offset, BlobRecord record);

    /// The bytes from `offset` to `end` are not records.
    void damage(long offset, long end);
  }

  private final AppendFile pack;
  private final boolean checksums;

  /// The checksums of ranges, once damage was found: the search for a record needs checksums of the
  /// same bytes again and again.
  private @Nullable RangeChecksums ranges;

  private long verifiedBytes;

  /// @param checksums whether to read each record whole and verify it; if not, damage inside stored
  ///   bytes goes unseen
  PackScan(AppendFile pack, boolean checksums) {
    this.pack = pack;
    this.checksums = checksums;
  }

  /// Visits everything between two offsets.
  void scan(long from, long end, Visitor visitor) {
    long offset = from;
    while (offset < end) {
      Optional<BlobRecord> record = recordAt(offset, end, checksums);
      if (record.isPresent()) {
        visitor.record(offset, record.get());
        offset += record.get().sizeBytes();
      } else {
        if (ranges == null) {
          ranges = new RangeChecksums(this::counted, end);
        }
        long next = behind(offset, end);
        visitor.damage(offset, next);
        offset = next;
      }
    }
  }

  /// Where the first record stands that is not whole; `end` if there is none.
  long wholeUpTo(long from, long end) {
    long offset = from;
    while (offset < end) {
      Optional<BlobRecord> record = recordAt(offset, end, checksums);
      if (record.isEmpty()) {
        return offset;
      }
      offset += record.get().sizeBytes();
    }
    return offset;
  }

  /// Where to go on behind damage: where the damaged record says it ends, if another one starts
  /// there; so that bytes which somebody stored in it are never taken for records. Else at the next
  /// whole record.
  private long behind(long offset, long end) {
    if (end - offset >= BlobRecord.HEADER_BYTES + BlobRecord.CRC_BYTES) {
      long next =
          BlobRecord.read(pack.at(offset, BlobRecord.HEADER_BYTES))
              .map(record -> offset + record.sizeBytes())
              .orElse(-1L);
      if (next == end || next > 0 && next < end && startsRecord(next, end)) {
        return next;
      }
    }
    return nextRecord(offset + 1, end);
  }

  private Optional<BlobRecord> recordAt(long offset, long end, boolean verify) {
    if (end - offset < BlobRecord.HEADER_BYTES + BlobRecord.CRC_BYTES) {
      return Optional.empty();
    }
    Optional<BlobRecord> record = BlobRecord.read(pack.at(offset, BlobRecord.HEADER_BYTES));
    if (record.isEmpty() || record.get().sizeBytes() > end - offset) {
      return Optional.empty();
    }
    long next = offset + record.get().sizeBytes();
    // A record behind which another one starts, or nothing, is where it says; otherwise ask its
    // checksum.
    if (!verify && (next == end || startsRecord(next, end))) {
      return record;
    }
    return holds(offset, record.get()) ? record : Optional.empty();
  }

  private boolean startsRecord(long offset, long end) {
    return end - offset >= BlobRecord.HEADER_BYTES
        && pack.at(offset, 4).get(U32, 0) == BlobRecord.MAGIC;
  }

  private long nextRecord(long from, long end) {
    final int step = 1 << 16;
    for (long start = from; start < end; start += step) {
      int length = (int) Math.min(step + 3L, end - start);
      if (length < 4) {
        break;
      }
      MemorySegment bytes = pack.at(start, length);
      for (int i = 0; i + 4 <= length; i++) {
        if (bytes.get(U32, i) == BlobRecord.MAGIC && recordAt(start + i, end, true).isPresent()) {
          return start + i;
        }
      }
    }
    return end;
  }

  private ByteBuffer counted(long offset, int length) {
    verifiedBytes += length;
    return pack.at(offset, length).asByteBuffer();
  }

  /// Over how many bytes checksums were made so far.
  long verifiedBytes() {
    return verifiedBytes;
  }

  /// Returns whether the checksum of the record at `offset` holds. The record lies within the
  /// scanned part.
  private boolean holds(long offset, BlobRecord record) {
    RangeChecksums known = ranges;
    if (known == null) {
      verifiedBytes += record.sizeBytes();
      return intact(pack, offset, record);
    }
    long crcOffset = offset + record.sizeBytes() - BlobRecord.CRC_BYTES;
    return record.sizeBytes() <= Integer.MAX_VALUE
        && pack.at(crcOffset, BlobRecord.CRC_BYTES).get(U32, 0) == known.crc(offset, crcOffset);
  }

  /// Returns whether the checksum of the record at `offset` holds.
  static boolean intact(AppendFile pack, long offset, BlobRecord record) {
    if (record.sizeBytes() > Math.min(Integer.MAX_VALUE, pack.readableBytes() - offset)) {
      return false; // nothing so large is ever written, or it is not all there
    }
    int size = (int) record.sizeBytes();
    MemorySegment bytes = pack.at(offset, size);
    return bytes.get(U32, size - 4) == LittleEndian.crc32(bytes, 0, size - 4);
  }
}
