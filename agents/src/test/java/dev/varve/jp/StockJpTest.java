// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.jp.place.Conversation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class StockJpTest {

  private static final String TIME = "\"timestamp\":\"2026-06-01 10:00:00.0\"";

  @TempDir Path folder;

  private JpFolders jp;

  @BeforeEach
  void makeFolders() {
    jp = new JpFolders(folder);
  }

  static List<String> table() throws IOException {
    try (InputStream in = StockJpTest.class.getResourceAsStream("stock-jp.tsv")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .toList();
    }
  }

  private static byte[] expand(String text) {
    String expanded =
        Pattern.compile("%DEEP([0-9]+);")
            .matcher(text)
            .replaceAll(m -> "[".repeat(number(m.group(1))) + "]".repeat(number(m.group(1))))
            .replace("%T", TIME)
            .replace("%H", "a".repeat(64))
            .replace("%BOM", "\u00ef\u00bb\u00bf")
            .replace("%FF", "\u00ff")
            .replace("%01", "\u0001")
            .replace("%LF", "\n");
    return expanded.getBytes(ISO_8859_1);
  }

  private static int number(String digits) {
    return Integer.parseInt(digits);
  }

  private StockJp.Opinion opinion(String digits) {
    Conversation conversation = jp.conversation(digits);
    return StockJp.of(conversation.newest());
  }

  @ParameterizedTest
  @MethodSource("table")
  void theVerdictIsThatOfJpItself(String line) throws IOException {
    String[] columns = line.split("\t", 3);
    String text = columns[2];
    Path events = jp.add(jp.storage(), "17800000001-x", "[{" + TIME + ",\"type\":\"turn_start\"}]");
    switch (columns[1]) {
      case "an event" ->
          Files.write(events, expand("[{%T,\"type\":\"turn_start\"}, " + text + "]\n"));
      case "events.json alone" -> {
        Files.write(events, expand(text));
        Files.delete(events.resolveSibling("base_config.json"));
      }
      default -> Files.write(events.resolveSibling(columns[1]), expand(text));
    }

    StockJp.Opinion opinion = opinion("17800000001");

    assertThat(opinion.verdict().name().toLowerCase(Locale.ROOT))
        .as("%s", opinion.reasons())
        .isEqualTo(columns[0]);
    assertThat(opinion.reasons().isEmpty()).isEqualTo(columns[0].equals("reads"));
  }

  @Test
  void whatLiesInTheArchiveIsNotTrashed() throws IOException {
    jp.add(jp.storage(), ".archive/17800000001-x", "[],");

    assertThat(opinion("17800000001").verdict()).isEqualTo(StockJp.Verdict.UNREADABLE);
  }

  @Test
  void eachReasonHasAPlace() {
    jp.add(
        jp.storage(),
        "17800000001-x",
        "[\n  {" + TIME + ", \"type\": \"chat_request\", \"content\": 5}\n]\n");

    assertThat(opinion("17800000001").reasons())
        .containsExactly("events.json:2:76: content: expected a string, found 5");
  }
}
