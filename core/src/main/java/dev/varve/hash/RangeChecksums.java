// SPDX-License-Identifier: Apache-2.0
package dev.varve.hash;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;

/// The CRC-32s of many ranges of one file, however the ranges overlap, for a search for a record
/// behind damage: each byte is read once, and for each range at most [#GRAIN_BYTES] at either end.
///
/// From the CRCs of two beginnings follows that of what is between their ends, since a CRC is the
/// rest of a division of polynomials over GF(2): `crc(a..b) = crc(0..b) xor crc(0..a) * x^(8 (b -
/// a))`. So the CRC of every beginning is kept, in grains.
///
/// Ranges are asked for in the order of their beginnings. Source: zlib 1.3, `crc32_combine`.
public final class RangeChecksums {

  /// The source of the bytes.
  @FunctionalInterface
  public interface Bytes {

    /// The `length` bytes at `offset`, valid until the next call.
    ByteBuffer at(long offset, int length);
  }

  /// The distance between the beginnings whose CRC is kept.
  static final int GRAIN_BYTES = 256;

  /// The number of bytes that are read at once.
  private static final int STEP_BYTES = 1 << 16;

  private static final int POLYNOMIAL = 0xedb88320;
  private static final int ONE = 1 << 31;

  /// `x^(2^n)` modulo the polynomial.
  private static final int[] POWERS = powers();

  private final Bytes bytes;
  private final long endBytes;

  /// The CRC of the bytes from `start` to each grain's end, from `firstGrain` on.
  private int[] grains = new int[1 << 10];

  private long start;
  private long lastFrom;
  private long firstGrain;
  private long grainCount;
  private CRC32 running = new CRC32();

  /// @param endBytes the end of the bytes
  public RangeChecksums(Bytes bytes, long endBytes) {
    this.bytes = bytes;
    this.endBytes = endBytes;
  }

  /// The CRC-32 of the bytes from `from` to `to`.
  ///
  /// @param from at least as great as at the last call
  public int crc(long from, long to) {
    if (from < lastFrom || to < from || to > endBytes) {
      throw new IllegalArgumentException("bytes " + from + " to " + to + " of " + endBytes);
    }
    lastFrom = from;
    if (from > start + grainCount * GRAIN_BYTES) {
      restart(from);
    }
    forget(Math.max(0, (from - start) / GRAIN_BYTES - 1));
    readTo(to);
    return beginning(to) ^ multiply(power(to - from), beginning(from));
  }

  private void restart(long from) {
    start = from;
    firstGrain = 0;
    grainCount = 0;
    running = new CRC32();
  }

  /// Drops the grains before this one, now and then.
  private void forget(long grain) {
    int spare = (int) (grain - firstGrain);
    if (spare > grains.length / 2) {
      System.arraycopy(grains, spare, grains, 0, (int) (grainCount - grain));
      firstGrain = grain;
    }
  }

  /// Continues to read, in large steps, until all whole grains before `to` are known.
  private void readTo(long to) {
    while (start + (grainCount + 1) * GRAIN_BYTES <= to) {
      long at = start + grainCount * GRAIN_BYTES;
      int length = (int) Math.min(STEP_BYTES, endBytes - at);
      ByteBuffer step = bytes.at(at, length);
      for (int done = 0; done + GRAIN_BYTES <= length; done += GRAIN_BYTES) {
        running.update(step.slice(done, GRAIN_BYTES));
        add((int) running.getValue());
      }
    }
  }

  private void add(int crc) {
    int index = (int) (grainCount - firstGrain);
    if (index == grains.length) {
      grains = Arrays.copyOf(grains, Math.multiplyExact(grains.length, 2));
    }
    grains[index] = crc;
    grainCount++;
  }

  /// The CRC of the bytes from `start` to `position`.
  private int beginning(long position) {
    long whole = Math.min((position - start) / GRAIN_BYTES, grainCount);
    int known = whole == 0 ? 0 : grains[(int) (whole - 1 - firstGrain)];
    long from = start + whole * GRAIN_BYTES;
    int rest = (int) (position - from);
    if (rest == 0) {
      return known;
    }
    CRC32 crc = new CRC32();
    crc.update(bytes.at(from, rest).slice(0, rest));
    return (int) crc.getValue() ^ multiply(power(rest), known);
  }

  // ---- polynomials modulo the one of the CRC, the highest bit for x^0

  private static int multiply(int a, int b) {
    int product = 0;
    int left = a;
    int shifted = b;
    while (left != 0) {
      if (left < 0) {
        product ^= shifted;
      }
      left <<= 1;
      shifted = (shifted & 1) != 0 ? shifted >>> 1 ^ POLYNOMIAL : shifted >>> 1;
    }
    return product;
  }

  private static int[] powers() {
    int[] powers = new int[32];
    powers[0] = ONE >>> 1;
    for (int n = 1; n < powers.length; n++) {
      powers[n] = multiply(powers[n - 1], powers[n - 1]);
    }
    return powers;
  }

  /// `x^(8 n)`.
  private static int power(long n) {
    int power = ONE;
    int bit = 3;
    for (long left = n; left != 0; left >>>= 1, bit++) {
      if ((left & 1) != 0) {
        power = multiply(POWERS[bit & 31], power);
      }
    }
    return power;
  }
}
