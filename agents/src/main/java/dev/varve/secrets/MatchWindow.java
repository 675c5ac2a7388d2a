// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;

/// The part of a text around a keyword in which a pattern has to be tried.
///
/// @param behind the number of characters behind the keyword that a match may need; a match that
///   goes on is followed
/// @param assigns true for a pattern of the form `name, operator, value` with the keyword in the
///   name; gitleaks makes most of its rules from this template
record MatchWindow(int behind, boolean assigns) {

  /// The largest distance of a match's beginning before its keyword, in characters. The largest in
  /// gitleaks' rules is 85.
  static final int BEFORE = 128;

  private static final int UNBOUNDED = 4096;

  private static final Pattern REPEATED = Pattern.compile("\\{\\d+(,?)(\\d*)\\}|\\{(\\d+)\\}|[*+]");

  /// The operators of gitleaks' template.
  private static final String OPERATORS = "(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)";

  /// The longest rest of a name behind the keyword, including quotes and spaces.
  private static final int NAME_MAX = 24;

  /// The longest gap between the operator's first character and the value.
  private static final int GAP_MAX = 10;

  /// The shortest value of a rule of the template.
  private static final int VALUE_MIN = 8;

  static MatchWindow of(String regex) {
    long behind = regex.length();
    Matcher repeated = REPEATED.matcher(regex);
    boolean bounded = true;
    while (repeated.find()) {
      String digits = repeated.group().replaceAll("[^0-9]+", " ").strip();
      if (digits.isEmpty() || repeated.group().endsWith(",}")) {
        bounded = false;
      } else {
        behind += Integer.parseInt(digits.substring(digits.lastIndexOf(' ') + 1));
      }
    }
    boolean assigns = regex.contains(OPERATORS);
    return new MatchWindow(
        (int) Math.min(bounded || assigns ? behind : Math.max(behind, UNBOUNDED), 1 << 20),
        assigns);
  }

  /// True if the pattern may match for a keyword that ends at `keywordEnd`.
  boolean worth(CharSequence text, int keywordEnd) {
    return !assigns || assignment(text, keywordEnd);
  }

  private static boolean assignment(CharSequence text, int from) {
    int last = Math.min(text.length(), from + NAME_MAX);
    for (int i = from; i < last; i++) {
      if (isOperator(text.charAt(i)) && value(text, i + 1)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOperator(char c) {
    return c == '=' || c == '>' || c == ':' || c == '|' || c == '?' || c == ',';
  }

  private static boolean value(CharSequence text, int from) {
    int at = from;
    int last = Math.min(text.length(), from + GAP_MAX);
    while (at < last && (isOperator(text.charAt(at)) || isGap(text.charAt(at)))) {
      at++;
    }
    int end = at + VALUE_MIN;
    if (end > text.length()) {
      return false;
    }
    while (at < end && !isGap(text.charAt(at))) {
      at++;
    }
    return at == end;
  }

  private static boolean isGap(char c) {
    return c <= ' ' || c == '"' || c == '\'' || c == '`';
  }
}
