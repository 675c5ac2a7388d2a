// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import java.util.ArrayList;
import java.util.List;

/// Stretches of a text, in its order, of which those that touch are one.
final class Windows {

  interface Taker {
    void take(int from, int to);
  }

  private final List<int[]> stretches = new ArrayList<>();

  static Windows all(int length) {
    Windows windows = new Windows();
    windows.add(0, length);
    return windows;
  }

  /// Adds a stretch that ends no earlier than those before.
  void add(int from, int to) {
    int[] last = stretches.isEmpty() ? null : stretches.getLast();
    if (last != null && from <= last[1]) {
      last[1] = Math.max(last[1], to);
    } else {
      stretches.add(new int[] {from, to});
    }
  }

  /// Hands out the stretches as far as they lie in a text of this length.
  void each(int length, Taker taker) {
    for (int[] stretch : stretches) {
      taker.take(Math.max(0, stretch[0]), Math.min(length, stretch[1]));
    }
  }
}
