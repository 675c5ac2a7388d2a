// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A cheap test that rules a credential out at one of a rule's words, from a few characters.
///
/// Most words stand where no credential is. A pattern that begins with the word and is tried at the
/// word alone fails after some characters. A text that passes the test may still hold no
/// credential. A text that fails the test holds none, with one exception: of a pattern that begins
/// with `[\w.-]{0,50}?` only the rest is tried.
final class PrefixFilter {

  /// The number of characters that are looked at. A match that goes on behind them passes.
  private static final int LOOK_CHARS = 200;

  /// Beginnings of gitleaks' patterns for characters that may precede the name of a value.
  private static final List<String> NAME_PREFIXES =
      List.of("[\\w.-]{0,50}?(?i:[\\w.-]{0,50}?", "(?i)[\\w.-]{0,50}?", "[\\w.-]{0,50}?");

  /// The beginnings of the same patterns without the preceding characters.
  private static final List<String> WITHOUT_PREFIX = List.of("(?i:", "(?i)", "");

  private final List<String> words;
  private final String regex;
  private final SecretGroup group;
  private final Predicate<String> possible;
  private @Nullable Pattern pattern;

  private PrefixFilter(
      List<String> words, String regex, SecretGroup group, Predicate<String> possible) {
    this.words = words;
    this.regex = regex;
    this.group = group;
    this.possible = possible;
  }

  /// The filter of a rule with the pattern `regex`.
  ///
  /// @param possible true for a text that can be a credential of the rule
  /// @return empty if the pattern begins with no word
  static Optional<PrefixFilter> of(String regex, SecretGroup group, Predicate<String> possible) {
    String core = regex;
    for (int i = 0; i < NAME_PREFIXES.size() && core.equals(regex); i++) {
      if (regex.startsWith(NAME_PREFIXES.get(i))) {
        core = WITHOUT_PREFIX.get(i) + regex.substring(NAME_PREFIXES.get(i).length());
      }
    }
    List<String> words = PatternPrefixes.of(core);
    return words.isEmpty()
        ? Optional.empty()
        : Optional.of(new PrefixFilter(words, core, group, possible));
  }

  /// The words with which a match begins, in lower case.
  List<String> words() {
    return words;
  }

  /// True if there may be a match whose word begins at `from`.
  boolean passes(String text, int from) {
    Look look = new Look(text, from - 1, Math.min(text.length(), from + LOOK_CHARS));
    Matcher matcher = pattern().matcher(look);
    boolean matches = matcher.lookingAt();
    if (look.reachedLimit) {
      return true;
    }
    return matches && possible.test(matcher.group(group.in(matcher)));
  }

  /// The pattern behind one character of any kind, so that a boundary of the word can match.
  private Pattern pattern() {
    Pattern compiled = pattern;
    if (compiled == null) {
      compiled = Pattern.compile("^(?s:.)(?:" + regex + ")");
      pattern = compiled;
    }
    return compiled;
  }

  /// A part of a text that records whether its last character was read. A line feed precedes the
  /// text.
  private static final class Look implements CharSequence {
    private final String text;
    private final int from;
    private final int to;
    private boolean reachedLimit;

    Look(String text, int from, int to) {
      this.text = text;
      this.from = from;
      this.to = to;
    }

    @Override
    public char charAt(int at) {
      reachedLimit |= from + at == to - 1 && to < text.length();
      return from + at < 0 ? '\n' : text.charAt(from + at);
    }

    @Override
    public int length() {
      return to - from;
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return new Look(text, from + start, from + end);
    }

    @Override
    public String toString() {
      StringBuilder all = new StringBuilder(length());
      for (int i = 0; i < length(); i++) {
        all.append(from + i < 0 ? '\n' : text.charAt(from + i));
      }
      return all.toString();
    }
  }
}
