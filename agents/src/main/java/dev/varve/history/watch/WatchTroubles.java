// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.watch;

import java.util.HashMap;
import java.util.Map;

/// The folders and stores that cannot be used, each reported once for each reason.
final class WatchTroubles {

  private static final class Entry {
    private int times;
    private String told = "";
  }

  private final WatchListener listener;
  private final Map<String, Entry> entries = new HashMap<>();

  WatchTroubles(WatchListener listener) {
    this.listener = listener;
  }

  /// Takes the state of something.
  ///
  /// @param subject that which is used
  /// @param why it cannot be used; empty if it can
  /// @param times how often in a row that must be so before it is reported: a database may be
  ///   locked, or a store open elsewhere, for a moment
  void at(String subject, String why, int times) {
    if (why.isEmpty()) {
      entries.remove(subject);
      return;
    }
    Entry entry = entries.computeIfAbsent(subject, _ -> new Entry());
    entry.times++;
    if (entry.times >= times && !entry.told.equals(why)) {
      entry.told = why;
      listener.trouble(why);
    }
  }
}
