// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.ContextId;
import dev.varve.TurnId;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Random turns and queries give the same sets as a plain scan of all texts.
final class SearchModelTest {

  private static final int TURNS = 150;
  private static final int QUERIES = 120;

  private static final List<String> VOCABULARY =
      List.of(
          "pool",
          "Pool",
          "poolSize",
          "max_pool_size",
          "exhausted",
          "timeout",
          "timeOut",
          "retry",
          "createWorktree",
          "worktree",
          "HTTPServer",
          "server",
          "error",
          "errors",
          "x1",
          "42");

  @TempDir Path folder;

  /// A text, without the index: its words, each with its parts.
  private record Said(String role, List<Set<String>> words) {

    static Said of(String role, String text) {
      List<Set<String>> words = new ArrayList<>();
      for (String word : text.split("[^A-Za-z0-9_]+")) {
        if (!word.isEmpty()) {
          Set<String> forms = new HashSet<>(Set.of(word.toLowerCase(Locale.ROOT)));
          String apart =
              word.replaceAll("([a-z])([A-Z])", "$1_$2")
                  .replaceAll("([A-Z])([A-Z][a-z])", "$1_$2")
                  .replaceAll("([A-Za-z])([0-9])", "$1_$2");
          for (String part : apart.split("_")) {
            if (part.length() >= 2) {
              forms.add(part.toLowerCase(Locale.ROOT));
            }
          }
          words.add(forms);
        }
      }
      return new Said(role, words);
    }

    boolean has(Predicate<String> word) {
      return words.stream().anyMatch(forms -> forms.stream().anyMatch(word));
    }

    boolean hasPhrase(List<String> phrase) {
      for (int from = 0; from + phrase.size() <= words.size(); from++) {
        boolean here = true;
        for (int i = 0; i < phrase.size(); i++) {
          here &= words.get(from + i).contains(phrase.get(i));
        }
        if (here) {
          return true;
        }
      }
      return false;
    }
  }

  /// A query and what a text must be to match.
  private record Asked(String query, Predicate<Said> matches) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void queriesFindWhatAScanFinds(long seed) {
    Random random = new Random(seed);
    try (FoundStore found = new FoundStore(folder.resolve("store"))) {
      ContextId context = found.store.createContext().id();
      Map<String, TurnId> newest = new HashMap<>(); // of a text that was said twice
      Map<String, Said> said = new HashMap<>();
      for (int i = 0; i < TURNS; i++) {
        String role = random.nextBoolean() ? "user" : "assistant";
        String text = text(random);
        newest.put(role + text, found.say(context, role, text));
        said.put(role + text, Said.of(role, text));
        if (i % 40 == 0) {
          found.follow(); // in several steps, so that there are several segments
        }
      }
      for (int i = 0; i < QUERIES; i++) {
        Asked asked = asked(random, 2);
        Set<TurnId> expected =
            said.entrySet().stream()
                .filter(entry -> asked.matches.test(entry.getValue()))
                .map(entry -> newest.get(entry.getKey()))
                .collect(Collectors.toSet());
        assertThat(all(found, asked.query))
            .as("seed %d: %s", seed, asked.query)
            .containsExactlyInAnyOrderElementsOf(expected);
      }
    }
  }

  private static List<TurnId> all(FoundStore found, String query) {
    List<TurnId> turns = new ArrayList<>();
    SearchPage page = found.find(query);
    page.hits().forEach(hit -> turns.add(hit.place().turn()));
    while (page.next() != null) {
      page =
          found.search.search(
              SearchRequest.of(query, 50, FoundStore.NOW, ZoneOffset.UTC).after(page.next()));
      page.hits().forEach(hit -> turns.add(hit.place().turn()));
    }
    return turns;
  }

  private static String word(Random random) {
    return VOCABULARY.get(random.nextInt(VOCABULARY.size()));
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder(word(random));
    for (int i = random.nextInt(8); i > 0; i--) {
      text.append(random.nextInt(4) == 0 ? ", " : " ").append(word(random));
    }
    return text.toString();
  }

  private static Asked asked(Random random, int depth) {
    String word = word(random);
    String lower = word.toLowerCase(Locale.ROOT);
    return switch (random.nextInt(depth > 0 ? 8 : 4)) {
      case 0 -> new Asked(word, text -> text.has(lower::equals));
      case 1 -> {
        String start = lower.substring(0, 1 + random.nextInt(lower.length()));
        yield start.matches("[a-z0-9]+")
            ? new Asked(start + "*", text -> text.has(form -> form.startsWith(start)))
            : new Asked(word, text -> text.has(lower::equals));
      }
      case 2 -> {
        String second = word(random);
        List<String> phrase = List.of(lower, second.toLowerCase(Locale.ROOT));
        yield new Asked("\"" + word + " " + second + "\"", text -> text.hasPhrase(phrase));
      }
      case 3 ->
          new Asked(
              "/" + lower.charAt(0) + ".*[rt]/",
              text -> text.has(form -> form.matches(lower.charAt(0) + ".*[rt]")));
      case 4 -> {
        Asked a = asked(random, depth - 1);
        Asked b = asked(random, depth - 1);
        yield new Asked("(" + a.query + ") (" + b.query + ")", a.matches.and(b.matches));
      }
      case 5 -> {
        Asked a = asked(random, 0);
        Asked b = asked(random, 0);
        yield new Asked("(" + a.query + " OR " + b.query + ")", a.matches.or(b.matches));
      }
      case 6 -> {
        Asked a = asked(random, 0);
        yield new Asked(
            "(" + word + " -" + a.query + ")",
            a.matches.negate().and(text -> text.has(lower::equals)));
      }
      default -> {
        Asked a = asked(random, 0);
        yield new Asked(a.query + " role:prompt", a.matches.and(text -> text.role.equals("user")));
      }
    };
  }
}
