// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.Payload;
import dev.varve.imports.LineReader;
import dev.varve.sim.StoreModel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FreshLinesTest {

  private static final Set<String> ELIDED = Set.of("session");

  private final StoreModel store = new StoreModel();

  private static String line(int number, int size) {
    return "{\"session\":\"s%d\",\"text\":\"%s\"}".formatted(number % 3, "x".repeat(size) + number);
  }

  private static LineReader reader(InputStream in) {
    return new LineReader(in, Long.MAX_VALUE, 1 << 20, -1, _ -> {});
  }

  private StoredContent archived(String text, FreshLines fresh) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try (LineReader lines = reader(new ByteArrayInputStream(bytes))) {
      return new LineArchive(store, ELIDED, fresh).write(lines);
    }
  }

  @Test
  void linesThatWereArchivedAMomentAgoAreAsTheyAreKept() throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      lines.add(i % 7 == 0 ? "{\"short\":" + i + "}" : line(i, i % 50 == 1 ? 300_000 : 200));
    }
    FreshLines fresh = new FreshLines();
    StoredContent content = archived(String.join("\n", lines), fresh);

    TranscriptParts parts = new TranscriptParts(store, content, fresh);
    try (LineReader read = reader(parts.stream()).unhashed()) {
      for (String line : lines) {
        assertThat(read.next()).isTrue();
        byte[] raw = Arrays.copyOfRange(read.buffer(), read.from(), read.to());
        assertThat(raw).asString(StandardCharsets.UTF_8).isEqualTo(line);
        Payload kept = Payload.wrap(ElidedLine.of(raw, ELIDED).kept());
        assertThat(parts.kept(read)).isEqualTo(raw.length < 128 ? null : kept);
      }
      assertThat(read.next()).isFalse();
      assertThat(read.sizeBytes()).isEqualTo(content.sizeBytes());
    }
  }

  /// A document whose items were kept one by one is one line for a reader of lines.
  @Test
  void aLineOfSeveralPartsIsNoFreshLine() throws IOException {
    FreshLines fresh = new FreshLines();
    byte[] document = ("[" + line(1, 200) + "," + line(2, 200)).getBytes(StandardCharsets.UTF_8);
    StoredContent content;
    try (LineReader items = reader(new ByteArrayInputStream(document)).items()) {
      content = new LineArchive(store, ELIDED, fresh).write(items);
    }

    TranscriptParts parts = new TranscriptParts(store, content, fresh);
    try (LineReader read = reader(parts.stream())) {
      assertThat(read.next()).isTrue();
      assertThat(read.to() - read.from()).isEqualTo(document.length);
      assertThat(parts.kept(read)).isNull();
    }
  }

  @Test
  void otherLinesComeFromTheStore() throws IOException {
    StoredContent content = archived(line(1, 200) + "\n" + line(2, 200) + "\n", FreshLines.NONE);

    TranscriptParts parts = new TranscriptParts(store, content, FreshLines.NONE);
    try (LineReader read = reader(parts.stream())) {
      while (read.next()) {
        assertThat(parts.kept(read)).isNull();
      }
      assertThat(read.hash()).isEqualTo(content.hash());
    }
  }
}
