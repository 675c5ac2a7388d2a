// SPDX-License-Identifier: Apache-2.0
package dev.varve.search.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.search.query.SearchQuery.Filter;
import dev.varve.search.query.SearchQuery.Words;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SearchParserTest {

  private static Words words(String query) {
    return SearchParser.parse(query).words();
  }

  private static Words word(String text) {
    return new Words.Phrase(text);
  }

  @Test
  void wordsSideBySideAreAllWanted() {
    Words both = new Words.All(List.of(word("pool"), word("exhausted")));

    assertThat(words("pool exhausted")).isEqualTo(both);
    assertThat(words("pool AND exhausted")).isEqualTo(both);
    assertThat(words(" \"pool exhausted\" ")).isEqualTo(word("pool exhausted"));
  }

  @Test
  void beginningsAndExpressions() {
    assertThat(words("exhaust*")).isEqualTo(new Words.Prefix("exhaust"));
    assertThat(words("/ex.*ed/")).isEqualTo(new Words.Pattern("ex.*ed", 1));
    assertThat(words("/src/main/java")).isEqualTo(word("/src/main/java"));
  }

  @Test
  void alternativesAndExceptions() {
    assertThat(words("(a1 OR b1) -c1"))
        .isEqualTo(
            new Words.All(
                List.of(
                    new Words.Any(List.of(word("a1"), word("b1"))), new Words.Not(word("c1")))));
    assertThat(words("-c1")).isEqualTo(new Words.Not(word("c1")));
    assertThat(words("a - b --force x->y"))
        .isEqualTo(
            new Words.All(List.of(word("a"), word("-"), word("b"), word("--force"), word("x->y"))));
  }

  @Test
  void filtersStandAside() {
    SearchQuery query = SearchParser.parse("path:src/a.py -tool:bash project:\"my shop\" exit:!0");

    assertThat(query.words()).isEqualTo(new Words.Everything());
    assertThat(query.filters())
        .containsExactly(
            new Filter(SearchField.PATH, "src/a.py", false, 1),
            new Filter(SearchField.TOOL, "bash", true, 16),
            new Filter(SearchField.PROJECT, "my shop", false, 26),
            new Filter(SearchField.EXIT, "!0", false, 44));
  }

  @Test
  void whatIsNoFieldIsAWord() {
    assertThat(words("std::vector")).isEqualTo(word("std::vector"));
    assertThat(words("https://host/x")).isEqualTo(word("https://host/x"));
    assertThat(words("main()")).isEqualTo(word("main()"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "'\"open'|column 1: expected '\"' at the end",
        "'a (b'|column 3: expected ')'",
        "'a b)'|column 4: expected a word",
        "'tool:'|column 6: expected a value for tool",
        "'a OR'|column 1: expected words on both sides of OR",
        "'a OR tool:x'|column 6: expected words beside OR, found a filter",
        "'   '|column 1: expected words or a filter",
        "'a NOT'|column 3: expected something to leave out",
        "'()'|column 1: expected words in the parentheses"
      })
  void mistakesAreNamedWithTheirColumn(String query, String expected) {
    assertThatThrownBy(() -> SearchParser.parse(query))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining(expected.replace("expected '\" at", "expected '\"' at"));
  }

  @Test
  void aQueryIsBounded() {
    assertThatThrownBy(() -> SearchParser.parse("x".repeat(5000)))
        .isInstanceOf(StoreException.TooLarge.class);
    assertThatThrownBy(() -> SearchParser.parse("(".repeat(100) + "x"))
        .hasMessageContaining("parentheses");
    assertThatThrownBy(() -> SearchParser.parse("a ".repeat(300))).hasMessageContaining("parts");
  }
}
