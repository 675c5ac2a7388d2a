// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import dev.varve.secrets.RuleSet;
import dev.varve.secrets.SecretMatch;
import java.util.Arrays;

/// Takes credentials out of texts before the texts are indexed or shown.
final class CredentialMask {

  /// Is no letter and no digit, so no word begins or ends in a mask.
  private static final char MASK = '█';

  private final RuleSet rules = RuleSet.builtIn();

  /// The text with every credential masked, at the same length.
  String apply(String text) {
    char[] masked = null;
    for (SecretMatch found : rules.find(text)) {
      masked = masked == null ? text.toCharArray() : masked;
      Arrays.fill(masked, found.from(), found.to(), MASK);
    }
    return masked == null ? text : new String(masked);
  }
}
