// SPDX-License-Identifier: Apache-2.0
package dev.varve.hash;

import dev.varve.BlobHash;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.bouncycastle.crypto.digests.Blake3Digest;

/// What others say the hash is: the official vectors, and BouncyCastle.
final class Oracle {

  /// An official vector.
  record Vector(int length, BlobHash hash) {}

  private Oracle() {}

  static List<Vector> vectors() {
    try (InputStream in = Oracle.class.getResourceAsStream("blake3-vectors.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split(" "))
          .map(words -> new Vector(Integer.parseInt(words[0]), BlobHash.parse(words[1])))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The input of the official vectors.
  static byte[] counting(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i % 251);
    }
    return bytes;
  }

  /// Bytes of which no two chunks are alike, the same on every run.
  static byte[] mixed(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  static BlobHash bouncyCastle(byte[] bytes, int offset, int length) {
    Blake3Digest digest = new Blake3Digest();
    digest.update(bytes, offset, length);
    byte[] hash = new byte[BlobHash.SIZE_BYTES];
    digest.doFinal(hash, 0);
    return BlobHash.of(hash);
  }

  static BlobHash bouncyCastle(byte[] bytes) {
    return bouncyCastle(bytes, 0, bytes.length);
  }

  /// Every length near a block up to 4200 bytes, then the neighbourhood of every chunk up to 64 KiB
  /// and of every power of two up to 1 MiB.
  static int[] lengths() {
    IntStream near =
        IntStream.concat(
            IntStream.rangeClosed(4, 64).map(chunks -> chunks * 1024),
            IntStream.rangeClosed(17, 20).map(power -> 1 << power));
    return IntStream.concat(
            IntStream.rangeClosed(0, 4200),
            near.flatMap(middle -> IntStream.rangeClosed(middle - 2, middle + 2)))
        .distinct()
        .toArray();
  }

  /// A copy with one byte changed.
  static byte[] flipped(byte[] bytes, int at, int mask) {
    byte[] copy = Arrays.copyOf(bytes, bytes.length);
    copy[at] ^= (byte) mask;
    return copy;
  }
}
