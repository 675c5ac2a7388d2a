// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Says, from a few characters, that a rule sees nothing where one of its words stands. Most words
/// stand where no credential is: a pattern that begins with the word, tried there and nowhere else,
/// ends after some characters.
///
/// What it lets through may still be nothing; what it stops is nothing for sure, but for a match
/// that begins with `[\w.-]{0,50}?`, of which it tries what follows.
final class Gate {

  /// How many characters are looked at. A match that goes on is let through.
  private static final int LOOK_CHARS = 200;

  /// In front of the name of a value, gitleaks lets stand what may belong to it.
  private static final List<String> IN_FRONT =
      List.of("[\\w.-]{0,50}?(?i:[\\w.-]{0,50}?", "(?i)[\\w.-]{0,50}?", "[\\w.-]{0,50}?");

  private static final List<String> WITHOUT = List.of("(?i:", "(?i)", "");

  private final List<String> words;
  private final String regex;
  private final Predicate<String> possible;
  private @Nullable Pattern pattern;

  private Gate(List<String> words, String regex, Predicate<String> possible) {
    this.words = words;
    this.regex = regex;
    this.possible = possible;
  }

  /// For a rule with the pattern `regex`.
  ///
  /// @param possible whether a text can be a credential of the rule
  /// @return empty if it begins with no word
  static Optional<Gate> of(String regex, Predicate<String> possible) {
    String core = regex;
    for (int i = 0; i < IN_FRONT.size() && core.equals(regex); i++) {
      if (regex.startsWith(IN_FRONT.get(i))) {
        core = WITHOUT.get(i) + regex.substring(IN_FRONT.get(i).length());
      }
    }
    List<String> words = Beginnings.of(core);
    return words.isEmpty() ? Optional.empty() : Optional.of(new Gate(words, core, possible));
  }

  /// One of these begins whatever it lets through; in lower case.
  List<String> words() {
    return words;
  }

  /// Whether there may be a match whose word begins at `from`.
  boolean opens(String text, int from, Rule rule) {
    Look look = new Look(text, from - 1, Math.min(text.length(), from + LOOK_CHARS));
    Matcher matcher = pattern().matcher(look);
    boolean matches = matcher.lookingAt();
    if (look.reachedLimit) {
      return true;
    }
    return matches && possible.test(matcher.group(rule.group(matcher)));
  }

  /// Behind one character, so that a word's boundary is seen.
  private Pattern pattern() {
    Pattern compiled = pattern;
    if (compiled == null) {
      compiled = Pattern.compile("^(?s:.)(?:" + regex + ")");
      pattern = compiled;
    }
    return compiled;
  }

  /// A stretch of a text that knows whether its last character was asked for. In front of a text
  /// stands a line feed.
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
