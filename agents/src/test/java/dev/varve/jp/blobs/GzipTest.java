// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.blobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class GzipTest {

  /// Contents of which every bit follows from these lines, so that another JDK makes the same.
  private static byte[] content(String kind, int size) {
    byte[] bytes = new byte[size];
    int state = 1;
    for (int i = 0; i < size; i++) {
      state = state * 1_664_525 + 1_013_904_223;
      int random = state >>> 16;
      bytes[i] =
          (byte)
              switch (kind) {
                case "zeros" -> 0;
                case "noise" -> random;
                case "letters" -> 'a' + random % 20 % (random % 5 + 1);
                case "repeats" ->
                    i < 50 || random % 9 == 0 ? 'a' + random % 26 : bytes[i - 50 + random % 3];
                default -> throw new IllegalArgumentException(kind);
              };
    }
    return bytes;
  }

  private static byte[] gunzip(byte[] gzip) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(gzip))) {
      return in.readAllBytes();
    }
  }

  /// A change here is a change of files in the repositories of everybody who shares blobs.
  @ParameterizedTest
  @CsvSource({
    "zeros, 0, ac73670af3abed54ac6fb4695131f409",
    "zeros, 1, 209395eba190a64bb3e8e6ba82268ef3",
    "zeros, 1000000, 9c559a05c4a7b3fba9bfe4d943998bfc",
    "noise, 15, 61bbf0d0513d0cfbc33bd643fada3490",
    "noise, 70000, 922c30a207599a1f1ae38c8cb92dd021",
    "letters, 300, bb72e10460a7aec8786326664097fe06",
    "letters, 40000, 82b6b324b21dbb203248994c82929662",
    "letters, 700000, b754afbbfae50e9ae868cdc4a4a4b1ee",
    "repeats, 5000, 2344e6cd3698d012b299667841954594",
    "repeats, 300000, 5e5aac6e087692114da6f943c38760ea"
  })
  void theSameContentGivesTheSameFileEverywhere(String kind, int size, String sha256)
      throws IOException {
    byte[] content = content(kind, size);

    byte[] gzip = Gzip.compress(content);

    assertThat(Sha256.of(gzip).hex()).startsWith(sha256);
    assertThat(gunzip(gzip)).isEqualTo(content);
  }

  @Test
  void aShortFileIsKnownToTheByte() {
    byte[] gzip = Gzip.compress("check succeeded\n".getBytes(UTF_8));

    assertThat(HexFormat.of().formatHex(gzip))
        .isEqualTo("1f8b08000000000000ff4bce484dce56282e4d4e" + "4e4d4d494de1020096ea194410000000");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void whatIsCompressedIsInflatedByAnother(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 40; i++) {
      byte[] content = new byte[random.nextInt(1 << random.nextInt(1, 19))];
      int letters = random.nextInt(1, 257);
      int back = random.nextInt(1, 70_000);
      for (int at = 0; at < content.length; at++) {
        boolean again = at >= back && random.nextInt(100) != 0;
        content[at] = again ? content[at - back] : (byte) random.nextInt(letters);
      }

      assertThat(gunzip(Gzip.compress(content)))
          .as("seed %d, round %d", seed, i)
          .isEqualTo(content);
    }
  }
}
