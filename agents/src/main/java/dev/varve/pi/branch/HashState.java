// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.branch;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.hash.Blake3;
import dev.varve.imports.SpotHashes;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;

/// The state of hashing a session up to some byte, and the means to recognise that the session
/// still begins the same way (docs/format/hash-state.md).
///
/// @param sizeBytes how many bytes of the file were hashed
/// @param modifiedAtNanos when the file was last written then, in nanoseconds since 1970
/// @param changedAtNanos when the file or anything that the file system says of it last changed
///   then, likewise; 0 if the file system does not say
/// @param settled whether both were long enough before, so that a later write has another time
/// @param fileKey the identity that the file system gives the file; 0 if it gives none
/// @param spotHashes hashes of some of the bytes
/// @param hasher what [Blake3#saveState()] gave
record HashState(
    long sizeBytes,
    long modifiedAtNanos,
    long changedAtNanos,
    boolean settled,
    long fileKey,
    SpotHashes spotHashes,
    Payload hasher) {

  /// The most bytes a state has.
  static final int SIZE_BYTES_MAX = 2048;

  private static final int MAGIC = 0x5348_5356; // "VSHS" as it lies on the disk
  private static final int VERSION = 2;
  private static final int SETTLED = 1;
  private static final int HASHER_AT = 144;

  byte[] bytes() {
    byte[] bytes = new byte[HASHER_AT + hasher.sizeBytes() + 4];
    ByteBuffer out = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(MAGIC).putShort((short) VERSION).putShort((short) (settled ? SETTLED : 0));
    out.putLong(sizeBytes).putLong(modifiedAtNanos).putLong(fileKey);
    out.put(spotHashes.start().bytes())
        .put(spotHashes.end().bytes())
        .put(spotHashes.samples().bytes());
    out.putInt(spotHashes.startBytes()).putInt(hasher.sizeBytes()).putLong(changedAtNanos);
    out.put(hasher.unsafeArray());
    out.putInt((int) crc(bytes, bytes.length - 4));
    return bytes;
  }

  /// Reads what [#bytes()] wrote.
  ///
  /// @throws StoreException.Invalid if it is damaged, foreign, or contradicts itself
  /// @throws StoreException.FormatTooNew if a later version wrote it
  static HashState read(byte[] bytes) {
    demand(bytes.length > HASHER_AT + 4, "a file of " + bytes.length + " bytes");
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int magic = in.getInt(0);
    demand(magic != Integer.reverseBytes(MAGIC), "numbers in the other byte order");
    demand(magic == MAGIC, "another program's file");
    boolean whole = in.getInt(bytes.length - 4) == (int) crc(bytes, bytes.length - 4);
    demand(whole, "a wrong checksum");
    int version = Short.toUnsignedInt(in.getShort(4));
    if (version > VERSION) {
      throw new StoreException.FormatTooNew("hash state", version, VERSION);
    }
    demand(version == VERSION, "version " + version + ", which knew less of the file");
    int flags = in.getShort(6);
    demand((flags & ~SETTLED) == 0, "flags nobody knows");
    MemorySegment words = MemorySegment.ofArray(bytes);
    SpotHashes spotHashes =
        new SpotHashes(
            BlobHash.read(words, 32),
            BlobHash.read(words, 64),
            BlobHash.read(words, 96),
            in.getInt(128));
    demand(in.getInt(132) == bytes.length - HASHER_AT - 4, "a wrong length");
    byte[] hasher = Arrays.copyOfRange(bytes, HASHER_AT, bytes.length - 4);
    long sizeBytes = in.getLong(8);
    demand(Blake3.restoreState(hasher).sizeBytes() == sizeBytes, "two different sizes");
    demand(
        spotHashes.startBytes() >= 0 && spotHashes.startBytes() <= SpotHashes.START_BYTES_MAX,
        "a first line that is too long");
    return new HashState(
        sizeBytes,
        in.getLong(16),
        in.getLong(136),
        flags == SETTLED,
        in.getLong(24),
        spotHashes,
        Payload.wrap(hasher));
  }

  private static void demand(boolean valid, String found) {
    if (!valid) {
      throw new StoreException.Invalid(
          "hash state", "expected one of this version, found " + found);
    }
  }

  private static long crc(byte[] bytes, int length) {
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, length);
    return crc.getValue();
  }
}
