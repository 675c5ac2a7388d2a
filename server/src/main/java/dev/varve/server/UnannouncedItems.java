// SPDX-License-Identifier: Apache-2.0
package dev.varve.server;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Numbered things that are taken up at the second look at them, unless somebody announced them
/// before. Safe for use by any number of threads.
///
/// @param <T> the things
final class UnannouncedItems<T> {

  /// The most numbers that are remembered as announced.
  private static final int ANNOUNCED_MAX = 20_000;

  // ---- guarded by this
  private final Set<Long> announced =
      Collections.newSetFromMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
              return size() > ANNOUNCED_MAX;
            }
          });
  private SortedMap<Long, T> waiting = new TreeMap<>();

  /// Remembers a number as announced.
  synchronized void announced(long number) {
    announced.add(number);
  }

  /// Takes back that a number was announced: the next looks take the thing up again.
  synchronized void forget(long number) {
    announced.remove(number);
  }

  /// Returns whether things wait for their second look.
  synchronized boolean isWaiting() {
    return !waiting.isEmpty();
  }

  /// Takes a look.
  ///
  /// @param visible the things that are there, by their numbers
  /// @return the things of the look before that nobody announced, in the order of their numbers;
  ///   they count as announced from now on
  synchronized List<T> look(SortedMap<Long, T> visible) {
    List<T> due = new ArrayList<>();
    waiting.forEach(
        (number, thing) -> {
          if (announced.add(number)) {
            due.add(thing);
          }
        });
    waiting = new TreeMap<>(visible);
    waiting.keySet().removeAll(announced);
    return due;
  }
}
