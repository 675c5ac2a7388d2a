// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import com.google.re2j.Pattern;
import java.util.List;
import java.util.Locale;

/// An exception that a rule set declares: a value that is no credential.
///
/// @param target the text in which the patterns are searched
/// @param all true if both a pattern and a stop word have to be met, where there are both
/// @param stopWords in lower case; one stop word in the credential is enough
record RuleAllowance(Target target, boolean all, List<Pattern> patterns, List<String> stopWords) {

  /// The text that is searched: the credential, the whole match, or the line of the match.
  enum Target {
    SECRET,
    MATCH,
    LINE
  }

  boolean allows(String secret, String match, String line) {
    String text =
        switch (target) {
          case SECRET -> secret;
          case MATCH -> match;
          case LINE -> line;
        };
    boolean byPattern = patterns.stream().anyMatch(pattern -> pattern.matcher(text).find());
    String lower = secret.toLowerCase(Locale.ROOT);
    boolean byWord = stopWords.stream().anyMatch(lower::contains);
    return all && !patterns.isEmpty() && !stopWords.isEmpty()
        ? byPattern && byWord
        : byPattern || byWord;
  }
}
