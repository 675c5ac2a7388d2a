// SPDX-License-Identifier: Apache-2.0
package dev.varve.index;

import java.util.function.LongPredicate;

/// Asks a predicate of every value that it sees, and keeps the greatest that it accepts. It accepts
/// none itself, so that a search goes on to the end.
final class GreatestMatch implements LongPredicate {

  private final LongPredicate confirm;
  private long value = TablePages.NONE;

  GreatestMatch(LongPredicate confirm) {
    this.confirm = confirm;
  }

  @Override
  public boolean test(long candidate) {
    if (candidate > value && confirm.test(candidate)) {
      value = candidate;
    }
    return false;
  }

  /// [TablePages#NONE] if there was none.
  long value() {
    return value;
  }
}
