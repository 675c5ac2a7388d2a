// SPDX-License-Identifier: Apache-2.0
package dev.varve.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.hash.Blake3;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ContentChunkerTest {

  private static byte[] noise(long seed, int sizeBytes) {
    byte[] bytes = new byte[sizeBytes];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  /// Offsets where chunks end.
  private static List<Integer> cuts(byte[] content, ChunkSizes sizes) {
    ContentChunker cutter = new ContentChunker(sizes);
    List<Integer> ends = new ArrayList<>();
    for (int at = 0; at < content.length; ) {
      at += cutter.cut(content, at, content.length - at);
      ends.add(at);
    }
    return ends;
  }

  /// The page's words, with numbers that cannot overflow and no cleverness.
  private static int cutByThePage(byte[] content, int from) {
    BigInteger modulus = BigInteger.ONE.shiftLeft(64);
    BigInteger h = BigInteger.ZERO;
    for (int i = 0; i < 65_536 && from + i < content.length; i++) {
      if (i < 4_096) {
        continue;
      }
      byte[] hash = Blake3.hash(new byte[] {content[from + i]}).bytes();
      BigInteger gear = BigInteger.ZERO;
      for (int b = 7; b >= 0; b--) {
        gear = gear.shiftLeft(8).or(BigInteger.valueOf(hash[b] & 0xff));
      }
      h = h.shiftLeft(1).add(gear).mod(modulus);
      if (h.shiftRight(i < 16_384 ? 64 - 16 : 64 - 12).signum() == 0) {
        return i + 1;
      }
    }
    return Math.min(65_536, content.length - from);
  }

  @Test
  void cutsAreWhereThePageSays() {
    byte[] content = noise(1, 300_000);
    List<Integer> byThePage = new ArrayList<>();
    for (int at = 0; at < content.length; ) {
      at += cutByThePage(content, at);
      byThePage.add(at);
    }

    assertThat(cuts(content, ChunkSizes.DEFAULTS)).isEqualTo(byThePage);
  }

  /// Blobs share chunks only with blobs that were cut alike: a cut that moves costs all stores
  /// their sharing.
  @Test
  void cutsStayWhereTheyAreForEver() {
    assertThat(cuts(noise(2, 200_000), ChunkSizes.DEFAULTS))
        .containsExactly(
            18_208, 42_643, 50_967, 56_242, 77_560, 96_034, 115_364, 141_111, 161_297, 182_261,
            200_000);
  }

  @Test
  void chunksHaveTheSizesThatArePromised() {
    List<Integer> ends = cuts(noise(3, 20_000_000), ChunkSizes.DEFAULTS);
    int start = 0;
    for (int end : ends.subList(0, ends.size() - 1)) {
      assertThat(end - start).isBetween(4_097, 65_536);
      start = end;
    }
    assertThat(20_000_000 / ends.size()).as("average").isBetween(16_000, 20_000);
    assertThat(cuts(new byte[200_000], ChunkSizes.DEFAULTS))
        .as("content without a cut")
        .containsExactly(65_536, 131_072, 196_608, 200_000);
  }

  @Test
  void aSmallRestIsOneChunk() {
    for (int sizeBytes : new int[] {1, 4_095, 4_096}) {
      assertThat(cuts(noise(4, sizeBytes), ChunkSizes.DEFAULTS)).containsExactly(sizeBytes);
    }
  }

  @Test
  void anInsertionMovesFewCuts() {
    byte[] content = noise(5, 4_000_000);
    Set<Integer> before = new HashSet<>(cuts(content, ChunkSizes.DEFAULTS));
    for (int at : new int[] {0, 1_000_000, 2_345_678}) {
      byte[] edited = new byte[content.length + 1];
      System.arraycopy(content, 0, edited, 0, at);
      System.arraycopy(content, at, edited, at + 1, content.length - at);

      List<Integer> after = cuts(edited, ChunkSizes.DEFAULTS);

      long moved =
          after.stream().filter(end -> !before.contains(end <= at ? end : end - 1)).count();
      assertThat(moved).as("cuts moved by a byte at %d", at).isLessThan(8);
    }
  }

  @Test
  void aListEndsWhereAHashSaysSo() {
    ContentChunker cutter = new ContentChunker(ChunkSizes.DEFAULTS);
    BlobHash ending = new BlobHash(-1, -1, -1, 0xffc0);
    BlobHash other = new BlobHash(0, 0, 0, 0xffe0);

    assertThat(cutter.endsList(ending, 15, 65_536)).isFalse();
    assertThat(cutter.endsList(ending, 16, 65_536)).isTrue();
    assertThat(cutter.endsList(ending, 16, 65_535)).isFalse();
    assertThat(cutter.endsList(other, 255, 1 << 20)).isFalse();
    assertThat(cutter.endsList(other, 256, 1)).isTrue();
  }
}
