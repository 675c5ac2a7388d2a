// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

final class SafeTextTest {

  @Test
  void linesAreFoldedAtSpacesAndWordsStayWhole() {
    assertThat(SafeText.fold("one two three", 7)).containsExactly("one two", "three");
    assertThat(SafeText.fold("see /a/long/path now", 6))
        .containsExactly("see", "/a/long/path", "now");
    assertThat(SafeText.fold("  short", 80)).containsExactly("  short");
    assertThat(SafeText.fold("", 80)).containsExactly("");
  }

  @Test
  void anEscapeSequenceIsShownAndNotObeyed() {
    assertThat(SafeText.line("a\u001b[31mred\u001b[0m")).isEqualTo("a\\u001b[31mred\\u001b[0m");
  }

  @Test
  void aLinkOfOsc8IsShownAndNotObeyed() {
    assertThat(SafeText.line("\u001b]8;;http://evil\u0007text\u001b]8;;\u0007"))
        .isEqualTo("\\u001b]8;;http://evil\\u0007text\\u001b]8;;\\u0007");
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        0x0, 0x7, 0x8, 0xd, 0x1b, 0x7f, 0x85, 0x9b, 0x9d, 0xad, 0x61c, 0x200b, 0x200e, 0x200f,
        0x2028, 0x2029, 0x202a, 0x202e, 0x2066, 0x2069, 0xfeff, 0xe0041
      })
  void whatSteersATerminalOrTheDirectionOfTextIsEscaped(int c) {
    String text = "a" + Character.toString(c) + "b";

    assertThat(SafeText.lines(text)).startsWith("a\\u").endsWith("b").matches("[ -~]*");
    assertThat(SafeText.isSafe(text)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ud800", "\udc00", "a\ud83d", "\ude00\ud83d"})
  void aLoneSurrogateIsEscaped(String text) {
    assertThat(SafeText.line(text)).contains("\\ud").matches("[ -~]*");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"plain", "Grüße", "日本語", "שלום", "👩\u200d👩\u200d👧", "می\u200cخواهم", ""})
  void whatPeopleWriteStaysAsItIs(String text) {
    assertThat(SafeText.line(text)).isEqualTo(text);
  }

  @Test
  void linesKeepTheirEndsWhereLinesAreWanted() {
    assertThat(SafeText.lines("a\n\tb")).isEqualTo("a\n\tb");
    assertThat(SafeText.line("a\n\tb")).isEqualTo("a\\u000a\\u0009b");
  }

  @Test
  void anyTextBecomesSafeAndInJsonStaysTheSame() {
    long seed = new Random().nextLong();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 2_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(12); n > 0; n--) {
        int[] ranges = {0x100, 0x2100, 0x10000, 0xe0080, 0x110000};
        int c = random.nextInt(ranges[random.nextInt(ranges.length)]);
        text.appendCodePoint(
            c == '\\' || c == '"' || Character.getType(c) == Character.SURROGATE ? 'x' : c);
      }
      String safe = SafeText.line(text.toString());

      assertThat(SafeText.isSafe(safe)).as("seed %d", seed).isTrue();
      assertThat(readJson("\"" + safe + "\"")).as("seed %d", seed).isEqualTo(text.toString());
    }
  }

  private static String readJson(String json) {
    try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
      parser.nextToken();
      return parser.getString();
    }
  }

  @Test
  void aTextIsCutAtTheColumnsItTakes() {
    assertThat(SafeText.cut("abcdef", 6)).isEqualTo("abcdef");
    assertThat(SafeText.cut("abcdefg", 6)).isEqualTo("abcde…");
    assertThat(SafeText.cut("日本語", 6)).isEqualTo("日本語");
    assertThat(SafeText.cut("日本語日", 6)).isEqualTo("日本…");
    assertThat(SafeText.columns("e\u0301")).isEqualTo(1);
  }
}
