// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class JsonEscapesTest {

  private static String decode(String json) {
    byte[] bytes = (json + "\"").getBytes(StandardCharsets.UTF_8);
    return JsonEscapes.decode(bytes, 0, JsonEscapes.end(bytes, 0));
  }

  @Test
  void escapesMeanWhatTheyMeanInJson() {
    assertThat(decode("a\\n\\t\\\"\\\\\\/\\u00e9\\ud83d\\ude00ü")).isEqualTo("a\n\t\"\\/é😀ü");
    assertThat(decode("")).isEmpty();
    assertThat(decode("\\\\")).isEqualTo("\\");
  }

  @Test
  void whatIsWrittenIsReadAgain() {
    for (int seed = 0; seed < 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(40); i > 0; i--) {
        text.append(
            switch (random.nextInt(5)) {
              case 0 -> (char) random.nextInt(0x20);
              case 1 -> "\"\\/{}".charAt(random.nextInt(5));
              case 2 -> (char) (0xD800 + random.nextInt(0x800));
              case 3 -> (char) random.nextInt(0x10000);
              default -> (char) ('a' + random.nextInt(26));
            });
      }
      String encoded = new String(JsonEscapes.encode(text.toString()), StandardCharsets.UTF_8);
      assertThat(decode(encoded)).as("seed %d", seed).isEqualTo(text.toString());
    }
  }

  @Test
  void loneSurrogatesAreEscapedAsJavaScriptDoes() {
    assertThat(new String(JsonEscapes.encode("\ud800x\u0001é😀"), StandardCharsets.UTF_8))
        .isEqualTo("\\ud800x\\u0001é😀");
  }
}
