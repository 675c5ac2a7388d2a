// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import com.google.re2j.Pattern;
import java.util.List;
import java.util.Locale;

/// What a rule set itself says is no secret.
///
/// @param target which text the patterns are held against
/// @param all whether both a pattern and a stop word have to be met, where there are both
/// @param stopWords in lower case; one of them in the secret is enough
record Allowance(Target target, boolean all, List<Pattern> patterns, List<String> stopWords) {

  /// The secret alone, the whole match, or the line it stands on.
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
