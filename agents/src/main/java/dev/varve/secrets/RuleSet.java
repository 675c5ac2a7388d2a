// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import com.google.re2j.Matcher;
import dev.varve.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Rules by which credentials are found in texts.
///
/// Each text is read once for the words of all rules. A rule is tried only around its words, where
/// the text passes the rule's [PrefixFilter]. The patterns are matched by RE2, in a time that is
/// proportional to the length of the text.
public final class RuleSet {

  /// The largest part of a match's line that is looked at, in characters to each side.
  private static final int LINE_MAX = 500;

  private static final int FILE_BYTES_MAX = 16 << 20;

  private final List<SecretRule> rules;
  private final List<RuleAllowance> allowances;

  /// The words around which rules are tried.
  private final List<String> words;

  private final KeywordSearch keywords;

  /// For each word, the rules that are tried around the word.
  private final List<int[]> wanting;

  /// The rules without words, which are tried everywhere.
  private final List<Integer> always = new ArrayList<>();

  private RuleSet(List<SecretRule> rules, List<RuleAllowance> allowances) {
    this.rules = List.copyOf(rules);
    this.allowances = List.copyOf(allowances);
    Map<String, List<Integer>> byWord = new LinkedHashMap<>();
    for (int i = 0; i < rules.size(); i++) {
      for (String word : rules.get(i).words()) {
        byWord.computeIfAbsent(word, _ -> new ArrayList<>()).add(i);
      }
      if (rules.get(i).words().isEmpty()) {
        always.add(i);
      }
    }
    words = List.copyOf(byWord.keySet());
    keywords = new KeywordSearch(words);
    wanting =
        byWord.values().stream()
            .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
            .toList();
  }

  /// The rules that come with Varve: those of gitleaks.
  public static RuleSet builtIn() {
    RuleFile file = builtInFile();
    return new RuleSet(file.rules(), file.allowances());
  }

  private static RuleFile builtInFile() {
    try (InputStream in = RuleSet.class.getResourceAsStream("gitleaks.toml")) {
      if (in == null) {
        throw new AssertionError("the rules are not in the jar");
      }
      return RuleFile.parse(
          new String(in.readAllBytes(), StandardCharsets.UTF_8), "the rules that come with Varve");
    } catch (IOException e) {
      throw new AssertionError("the rules in the jar cannot be read", e);
    }
  }

  /// The rules of a file in gitleaks' format. With `[extend] useDefault = true` the rules are added
  /// to the rules that come with Varve, and replace rules with the same id.
  ///
  /// @throws StoreException.Invalid if the file does not have the format
  /// @throws StoreException.Io if the file cannot be read
  public static RuleSet of(Path file) {
    try {
      if (Files.size(file) > FILE_BYTES_MAX) {
        throw new StoreException.TooLarge(file.toString(), Files.size(file), FILE_BYTES_MAX);
      }
      RuleFile own =
          RuleFile.parse(Files.readString(file), file.toString()).compiled(file.toString());
      if (!own.extendsDefault()) {
        return new RuleSet(own.rules(), own.allowances());
      }
      RuleFile base = builtInFile();
      Map<String, SecretRule> rules = new LinkedHashMap<>();
      base.rules().forEach(rule -> rules.put(rule.id(), rule));
      own.rules().forEach(rule -> rules.put(rule.id(), rule));
      List<RuleAllowance> allowances = new ArrayList<>(base.allowances());
      allowances.addAll(own.allowances());
      return new RuleSet(List.copyOf(rules.values()), allowances);
    } catch (IOException e) {
      throw new StoreException.Io(file.toString(), "cannot be read", e);
    }
  }

  /// The ids of the rules.
  public List<String> ids() {
    return rules.stream().map(SecretRule::id).toList();
  }

  /// The credentials in a text, in the order of the text. Where two credentials overlap, the
  /// credential of the rule that is not generic counts, and otherwise the longer credential.
  public List<SecretMatch> find(String text) {
    Map<Integer, TextWindows> tried = new LinkedHashMap<>();
    always.forEach(rule -> tried.put(rule, TextWindows.all(text.length())));
    keywords.find(
        text,
        (word, end) -> {
          int from = end - words.get(word).length();
          for (int rule : wanting.get(word)) {
            if (rules.get(rule).worth(text, from, end)) {
              tried
                  .computeIfAbsent(rule, _ -> new TextWindows())
                  .add(end - MatchWindow.BEFORE, end + rules.get(rule).window().behind());
            }
          }
        });
    List<SecretMatch> found = new ArrayList<>();
    tried.forEach(
        (rule, windows) ->
            windows.each(
                text.length(), (from, to) -> match(rules.get(rule), text, from, to, found)));
    return distinct(found);
  }

  /// Tries a rule between `from` and `to`. A match that reaches `to` is followed further.
  private void match(SecretRule rule, String text, int from, int to, List<SecretMatch> found) {
    int end = to;
    Matcher matcher = rule.pattern().get().matcher(text.substring(from, end));
    int at = 0;
    while (matcher.find(at)) {
      if (from + matcher.end() == end && end < text.length()) {
        end = (int) Math.min(text.length(), 2L * (end - from) + from);
        matcher = rule.pattern().get().matcher(text.substring(from, end));
        continue;
      }
      int group = rule.group().in(matcher);
      SecretMatch secret =
          new SecretMatch(
              rule.id(),
              rule.isGeneric(),
              from + matcher.start(group),
              from + matcher.end(group),
              from + matcher.start(),
              from + matcher.end());
      if (holds(rule, secret, text)) {
        found.add(secret);
      }
      at = Math.max(matcher.end(group), matcher.start() + 1);
      if (from + at >= to || at > end - from) {
        return;
      }
    }
  }

  private boolean holds(SecretRule rule, SecretMatch secret, String text) {
    String value = secret.in(text);
    String match = text.substring(secret.matchFrom(), secret.matchTo());
    if (!SecretRule.possible(rule.id(), rule.entropyMin(), value)
        || (rule.isGeneric() && IdentifierShapes.is(match, value))) {
      return false;
    }
    String line = line(text, secret);
    return Stream.concat(allowances.stream(), rule.allowances().stream())
        .noneMatch(allowance -> allowance.allows(value, match, line));
  }

  private static String line(String text, SecretMatch secret) {
    int from = text.lastIndexOf('\n', secret.matchFrom()) + 1;
    int end = text.indexOf('\n', secret.matchTo());
    int to = end < 0 ? text.length() : end;
    return text.substring(
        Math.clamp(
            from, secret.matchFrom() - Math.min(LINE_MAX, secret.matchFrom()), secret.matchFrom()),
        Math.clamp(to, secret.matchTo(), Math.min(text.length(), secret.matchTo() + LINE_MAX)));
  }

  private static List<SecretMatch> distinct(List<SecretMatch> found) {
    List<SecretMatch> sorted = new ArrayList<>(found);
    sorted.sort(
        Comparator.comparing(SecretMatch::generic)
            .thenComparingInt(secret -> secret.from() - secret.to())
            .thenComparing(SecretMatch::rule));
    TreeMap<Integer, SecretMatch> kept = new TreeMap<>();
    for (SecretMatch secret : sorted) {
      Map.Entry<Integer, SecretMatch> before = kept.lowerEntry(secret.to());
      if (before == null || before.getValue().to() <= secret.from()) {
        kept.put(secret.from(), secret);
      }
    }
    return List.copyOf(kept.values());
  }
}
