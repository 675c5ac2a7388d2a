// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

final class JsonTextTest {

  private static JsonReading read(String text) {
    return JsonReading.of(text.getBytes(UTF_8));
  }

  @Test
  void everyValueIsWhereItStands() {
    String text = " {\"a\" : [1, -2.5e+3 ,\"x\\\"y\"], \"\\u0062\":{}, \"c\":null} ";
    JsonText json = (JsonText) read(text);

    assertThat(json.spelling(0)).isEqualTo(text.strip());
    int a = json.member(0, "a").orElseThrow();
    assertThat(json.spelling(a)).isEqualTo("[1, -2.5e+3 ,\"x\\\"y\"]");
    assertThat(json.text(a + 3)).contains("x\"y");
    int b = json.member(0, "b").orElseThrow();
    assertThat(json.kind(b)).isEqualTo(JsonKind.OBJECT);
    assertThat(json.name(b)).isEqualTo("b");
    assertThat(text.substring(json.nameFrom(b), json.nameTo(b))).isEqualTo("\"\\u0062\"");
    assertThat(json.pointer(a + 2)).isEqualTo("/a/1");
    assertThat(json.count(0)).isEqualTo(3);
    assertThat(json.next(a)).hasValue(b);
    assertThat(json.previous(b)).hasValue(a);
    assertThat(json.next(json.member(0, "c").orElseThrow())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "[",
        "[1",
        "[1,]",
        "[,1]",
        "{\"a\":1,}",
        "{a:1}",
        "{'a':1}",
        "{\"a\" 1}",
        "[1 2]",
        "01",
        "-",
        "1.",
        ".5",
        "1e",
        "+1",
        "tru",
        "nul",
        "NaN",
        "\"a",
        "\"\t\"",
        "\"\\x\"",
        "\"\\u12\"",
        "[1]]",
        "[1] x",
        "// c\n[]",
        "[/* c */]",
        "\ufeff[]",
        "{\"a\":}",
        "[\"a\":1]"
      })
  void whatIsNotStrictJsonIsRefused(String text) {
    assertThat(read(text)).isInstanceOf(JsonError.class);
  }

  @ParameterizedTest
  @CsvSource({
    "c0 80",
    "c1 bf",
    "e0 9f bf",
    "ed a0 80",
    "f0 8f bf bf",
    "f4 90 80 80",
    "f5 80 80 80",
    "80",
    "ff",
    "e2 82",
    "c3"
  })
  void whatIsNotUtf8IsRefused(String hex) {
    StringBuilder text = new StringBuilder("[\"");
    for (String each : hex.split(" ")) {
      text.append((char) Integer.parseInt(each, 16));
    }
    byte[] bytes = text.append("\"]").toString().getBytes(ISO_8859_1);

    assertThat(JsonReading.of(bytes)).isInstanceOf(JsonError.class);
  }

  @Test
  void aMalformedPlaceIsToldByLineAndCharacter() {
    JsonError error = (JsonError) read("[\n  \"é☃😀\", x]");

    assertThat(error.position()).isEqualTo(new TextPosition(2, 10));
    assertThat(error.what()).isEqualTo("expected a value, found 'x'");
    assertThat(error.cutOff()).isFalse();
    assertThat(((JsonError) read("[1,")).cutOff()).isTrue();
  }

  @Test
  void positionsAreRightInAnyOrder() {
    JsonText json = (JsonText) read("[1,\n 2,\n  3]");

    assertThat(json.position(3)).isEqualTo(new TextPosition(3, 3));
    assertThat(json.position(1)).isEqualTo(new TextPosition(1, 2));
    assertThat(json.position(2)).isEqualTo(new TextPosition(2, 2));
  }

  @Test
  void depthIsBoundedAndCostsNoStack() {
    assertThat(read("[".repeat(512) + "]".repeat(512))).isInstanceOf(JsonText.class);
    assertThat(read("[".repeat(1_000_000))).isInstanceOf(JsonError.class);
  }

  @Test
  void aLoneSurrogateHasNoText() {
    JsonText json = (JsonText) read("[\"\\ud83d\\ude00\", \"\\ud83d\", \"\\ude00x\"]");

    assertThat(json.text(1)).contains("😀");
    assertThat(json.text(2)).isEmpty();
    assertThat(json.text(3)).isEmpty();
  }

  /// Another parser is asked about texts with a byte changed, cut or doubled: what one takes the
  /// other takes.
  @Test
  void itAgreesWithAnotherParserAboutDamagedTexts() {
    byte[] sound =
        "{\"a\":[1,-0.5e3,\"\\u00e9\\n☃\",true,false,null,{}],\"b\" : {\"c\":[ ]}}".getBytes(UTF_8);
    for (int seed = 0; seed < 20_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bytes = sound.clone();
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(3)) {
        case 0 -> bytes[at] = (byte) random.nextInt(0x80);
        case 1 -> bytes = Arrays.copyOf(bytes, at);
        default -> bytes[at] = bytes[random.nextInt(bytes.length)];
      }
      boolean ours = JsonReading.of(bytes) instanceof JsonText;

      assertThat(ours).as("seed %s: %s", seed, new String(bytes, UTF_8)).isEqualTo(theirs(bytes));
    }
  }

  private static boolean theirs(byte[] bytes) {
    if (bytes.length == 0) {
      return false;
    }
    try (JsonParser parser =
        JsonFactory.builder()
            .disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
            .build()
            .createParser(ObjectReadContext.empty(), bytes)) {
      int depth = 0;
      int values = 0;
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.VALUE_STRING || token == JsonToken.PROPERTY_NAME) {
          parser.getString();
        }
        values += depth == 0 ? 1 : 0;
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      }
      return depth == 0 && values == 1;
    } catch (JacksonException e) {
      return false;
    }
  }
}
