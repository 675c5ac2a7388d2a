// SPDX-License-Identifier: Apache-2.0
package dev.varve.search.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WordCutterTest {

  private static List<String> words(String text, boolean parts) {
    List<String> words = new ArrayList<>();
    WordCutter.cut(text, parts, (folded, _, _, _, _) -> words.add(folded));
    return words;
  }

  @Test
  void anIdentifierIsAWordAndItsPartsAre() {
    assertThat(words("createWorktree", true))
        .containsExactly("createworktree", "create", "worktree");
    assertThat(words("parseHTTPHeader", true))
        .containsExactly("parsehttpheader", "parse", "http", "header");
    assertThat(words("max_pool_size2", true))
        .containsExactly("max_pool_size2", "max", "pool", "size");
    assertThat(words("getUserById", false)).containsExactly("getuserbyid");
  }

  @Test
  void partsStandAtThePlaceOfTheWhole() {
    List<Integer> positions = new ArrayList<>();
    WordCutter.cut("fooBar baz", true, (_, _, _, position, _) -> positions.add(position));

    assertThat(positions).containsExactly(0, 0, 0, 1);
  }

  @Test
  void accentsAndCapitalsMakeNoDifference() {
    assertThat(words("Übergröße CAFÉ Ａｂｃ naïve", false))
        .containsExactly("ubergrosse", "cafe", "abc", "naive");
  }

  @Test
  void textWithoutSpacesIsCutIntoPairs() {
    assertThat(words("接続プール", false)).containsExactly("接続", "続プ", "プー", "ール");
    assertThat(words("接続", true)).containsExactly("接続", "続");
    assertThat(words("a接b", false)).containsExactly("a", "接", "b");
  }

  @Test
  void wordsHaveTheirPlacesInTheText() {
    List<String> seen = new ArrayList<>();
    String text = "the Größe, of_it";
    WordCutter.cut(text, false, (_, from, to, _, _) -> seen.add(text.substring(from, to)));

    assertThat(seen).containsExactly("the", "Größe", "of_it");
  }

  @Test
  void coloursOfATerminalAreNoWords() {
    assertThat(words("\u001b[1;31merror\u001b[0m: x\u001b[", false)).containsExactly("error", "x");
  }

  @Test
  void dataHasNoWords() {
    String data = "iVBORw0KGgoAAAANSUhEUgAA".repeat(20);

    assertThat(words("before " + data + " behind", true)).containsExactly("before", "behind");
    assertThat(words("a".repeat(1000), false)).containsExactly("a".repeat(128));
  }

  @Test
  void aTextHasABoundedNumberOfWords() {
    assertThat(words("x ".repeat(300_000), false)).hasSize(WordCutter.WORDS_MAX);
  }
}
