// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Matcher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class PrefixFilterTest {

  private static List<SecretRule> rules = List.of();

  @BeforeAll
  static void readRules() throws IOException {
    try (var in = RuleSet.class.getResourceAsStream("gitleaks.toml")) {
      rules =
          RuleFile.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8), "built in").rules();
    }
  }

  @Test
  void whatAPatternBeginsWithIsReadOffIt() {
    assertThat(PatternPrefixes.of("\\b((?:hvs\\.[\\w-]{90}|s\\.(?i:[a-z0-9]{24})))(?:[\\x60]|$)"))
        .containsExactlyInAnyOrder("hvs.", "s.");
    assertThat(PatternPrefixes.of("\\b((?:sc|ext)_(?i)[a-z0-9]{5,30}\\.)"))
        .containsExactlyInAnyOrder("sc_", "ext_");
    assertThat(PatternPrefixes.of("(?:(?-i:[Aa]pi|API)|passw(?:or)?d)=x"))
        .containsExactlyInAnyOrder("api", "passw");
    assertThat(PatternPrefixes.of("[Aa]pi(?:=|:)x")).containsExactlyInAnyOrder("api=x", "api:x");
    assertThat(PatternPrefixes.of("xox[bp]-\\d")).containsExactlyInAnyOrder("xoxb-", "xoxp-");
    assertThat(PatternPrefixes.of("ab{2}c|\\x60q+r")).containsExactlyInAnyOrder("ab", "`q");
    assertThat(PatternPrefixes.of("averyveryverylongword1")).containsExactly("averyveryver");
    for (String anything :
        List.of(
            "",
            "a?bc",
            "[a-z]bc",
            "x|abc",
            ".bc",
            "(?:ab)?c",
            "\\dab",
            "a",
            "\\pLab",
            "\\Qab\\E",
            "[^a]b",
            "[[:alpha:]]b",
            "a{0,3}b",
            "(ab",
            "[ab",
            "ab\\",
            "ab{")) {
      assertThat(PatternPrefixes.of(anything)).as(anything).isEmpty();
    }
  }

  @Test
  void mostRulesHaveAFilter() {
    assertThat(rules.stream().filter(rule -> rule.filter().isPresent()).count())
        .isGreaterThan(rules.size() * 9L / 10);
  }

  /// Where a text does not pass the filter of a rule, its pattern, tried everywhere, sees nothing
  /// that counts.
  @Test
  void noFilterKeepsACredentialOut() {
    String[] pieces = {
      "key",
      "Token",
      "api",
      "secret",
      "passwd",
      "auth",
      "access",
      " = ",
      ":",
      "=>",
      "\"",
      "'",
      " ",
      "\n",
      ";",
      "ey",
      "eyJ",
      "s.",
      "hvs.",
      "sk_live_",
      "sk-",
      "ghp_",
      "AKIA",
      "ASIA",
      "xoxb-",
      "lob",
      "test_",
      "ext_",
      "twilio",
      "SK",
      "SG.",
      "curl",
      "-u ",
      "adobe",
      "-----BEGIN",
      "_",
      ".",
      Samples.GENERIC,
      Samples.PASSWORD,
      Samples.AWS,
      Samples.GITHUB,
      Samples.SLACK,
      "YVP4CIPP",
      "aGVsbG8gd29ybGQ1",
      "8f3a61c2",
      "0123456789abcdef0123456789abcdef"
    };
    for (int seed = 0; seed < 1_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      StringBuilder made = new StringBuilder();
      for (int i = random.nextInt(15); i > 0; i--) {
        made.append(pieces[random.nextInt(pieces.length)]);
      }
      String text = made.toString();
      List<String> missed = new ArrayList<>();
      for (SecretRule rule : rules) {
        if (rule.filter().isPresent()
            && !passes(rule, text)
            && (seed < 20 || hasWord(rule, text))) {
          Matcher matcher = rule.pattern().get().matcher(text);
          for (int at = 0; matcher.find(at); ) {
            int group = rule.group().in(matcher);
            if (SecretRule.possible(rule.id(), rule.entropyMin(), matcher.group(group))) {
              missed.add(rule.id() + ": " + matcher.group());
            }
            at = Math.max(matcher.end(group), matcher.start() + 1);
            if (at > text.length()) {
              break;
            }
          }
        }
      }
      assertThat(missed).as("seed %d: %s", seed, text).isEmpty();
    }
  }

  private static boolean hasWord(SecretRule rule, String text) {
    return rule.words().stream().anyMatch(text.toLowerCase(Locale.ROOT)::contains);
  }

  /// True if the text passes the filter of the rule at any word.
  private static boolean passes(SecretRule rule, String text) {
    PrefixFilter filter = rule.filter().orElseThrow();
    boolean[] passes = new boolean[1];
    new KeywordSearch(filter.words())
        .find(
            text,
            (word, end) ->
                passes[0] |= filter.passes(text, end - filter.words().get(word).length()));
    return passes[0];
  }
}
