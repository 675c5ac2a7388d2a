// SPDX-License-Identifier: Apache-2.0
package dev.varve.access;

import java.time.Duration;
import java.util.function.Consumer;

/// Bounds on the time for which a program waits for a store that other programs have open.
///
/// @param each how long for each of the others: many that start together all have their turn
/// @param all how long altogether
/// @param waiting hears for whom this program waits, again and again while it does; one line
public record WaitingRules(Duration each, Duration all, Consumer<String> waiting) {

  /// One minute for each of the others, ten minutes altogether.
  public static final WaitingRules DEFAULTS =
      new WaitingRules(Duration.ofMinutes(1), Duration.ofMinutes(10), _ -> {});

  /// No waiting.
  public static final WaitingRules NONE = new WaitingRules(Duration.ZERO, Duration.ZERO, _ -> {});

  public WaitingRules withEach(Duration value) {
    return new WaitingRules(value, value.compareTo(all) > 0 ? value : all, waiting);
  }

  public WaitingRules withListener(Consumer<String> value) {
    return new WaitingRules(each, all, value);
  }
}
