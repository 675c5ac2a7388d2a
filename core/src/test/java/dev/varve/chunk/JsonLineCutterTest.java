// SPDX-License-Identifier: Apache-2.0
package dev.varve.chunk;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class JsonLineCutterTest {

  private static final ChunkSizes SIZES = ChunkSizes.DEFAULTS;

  /// The chunks, `|` behind each whose entry takes the line feed that follows.
  private static List<String> chunks(String content) {
    byte[] bytes = content.getBytes(ISO_8859_1);
    JsonLineCutter cutter = new JsonLineCutter(SIZES, true);
    List<String> chunks = new ArrayList<>();
    for (int at = 0; at < bytes.length; ) {
      int size = cutter.cut(bytes, at, bytes.length - at);
      chunks.add(new String(bytes, at, size, ISO_8859_1) + (cutter.takesLineFeed() ? "|" : ""));
      at += size + (cutter.takesLineFeed() ? 1 : 0);
    }
    return chunks;
  }

  private static List<String> chunksByContent(String content) {
    byte[] bytes = content.getBytes(ISO_8859_1);
    ContentChunker cutter = new ContentChunker(SIZES);
    List<String> chunks = new ArrayList<>();
    for (int at = 0; at < bytes.length; ) {
      int size = cutter.cut(bytes, at, bytes.length - at);
      chunks.add(new String(bytes, at, size, ISO_8859_1));
      at += size;
    }
    return chunks;
  }

  /// A line of JSON of `sizeBytes` bytes.
  private static String line(int seed, int sizeBytes) {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder line = new StringBuilder("{");
    while (line.length() < sizeBytes - 1) {
      line.append((char) random.nextInt('a', 'z' + 1));
    }
    return line.append('}').toString();
  }

  @Test
  void eachLineIsAChunkAndItsEntryTakesTheLineFeed() {
    assertThat(chunks(line(1, 128) + "\n" + line(2, 65_535) + "\n" + line(3, 999) + "\n"))
        .containsExactly(line(1, 128) + "|", line(2, 65_535) + "|", line(3, 999) + "|");
  }

  @Test
  void aLineAsLargeAsAChunkLeavesTheLineFeedToTheNext() {
    assertThat(chunks(line(1, 65_536) + "\n" + line(3, 999) + "\n"))
        .containsExactly(line(1, 65_536), "\n", line(3, 999) + "|");
  }

  @Test
  void anUnendedLineIsAChunk() {
    assertThat(chunks(line(1, 300) + "\n" + line(2, 300)))
        .containsExactly(line(1, 300) + "|", line(2, 300));
  }

  @Test
  void shortLinesAndOthersStayTogether() {
    String between = line(2, 127) + "\n\n[1]\n";

    assertThat(chunks(line(0, 100) + "\n" + line(1, 700) + "\n" + between + line(3, 700)))
        .containsExactly(line(0, 100) + "\n", line(1, 700) + "|", between, line(3, 700));
  }

  @Test
  void aLineLargerThanAChunkIsCutAsIfItStoodAlone() {
    for (int sizeBytes : new int[] {65_537, 65_792, 100_000, 1_000_000}) {
      String large = line(4, sizeBytes);
      List<String> expected = new ArrayList<>(List.of(line(1, 300) + "|"));
      expected.addAll(chunksByContent(large));
      expected.addLast(expected.removeLast() + "|");
      expected.add(line(2, 300) + "|");

      assertThat(chunks(line(1, 300) + "\n" + large + "\n" + line(2, 300) + "\n"))
          .as("%d", sizeBytes)
          .isEqualTo(expected);
      assertThat(chunks(large)).isEqualTo(chunksByContent(large));
    }
  }

  @Test
  void aBraceWithinALineOrBehindOtherBytesStartsNoLine() {
    String text = "x" + line(1, 700) + "\n" + " " + line(2, 700) + "\n";

    assertThat(chunks(text)).containsExactly(text);
  }

  @Test
  void contentWithoutLinesOfJsonIsCutAsByItsContentAlone() {
    byte[] noise = new byte[3_000_000];
    new SplittableRandom(7).nextBytes(noise);
    for (int i = 1; i < noise.length; i++) {
      if (noise[i] == '{' && noise[i - 1] == '\n') {
        noise[i] = '[';
      }
    }
    String content = new String(noise, ISO_8859_1);

    assertThat(chunks(content)).isEqualTo(chunksByContent(content));
  }

  /// The bound on a root list: a full list stands for 32 KiB.
  @Test
  void fullListsStandForThirtyTwoKibibytes() {
    SplittableRandom random = new SplittableRandom(11);
    StringBuilder content = new StringBuilder();
    while (content.length() < 2_000_000) {
      int size = random.nextInt(40) == 0 ? random.nextInt(150_000) : random.nextInt(2, 600);
      content.append(line(content.length(), Math.max(2, size)));
      content.append("\n".repeat(1 + random.nextInt(2)));
    }
    List<String> chunks = chunks(content.toString());

    assertThat(String.join("", chunks).replace('|', '\n')).isEqualTo(content.toString());
    for (int i = SIZES.maxEntries(); i < chunks.size(); i++) {
      List<String> full = chunks.subList(i - SIZES.maxEntries(), i);
      assertThat(full.stream().mapToInt(String::length).sum()).isGreaterThan(65_536 / 2);
    }
  }

  @Test
  void whatIsSeenOfTheRestChangesNoCut() {
    StringBuilder content = new StringBuilder();
    for (int i = 0; content.length() < 600_000; i++) {
      content.append(line(i, 2 + i * 7_919 % 90_000)).append('\n');
    }
    byte[] bytes = content.toString().getBytes(ISO_8859_1);
    JsonLineCutter all = new JsonLineCutter(SIZES, true);
    JsonLineCutter little = new JsonLineCutter(SIZES, true);
    int lookahead = JsonLineCutter.lookaheadBytes(SIZES);
    for (int at = 0; at < bytes.length; ) {
      int size = all.cut(bytes, at, bytes.length - at);
      byte[] seen = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + lookahead));

      assertThat(little.cut(seen, 0, seen.length)).isEqualTo(size);
      assertThat(little.takesLineFeed()).isEqualTo(all.takesLineFeed());
      at += size + (all.takesLineFeed() ? 1 : 0);
    }
  }
}
