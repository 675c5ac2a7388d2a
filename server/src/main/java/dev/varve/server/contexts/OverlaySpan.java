// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import java.util.TreeSet;

/// The overlays of a store that were heard of. Writers announce their overlays in any order, so
/// that a later one may be heard of first.
///
/// Safe for use by any number of threads.
final class OverlaySpan {

  /// The most overlays that are remembered before an earlier one is heard of.
  private static final int AHEAD_MAX = 10_000;

  private final TreeSet<Long> ahead = new TreeSet<>();
  private long last;

  /// @param known the overlays that the store has
  OverlaySpan(long known) {
    this.last = known;
  }

  /// Hears of an overlay.
  synchronized void add(long seq) {
    if (ahead.size() < AHEAD_MAX) {
      ahead.add(seq);
    }
    while (!ahead.isEmpty() && ahead.first() <= last + 1) {
      last = Math.max(last, ahead.removeFirst());
    }
  }

  /// The last overlay up to which all were heard of.
  synchronized long last() {
    return last;
  }
}
