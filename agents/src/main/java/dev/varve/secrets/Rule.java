// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// How one kind of credential is recognised.
///
/// @param gate stands before the pattern, if the pattern begins with a word
/// @param secretGroup which group of the pattern is the secret; 0: the first that took part, else
///   the whole match
/// @param entropyMin what a secret's entropy has to exceed, in bits a character; 0: nothing
/// @param keywords in lower case; without one of them the pattern is not tried
record Rule(
    String id,
    String description,
    Supplier<Pattern> pattern,
    Reach reach,
    Optional<Gate> gate,
    int secretGroup,
    double entropyMin,
    List<String> keywords,
    List<Allowance> allowances) {

  /// Rules whose pattern is a name like *key* and any value beside it: their secrets have to have a
  /// digit, as gitleaks asks too.
  boolean isGeneric() {
    return isGeneric(id);
  }

  /// The words around which the pattern is tried, in lower case; without any it is tried
  /// everywhere.
  List<String> words() {
    return gate.map(Gate::words).orElse(keywords);
  }

  /// Whether it is worth to try the pattern around a word between `from` and `end`.
  boolean worth(String text, int from, int end) {
    return reach.worth(text, end) && (gate.isEmpty() || gate.get().opens(text, from, this));
  }

  /// Whether a rule of this kind takes `value` for a credential, whatever stands beside it.
  static boolean possible(String id, double entropyMin, String value) {
    return !value.isEmpty()
        && (entropyMin == 0 || Entropy.of(value) > entropyMin)
        && (!isGeneric(id) || value.chars().anyMatch(c -> c >= '0' && c <= '9'));
  }

  private static boolean isGeneric(String id) {
    return id.startsWith("generic");
  }

  /// The group that is the secret in what `matcher` found.
  int group(Matcher matcher) {
    if (secretGroup > 0) {
      return Math.min(secretGroup, matcher.groupCount());
    }
    for (int group = 1; group <= matcher.groupCount(); group++) {
      if (matcher.start(group) >= 0 && matcher.end(group) > matcher.start(group)) {
        return group;
      }
    }
    return 0;
  }
}
