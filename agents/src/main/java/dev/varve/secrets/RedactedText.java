// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Replaces credentials in a string until no rule finds one and no known credential is left.
final class RedactedText {

  /// The number of rounds. A rule may find a credential only after another was replaced.
  private static final int ROUNDS_MAX = 8;

  private final StringScan leaves;
  private final KnownSecrets known;

  RedactedText(StringScan leaves, KnownSecrets known) {
    this.leaves = leaves;
    this.known = known;
  }

  /// @return `text` itself if there is nothing to replace
  String of(String text, @Nullable String owner, String place) {
    String redacted = text;
    for (int round = 0; round < ROUNDS_MAX; round++) {
      String next = once(redacted, owner, place);
      if (next.equals(redacted)) {
        break;
      }
      redacted = next;
    }
    return redacted;
  }

  private record Cut(int to, String mark) {}

  private String once(String text, @Nullable String owner, String place) {
    TreeMap<Integer, Cut> cuts = new TreeMap<>();
    for (StringScan.Hit hit : leaves.find(text, owner, place)) {
      String mark = known.mark(text.substring(hit.from(), hit.to()), hit.rule());
      cuts.merge(hit.from(), new Cut(hit.to(), mark), RedactedText::longer);
    }
    for (KnownSecrets.Place met : known.find(text)) {
      cuts.merge(met.from(), new Cut(met.to(), met.mark()), RedactedText::longer);
    }
    if (cuts.isEmpty()) {
      return text;
    }
    StringBuilder redacted = new StringBuilder();
    int done = 0;
    for (Map.Entry<Integer, Cut> cut : cuts.entrySet()) {
      int from = cut.getKey();
      int to = cut.getValue().to();
      if (from >= done) {
        redacted.append(text, done, from).append(cut.getValue().mark());
      }
      done = Math.max(done, to);
    }
    return redacted.append(text, done, text.length()).toString();
  }

  private static Cut longer(Cut one, Cut other) {
    return one.to() >= other.to() ? one : other;
  }
}
