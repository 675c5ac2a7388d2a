// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuleSetTest {

  private static final RuleSet RULES = RuleSet.builtIn();

  @TempDir Path folder;

  private static List<String> rules(String text) {
    return RULES.find(text).stream().map(SecretMatch::rule).toList();
  }

  private static List<String> secrets(String text) {
    return RULES.find(text).stream().map(secret -> secret.in(text)).toList();
  }

  @Test
  void allRulesOfGitleaksThatAreAboutTextAreRead() {
    assertThat(RULES.ids())
        .hasSizeGreaterThan(200)
        .doesNotHaveDuplicates()
        .contains("aws-access-token", "private-key", "generic-api-key")
        .doesNotContain("pkcs12-file", "hashicorp-tf-password");
  }

  @Test
  void everyPatternIsOneOfRe2() throws IOException {
    try (var in = RuleSet.class.getResourceAsStream("gitleaks.toml")) {
      RuleFile file = RuleFile.parse(new String(in.readAllBytes()), "built in");
      for (SecretRule rule : file.rules()) {
        assertThat(rule.pattern().get().groupCount()).as(rule.id()).isGreaterThanOrEqualTo(0);
        assertThat(rule.keywords()).as(rule.id()).isNotEmpty();
      }
    }
  }

  @Test
  void aCredentialIsFoundWhereverItStands() {
    for (String secret : Samples.BY_SHAPE) {
      for (String text :
          List.of(
              secret,
              "before " + secret + " behind",
              "a \"" + secret + "\", quoted",
              "x ".repeat(5000) + secret + " y".repeat(5000),
              "first\n" + secret + "\nlast")) {
        assertThat(secrets(text)).as(text.substring(0, 20)).containsExactly(secret);
      }
    }
  }

  @Test
  void aValueIsTakenForWhatItIsCalled() {
    assertThat(rules("apiKey = \"" + Samples.GENERIC + "\"")).containsExactly("generic-api-key");
    assertThat(secrets("export DB_PASSWORD='" + Samples.PASSWORD + "'"))
        .containsExactly(Samples.PASSWORD);
    assertThat(secrets("curl -u admin:s3cr3tP4ssw0rd https://x"))
        .containsExactly("admin:s3cr3tP4ssw0rd");
  }

  @Test
  void whatOnlyNamesThingsIsLeftAlone() {
    String sha = "8d3c1ab2e5f79046c1d2ab37f6e05948aabbccdd";
    String uuid = "014df517-39d1-4453-b7b3-9930c5636999";
    for (String text :
        List.of(
            "\"idempotency_key\": \"" + uuid + "\"",
            "\"key\": \"" + sha + "\"",
            "key: " + sha + "0123456789abcdef01234567",
            "commit " + sha,
            "\"api\": \"openai-completions\"",
            "primary_key = user_account_id_1",
            "password: ${DB_PASSWORD}",
            "the token is missing, see authentication.md",
            "monkey = aGVsbG8gd29ybGQ1")) {
      assertThat(rules(text)).as(text).isEmpty();
    }
    assertThat(rules("\"secret_key\": \"" + sha + "\"")).as("but so called").isNotEmpty();
  }

  @Test
  void severalInOneTextAreAllFoundInOrder() {
    String text =
        Samples.GITHUB + " " + Samples.AWS + "\nkey=" + Samples.GENERIC + "\n" + Samples.GITHUB;

    assertThat(secrets(text))
        .containsExactly(Samples.GITHUB, Samples.AWS, Samples.GENERIC, Samples.GITHUB);
  }

  @Test
  void overlappingRulesTellOneCredentialOnce() {
    assertThat(rules("github_token = \"" + Samples.GITHUB + "\"")).containsExactly("github-pat");
  }

  @Test
  void whateverStandsAroundItACredentialIsFound() {
    String noise = "key token api sk ey = : \" ' \n ,>?|x1-_.{}[]";
    for (int seed = 0; seed < 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(3000); i > 0; i--) {
        text.append(noise.charAt(random.nextInt(noise.length())));
      }
      text.append(" \n").append(Samples.PRIVATE_KEY).append("\n ").append(Samples.AWS).append(' ');
      for (int i = random.nextInt(3000); i > 0; i--) {
        text.append(noise.charAt(random.nextInt(noise.length())));
      }
      assertThat(secrets(text.toString()))
          .as("seed %d", seed)
          .contains(Samples.PRIVATE_KEY, Samples.AWS);
    }
  }

  @Test
  void ownRulesReplaceOrExtendThoseThatComeWithVarve() throws IOException {
    String rule =
        "[[rules]]\nid = \"mine\"\nregex = '''mine-([0-9]{6})'''\nkeywords = [\"mine-\"]\n";
    Path alone = Files.writeString(folder.resolve("alone.toml"), rule);
    Path more =
        Files.writeString(folder.resolve("more.toml"), "[extend]\nuseDefault = true\n" + rule);
    String text = "mine-123456 " + Samples.AWS;

    assertThat(RuleSet.of(alone).find(text)).extracting(SecretMatch::rule).containsExactly("mine");
    assertThat(RuleSet.of(alone).find(text).getFirst().in(text)).isEqualTo("123456");
    assertThat(RuleSet.of(more).find(text))
        .extracting(SecretMatch::rule)
        .containsExactly("mine", "aws-access-token");
  }

  @Test
  void aWrongRuleFileIsRefused() throws IOException {
    for (String wrong :
        List.of(
            "[[rules",
            "[[rules]]\nregex='x'",
            "[[rules]]\nid='a'\nregex='['",
            "[[rules]]\nid='a'\nregex='x'\n[[rules.allowlists]]\nregexes=['(']")) {
      Path file = Files.writeString(folder.resolve("wrong.toml"), wrong);
      assertThatThrownBy(() -> RuleSet.of(file))
          .as(wrong)
          .isInstanceOf(StoreException.Invalid.class)
          .hasMessageContaining("wrong.toml");
    }
  }
}
