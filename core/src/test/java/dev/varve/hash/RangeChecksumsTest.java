// SPDX-License-Identifier: Apache-2.0
package dev.varve.hash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

class RangeChecksumsTest {

  private final byte[] content = new byte[300_000];
  private long read;

  RangeChecksumsTest() {
    new SplittableRandom(1).nextBytes(content);
  }

  private RangeChecksums checksums() {
    return new RangeChecksums(
        (offset, length) -> {
          read += length;
          return ByteBuffer.wrap(content, (int) offset, length).slice();
        },
        content.length);
  }

  private int crc(int from, int to) {
    CRC32 crc = new CRC32();
    crc.update(content, from, to - from);
    return (int) crc.getValue();
  }

  @Test
  void everyRangeHasItsChecksum() {
    for (long seed = 0; seed < 50; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      RangeChecksums checksums = checksums();
      int from = 0;
      while (from < content.length) {
        int to = random.nextInt(from, Math.min(content.length, from + 70_000) + 1);
        if (random.nextInt(4) == 0) {
          to = Math.min(content.length, (to + 255) / 256 * 256);
        }
        assertThat(checksums.crc(from, to))
            .as("seed %d, bytes %d to %d", seed, from, to)
            .isEqualTo(crc(from, to));
        from += random.nextInt(random.nextInt(10) == 0 ? 80_000 : 2_000);
      }
    }
  }

  @Test
  void rangesAtTheEdges() {
    RangeChecksums checksums = checksums();

    assertThat(checksums.crc(0, 0)).isZero();
    assertThat(checksums.crc(0, content.length)).isEqualTo(crc(0, content.length));
    assertThat(checksums.crc(1, content.length)).isEqualTo(crc(1, content.length));
    assertThat(checksums.crc(299_999, 300_000)).isEqualTo(crc(299_999, 300_000));
    assertThat(checksums.crc(300_000, 300_000)).isZero();
    assertThatThrownBy(() -> checksums.crc(300_000, 300_001))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> checksums.crc(300_000, 299_999))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void manyLongRangesReadEachByteOnceAndTheirEnds() {
    RangeChecksums checksums = checksums();
    int ranges = 0;
    for (int from = 0; from < content.length; from += 50) {
      checksums.crc(from, Math.max(from, content.length - from % 1_000));
      ranges++;
    }

    assertThat(read)
        .isLessThan(content.length + ranges * 2L * RangeChecksums.GRAIN_BYTES + (1 << 16));
  }
}
