// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;

/// Where around one of its keywords a pattern has to be tried.
///
/// @param behind how many characters behind the keyword a match may need to see, at least; a match
///   that goes on is followed
/// @param assigns whether the pattern is of the kind `name, operator, value`, in which the keyword
///   is part of the name: gitleaks makes most of its rules by that template
record Reach(int behind, boolean assigns) {

  /// How far in front of its keyword a match may begin: the longest such beginning in gitleaks'
  /// rules is of 85 characters.
  static final int BEFORE = 128;

  private static final int UNBOUNDED = 4096;

  private static final Pattern REPEATED = Pattern.compile("\\{\\d+(,?)(\\d*)\\}|\\{(\\d+)\\}|[*+]");

  /// The operators of gitleaks' template.
  private static final String OPERATORS = "(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)";

  /// How long a name may go on behind the keyword, quotes and spaces included.
  private static final int NAME_MAX = 24;

  /// What may stand between the operator's first character and the value.
  private static final int GAP_MAX = 10;

  /// The shortest value of a rule of the template.
  private static final int VALUE_MIN = 8;

  static Reach of(String regex) {
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
    return new Reach(
        (int) Math.min(bounded || assigns ? behind : Math.max(behind, UNBOUNDED), 1 << 20),
        assigns);
  }

  /// Whether it is worth to try the pattern for a keyword that ends here.
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
