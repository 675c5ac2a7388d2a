// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds the credentials in one string of a document, alone and together with the name of its
/// field.
///
/// In JSON the name of a value is a separate string, and most rules need to see both.
final class StringScan {

  /// The longest value that is searched together with its name, in characters.
  private static final int NAMED_MAX = 4096;

  /// The text between a name and its value, as in JSON.
  private static final String BETWEEN = "\": \"";

  private final RuleSet rules;
  private final AllowList allowed;
  private long allowedCount;

  StringScan(RuleSet rules, AllowList allowed) {
    this.rules = rules;
    this.allowed = allowed;
  }

  /// A credential in the string.
  ///
  /// @param rule the id of the rule that found the credential
  /// @param from the offset of its first character
  /// @param to the offset behind its last character
  /// @param seen the text before the credential that the rule needed to see
  record Hit(String rule, int from, int to, String seen) {}

  /// @param place the name of the place in an allow-list, without the rule
  List<Hit> find(String text, @Nullable String owner, String place) {
    String name = owner == null || text.length() > NAMED_MAX ? "" : "\"" + owner + BETWEEN;
    String context = name.isEmpty() ? text : name + text + "\"";
    int shift = name.length();
    List<Hit> hits = new ArrayList<>();
    for (SecretMatch secret : rules.find(context)) {
      int from = Math.max(0, secret.from() - shift);
      int to = Math.min(text.length(), secret.to() - shift);
      if (from >= to) {
        continue; // in the name, which is looked at by itself
      }
      if (allowed.allows(secret.rule(), text.substring(from, to), place)) {
        allowedCount++;
      } else {
        String seen =
            context.substring(secret.matchFrom(), Math.max(secret.matchFrom(), secret.from()));
        hits.add(new Hit(secret.rule(), from, to, seen));
      }
    }
    return hits;
  }

  /// The number of credentials that an allow-list excused so far.
  long allowedCount() {
    return allowedCount;
  }
}
