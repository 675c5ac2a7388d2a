// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HexFormat;

/// The name of a blob: the BLAKE3-256 hash of its bytes (spec 001, *BlobHash*).
///
/// Held as four words so that equality and hashing cost nothing and no array is copied. `w0` holds
/// bytes 0 to 7 of the hash, read little-endian, and so on. Written as 64 lower-case hex digits.
public record BlobHash(long w0, long w1, long w2, long w3) {

  /// The size of a hash.
  public static final int SIZE_BYTES = 32;

  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /// The hash whose 32 bytes stand at `offset` in `bytes`.
  public static BlobHash read(MemorySegment bytes, long offset) {
    return new BlobHash(
        bytes.get(U64, offset),
        bytes.get(U64, offset + 8),
        bytes.get(U64, offset + 16),
        bytes.get(U64, offset + 24));
  }

  /// The hash with exactly these 32 bytes.
  public static BlobHash of(byte[] hash) {
    if (hash.length != SIZE_BYTES) {
      throw new StoreException.Invalid(
          "hash", "expected " + SIZE_BYTES + " bytes, found " + hash.length);
    }
    return read(MemorySegment.ofArray(hash), 0);
  }

  /// Reads 64 lower-case hex digits.
  ///
  /// @throws StoreException.Invalid if `hex` is anything else
  public static BlobHash parse(String hex) {
    if (hex.length() != 2 * SIZE_BYTES) {
      throw new StoreException.Invalid(
          "hash", "expected 64 hex digits, found " + hex.length() + " characters");
    }
    for (int i = 0; i < hex.length(); i++) {
      char c = hex.charAt(i);
      if (!(c >= '0' && c <= '9' || c >= 'a' && c <= 'f')) {
        throw new StoreException.Invalid(
            "hash", "expected lower-case hex digits, found '" + c + "' at character " + (i + 1));
      }
    }
    return of(HexFormat.of().parseHex(hex));
  }

  /// Writes the 32 bytes at `offset` in `bytes`.
  public void write(MemorySegment bytes, long offset) {
    bytes.set(U64, offset, w0);
    bytes.set(U64, offset + 8, w1);
    bytes.set(U64, offset + 16, w2);
    bytes.set(U64, offset + 24, w3);
  }

  /// The 32 bytes, in a new array.
  public byte[] bytes() {
    byte[] bytes = new byte[SIZE_BYTES];
    write(MemorySegment.ofArray(bytes), 0);
    return bytes;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(w0); // already uniform
  }

  /// 64 lower-case hex digits.
  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes());
  }
}
