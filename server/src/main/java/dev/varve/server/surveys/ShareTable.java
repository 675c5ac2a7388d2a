// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.surveys;

import dev.varve.server.surveys.SpaceShares.Share;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Sums by name. Names beyond [#NAMES_MAX] share one row, so that the memory is bounded whatever
/// names writers give.
final class ShareTable {

  static final int NAMES_MAX = 1_000;

  /// The row of the names that came too late.
  static final String OTHERS = "(others)";

  private final Map<String, Row> rows = new HashMap<>();

  /// Sums of one name.
  static final class Row {
    private long contexts;
    private long turns;
    private long contentBytes;
    private long keptBytes;

    void context() {
      contexts++;
    }

    void turn() {
      turns++;
    }

    void content(long bytes, long kept) {
      contentBytes = saturated(contentBytes, bytes);
      keptBytes = saturated(keptBytes, kept);
    }
  }

  /// A sum that ends at the greatest number: a few folders that name each other often describe more
  /// bytes than a number holds.
  static long saturated(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  Row row(String name) {
    Row known = rows.get(name);
    if (known != null) {
      return known;
    }
    String fits = rows.size() < NAMES_MAX ? name : OTHERS;
    return rows.computeIfAbsent(fits, _ -> new Row());
  }

  /// The rows, the one that keeps most first.
  List<Share> shares() {
    return rows.entrySet().stream()
        .map(entry -> share(entry.getKey(), entry.getValue()))
        .sorted(
            Comparator.comparingLong(Share::keptBytes)
                .thenComparingLong(Share::contentBytes)
                .reversed()
                .thenComparing(Share::name))
        .toList();
  }

  static Share share(String name, Row row) {
    return new Share(name, row.contexts, row.turns, row.contentBytes, row.keptBytes);
  }
}
