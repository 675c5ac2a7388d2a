// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The words with which the matches of a pattern begin, read from the pattern.
///
/// The reader understands the part of RE2's syntax in which patterns for credentials are written.
/// It assumes that a match of any other construct begins with any character.
final class PatternPrefixes {

  private static final int WORDS_MAX = 64;
  private static final int WORD_MAX = 12;
  private static final int CLASS_MAX = 4;

  /// The beginning of the matches of a part of a pattern.
  ///
  /// @param words in lower case; every match begins with one of the words; "" stands for any text
  /// @param whole true if a match holds nothing behind the word
  private record Front(Set<String> words, boolean whole) {
    static final Front ANYTHING = new Front(Set.of(""), false);
    static final Front NOTHING = new Front(Set.of(""), true);
  }

  private final String regex;
  private int at;

  private PatternPrefixes(String regex) {
    this.regex = regex;
  }

  /// The words, in lower case and ASCII: every match of `regex` begins with one of the words.
  ///
  /// @return empty if there are no such words, too many words, or a word of a single character
  static List<String> of(String regex) {
    Set<String> words;
    try {
      words = new PatternPrefixes(regex).alternatives().words;
    } catch (StringIndexOutOfBoundsException e) {
      return List.of(); // RE2 will refuse the pattern
    }
    boolean usable =
        words.stream().allMatch(w -> w.length() > 1 && w.chars().allMatch(c -> c < 128));
    return usable ? List.copyOf(words) : List.of();
  }

  private Front alternatives() {
    Set<String> words = new LinkedHashSet<>();
    boolean whole = true;
    while (true) {
      Front front = sequence();
      words.addAll(front.words);
      whole &= front.whole;
      if (at == regex.length() || regex.charAt(at) == ')') {
        return words.size() > WORDS_MAX ? Front.ANYTHING : new Front(words, whole);
      }
      at++; // the bar
    }
  }

  /// Reads to the end of an alternative, even if its beginning is already known.
  private Front sequence() {
    Front front = Front.NOTHING;
    while (at < regex.length() && regex.charAt(at) != '|' && regex.charAt(at) != ')') {
      Front part = repeated(part());
      front = front.whole ? joined(front, part) : front;
    }
    return front;
  }

  private static Front joined(Front front, Front part) {
    if (front.words.size() * part.words.size() > WORDS_MAX) {
      return new Front(front.words, false);
    }
    Set<String> words = new LinkedHashSet<>();
    boolean whole = part.whole;
    for (String word : front.words) {
      for (String more : part.words) {
        String joined = word + more;
        whole &= joined.length() <= WORD_MAX;
        words.add(joined.substring(0, Math.min(WORD_MAX, joined.length())));
      }
    }
    return new Front(words, whole);
  }

  private Front part() {
    char c = regex.charAt(at++);
    return switch (c) {
      case '(' -> group();
      case '[' -> characters();
      case '\\' -> escaped();
      case '^', '$' -> Front.NOTHING;
      case '.' -> Front.ANYTHING;
      default -> literal(c);
    };
  }

  private static Front literal(char c) {
    return new Front(Set.of(String.valueOf(c).toLowerCase(Locale.ROOT)), true);
  }

  private Front group() {
    if (regex.charAt(at) == '?') {
      while (":>)".indexOf(regex.charAt(at)) < 0) {
        at++; // flags, or a name
      }
      if (regex.charAt(at++) == ')') {
        return Front.NOTHING; // flags for the following parts; no word depends on them
      }
    }
    Front inner = alternatives();
    at++; // the bracket
    return inner;
  }

  private Front characters() {
    int from = at;
    at += regex.charAt(at) == '^' ? 1 : 0;
    at += regex.charAt(at) == ']' ? 1 : 0; // as the first, itself
    while (regex.charAt(at) != ']') {
      if (regex.startsWith("[:", at)) {
        at = regex.indexOf(":]", at) + 1;
      } else if (regex.charAt(at) == '\\') {
        at++;
      }
      at++;
    }
    String inside = regex.substring(from, at++);
    Set<String> words = new LinkedHashSet<>();
    for (char c : inside.toLowerCase(Locale.ROOT).toCharArray()) {
      if (c == '^' || c == '\\' || c == '-' || c == '[') {
        return Front.ANYTHING;
      }
      words.add(String.valueOf(c));
    }
    return words.size() > CLASS_MAX ? Front.ANYTHING : new Front(words, true);
  }

  private Front escaped() {
    char c = regex.charAt(at++);
    if (c == 'b' || c == 'A' || c == 'z') {
      return Front.NOTHING;
    }
    if (c == 'x' && regex.charAt(at) != '{') {
      at += 2;
      return literal((char) Integer.parseInt(regex.substring(at - 2, at), 16));
    }
    if (Character.isLetterOrDigit(c)) {
      if (regex.charAt(at - 1) == 'Q' || regex.startsWith("{", at)) {
        at = regex.length(); // a quotation or a named class: its end is not looked for
      }
      return Front.ANYTHING;
    }
    return literal(c);
  }

  /// A repeated part begins with its first repetition. After an optional part any text may follow.
  private Front repeated(Front part) {
    List<String> counts = new ArrayList<>();
    while (at < regex.length() && "*+?{".indexOf(regex.charAt(at)) >= 0) {
      int from = at;
      at = regex.charAt(at) == '{' ? regex.indexOf('}', at) + 1 : at + 1;
      counts.add(regex.substring(from, at));
    }
    if (counts.isEmpty()) {
      return part;
    }
    String first = counts.getFirst();
    boolean optional = first.equals("*") || first.equals("?") || first.startsWith("{0");
    return optional ? Front.ANYTHING : new Front(part.words, false);
  }
}
