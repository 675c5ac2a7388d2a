// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.hash.Blake3;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LineReaderTest {

  @Test
  void aLineEndsAtALineFeedAndNowhereElse() throws IOException {
    assertThat(read("a\r\nb\u2028c\n\n\u0000d", 100))
        .containsExactly("1 a\r LF", "2 b\u2028c LF", "3  LF", "4 \u0000d");
    assertThat(read("", 100)).isEmpty();
    assertThat(read("\n", 100)).containsExactly("1  LF");
  }

  @Test
  void aLongLineComesInPiecesAndTheNextOneIsWholeAgain() throws IOException {
    assertThat(read("ab\nabcdefg\nabc\nabcd\n", 3))
        .containsExactly(
            "1 ab LF",
            "2 abc part",
            "2 def part",
            "2 g LF part",
            "3 abc LF",
            "4 abc part",
            "4 d LF part");
    assertThat(read("abcdef", 3)).containsExactly("1 abc part", "1 def part");
  }

  @Test
  void whateverTheSourceHandsOutAtATimeTheLinesAreTheSame() throws IOException {
    for (int seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bytes = new byte[random.nextInt(300)];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) (random.nextInt(8) == 0 ? '\n' : 'a' + random.nextInt(3));
      }
      int max = random.nextInt(1, 40);
      int mark = random.nextInt(-1, bytes.length + 1);
      LineReader lines = new LineReader(slow(bytes, random), bytes.length, max, mark, _ -> {});
      assertThat(join(lines)).as("seed %d", seed).isEqualTo(bytes);
      assertThat(lines.hash()).as("seed %d", seed).isEqualTo(Blake3.hash(bytes));
      assertThat(mark < 0 || lines.beginsWith(Blake3.hash(Arrays.copyOf(bytes, mark))))
          .as("seed %d", seed)
          .isTrue();
    }
  }

  @Test
  void whatAFileGrowsMeanwhileIsNotRead() throws IOException {
    byte[] bytes = "one\ntwo\nthree".getBytes(StandardCharsets.UTF_8);

    LineReader lines = new LineReader(new ByteArrayInputStream(bytes), 6, 100, -1, _ -> {});

    assertThat(join(lines)).isEqualTo(Arrays.copyOf(bytes, 6));
  }

  @Test
  void aFileThatIsCutMeanwhileEndsThere() throws IOException {
    LineReader lines =
        new LineReader(
            new ByteArrayInputStream(new byte[] {'a', '\n', 'b'}), 1000, 100, -1, _ -> {});

    assertThat(join(lines)).isEqualTo(new byte[] {'a', '\n', 'b'});
    assertThat(lines.sizeBytes()).isEqualTo(3);
  }

  @Test
  void aHugeLineNeedsNoMoreThanItsLimit() throws IOException {
    byte[] bytes = new byte[5 << 20];
    Arrays.fill(bytes, (byte) 'x');
    bytes[3 << 20] = '\n';

    LineReader lines =
        new LineReader(new ByteArrayInputStream(bytes), bytes.length, 4 << 20, -1, _ -> {});

    assertThat(lines.next()).isTrue();
    assertThat(lines.to() - lines.from()).isEqualTo(3 << 20);
    assertThat(lines.whole()).isTrue();
  }

  @Test
  void theItemsOfADocumentAreItsOutermostObjectsAndNothingIsLeftOut() throws IOException {
    String text =
        " { \"a\": [1, {\"x\": \"}]\\\"\"}, {\"y\": [{}]} ], \"b\": {\"c\": [{}]}, \"d\": \"[{}]\""
            + " }\n";
    for (int seed = 0; seed < 50; seed++) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      LineReader lines =
          new LineReader(slow(bytes, new SplittableRandom(seed)), bytes.length, 1000, -1, _ -> {})
              .items();
      List<String> items = new ArrayList<>();
      StringBuilder all = new StringBuilder();
      while (lines.next()) {
        String piece =
            new String(
                lines.buffer(), lines.from(), lines.to() - lines.from(), StandardCharsets.UTF_8);
        all.append(piece);
        if (!lines.between()) {
          items.add(piece);
        }
      }
      assertThat(items).containsExactly("{\"x\": \"}]\\\"\"}", "{\"y\": [{}]}");
      assertThat(all).hasToString(text);
      assertThat(lines.torn()).isFalse();
    }
  }

  private static byte[] join(LineReader lines) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    while (lines.next()) {
      out.write(lines.buffer(), lines.from(), lines.to() - lines.from() + (lines.ended() ? 1 : 0));
    }
    return out.toByteArray();
  }

  private static List<String> read(String text, int max) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    LineReader lines =
        new LineReader(new ByteArrayInputStream(bytes), bytes.length, max, -1, _ -> {});
    List<String> read = new ArrayList<>();
    while (lines.next()) {
      String line =
          new String(
              lines.buffer(), lines.from(), lines.to() - lines.from(), StandardCharsets.UTF_8);
      read.add(
          lines.number()
              + " "
              + line
              + (lines.ended() ? " LF" : "")
              + (lines.whole() ? "" : " part"));
    }
    return read;
  }

  private static InputStream slow(byte[] bytes, SplittableRandom random) {
    return new ByteArrayInputStream(bytes) {
      @Override
      public synchronized int read(byte[] target, int offset, int length) {
        return super.read(target, offset, Math.min(length, random.nextInt(1, 20)));
      }
    };
  }
}
