// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import java.util.ArrayList;
import java.util.List;

/// Parts of a text, in the order of the text. Parts that touch are joined.
final class TextWindows {

  interface Taker {
    void take(int from, int to);
  }

  private final List<int[]> stretches = new ArrayList<>();

  static TextWindows all(int length) {
    TextWindows windows = new TextWindows();
    windows.add(0, length);
    return windows;
  }

  /// Adds a part that ends no earlier than the parts before.
  void add(int from, int to) {
    int[] last = stretches.isEmpty() ? null : stretches.getLast();
    if (last != null && from <= last[1]) {
      last[1] = Math.max(last[1], to);
    } else {
      stretches.add(new int[] {from, to});
    }
  }

  /// Hands out the parts, cut to a text of this length.
  void each(int length, Taker taker) {
    for (int[] stretch : stretches) {
      taker.take(Math.max(0, stretch[0]), Math.min(length, stretch[1]));
    }
  }
}
