// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import com.google.re2j.Pattern;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// A rule by which one kind of credential is recognised.
///
/// @param window the part of a text around a keyword in which the pattern is tried
/// @param filter a cheap test before the pattern is tried, if the pattern begins with a word
/// @param group the group of the pattern that holds the credential
/// @param entropyMin a bound that a credential's entropy has to exceed, in bits a character; 0: no
///   bound
/// @param keywords in lower case; the pattern is tried only in a text that holds one of them
/// @param allowances the exceptions of the rule
record SecretRule(
    String id,
    String description,
    Supplier<Pattern> pattern,
    MatchWindow window,
    Optional<PrefixFilter> filter,
    SecretGroup group,
    double entropyMin,
    List<String> keywords,
    List<RuleAllowance> allowances) {

  /// True for a rule whose pattern is a name like *key* and any value beside the name. The
  /// credentials of such a rule must contain a digit, as gitleaks requires too.
  boolean isGeneric() {
    return isGeneric(id);
  }

  /// The words around which the pattern is tried, in lower case. A rule without words is tried
  /// everywhere.
  List<String> words() {
    return filter.map(PrefixFilter::words).orElse(keywords);
  }

  /// True if the pattern may match around a word between `from` and `end`.
  boolean worth(String text, int from, int end) {
    return window.worth(text, end) && (filter.isEmpty() || filter.get().passes(text, from));
  }

  /// True if a rule of this kind takes `value` for a credential, whatever stands beside the value.
  static boolean possible(String id, double entropyMin, String value) {
    return !value.isEmpty()
        && (entropyMin == 0 || ShannonEntropy.of(value) > entropyMin)
        && (!isGeneric(id) || value.chars().anyMatch(c -> c >= '0' && c <= '9'));
  }

  private static boolean isGeneric(String id) {
    return id.startsWith("generic");
  }
}
