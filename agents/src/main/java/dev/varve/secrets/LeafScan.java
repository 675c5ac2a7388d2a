// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds the credentials in one string: in what it says, and in what it says under its name.
///
/// In JSON the name of a value stands in a string of its own; most rules need to see both.
final class LeafScan {

  /// Values longer than this speak for themselves.
  private static final int NAMED_MAX = 4096;

  /// What stands between a name and its value, as in JSON.
  private static final String BETWEEN = "\": \"";

  private final RuleSet rules;
  private final AllowList allowed;
  private long allowedCount;

  LeafScan(RuleSet rules, AllowList allowed) {
    this.rules = rules;
    this.allowed = allowed;
  }

  /// One that was found.
  ///
  /// @param from where it begins in the string
  /// @param seen what the rule needed to see in front of it
  record Hit(String rule, int from, int to, String seen) {}

  /// @param place what an allow-list knows it by, without the rule
  List<Hit> find(String text, @Nullable String owner, String place) {
    String name = owner == null || text.length() > NAMED_MAX ? "" : "\"" + owner + BETWEEN;
    String context = name.isEmpty() ? text : name + text + "\"";
    int shift = name.length();
    List<Hit> hits = new ArrayList<>();
    for (Secret secret : rules.find(context)) {
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

  /// How many an allow-list excused so far.
  long allowedCount() {
    return allowedCount;
  }
}
