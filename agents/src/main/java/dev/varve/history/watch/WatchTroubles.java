// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.watch;

import java.util.HashMap;
import java.util.Map;

/// The folders and stores that cannot be used, each reported once for each reason.
final class WatchTroubles {

  private static final class Entry {
    private int times;
    private String reported = "";
  }

  private final WatchListener listener;
  private final Map<String, Entry> entries = new HashMap<>();

  WatchTroubles(WatchListener listener) {
    this.listener = listener;
  }

  /// Takes the state of something.
  ///
  /// @param subject the folder or store
  /// @param why the reason why the subject cannot be used; empty if it can be used
  /// @param times the number of failures in a row before the trouble is reported: a database may be
  ///   locked, or a store open elsewhere, for a moment
  void at(String subject, String why, int times) {
    if (why.isEmpty()) {
      entries.remove(subject);
      return;
    }
    Entry entry = entries.computeIfAbsent(subject, _ -> new Entry());
    entry.times++;
    if (entry.times >= times && !entry.reported.equals(why)) {
      entry.reported = why;
      listener.trouble(why);
    }
  }
}
