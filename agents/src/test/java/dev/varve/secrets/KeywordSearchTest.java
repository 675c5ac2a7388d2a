// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KeywordSearchTest {

  private static List<String> find(List<String> words, String text) {
    List<String> found = new ArrayList<>();
    new KeywordSearch(words).find(text, (word, end) -> found.add(words.get(word) + "@" + end));
    return found;
  }

  @Test
  void wordsWithinWordsAreFoundToo() {
    assertThat(find(List.of("he", "she", "his", "hers"), "USHERS é his"))
        .containsExactlyInAnyOrder("she@4", "he@4", "hers@6", "his@12");
  }

  @Test
  void everyWordIsFoundWhereverItOccurs() {
    for (int seed = 0; seed < 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<String> words = new ArrayList<>();
      while (words.size() < 6) {
        String word = text(random, random.nextInt(1, 5));
        if (!words.contains(word)) {
          words.add(word);
        }
      }
      String text = text(random, 60);
      List<String> expected = new ArrayList<>();
      for (String word : words) {
        for (int at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
          expected.add(word + "@" + (at + word.length()));
        }
      }
      assertThat(find(words, text.toUpperCase(Locale.ROOT)))
          .as("seed %d", seed)
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  private static String text(SplittableRandom random, int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append((char) ('a' + random.nextInt(3)));
    }
    return text.toString();
  }
}
