// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.watch;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// The memory of a watch: the stamps with which each session was archived, and the sessions that
/// are to be tried again. Keeps a watch from opening the store for sessions that did not change.
final class SessionMemory {

  /// A session on this computer.
  record Place(WatchedHome home, String key) {}

  private static final long NEVER = Long.MAX_VALUE;

  private static final class Entry {
    private String stamps = "";
    private long againNanos = NEVER;
    private boolean confirming;
    private long compareNanos = NEVER;
    private int failures;
    private String reported = "";
  }

  private final WatchPace pace;
  private final Map<Place, Entry> entries = new HashMap<>();

  SessionMemory(WatchPace pace) {
    this.pace = pace;
  }

  /// Decides whether a session is to be imported.
  ///
  /// @param stamps the stamps of its files as they are now
  /// @param now of [System#nanoTime]
  boolean isDue(Place place, String stamps, long now) {
    Entry entry = entries.get(place);
    return entry == null || !entry.stamps.equals(stamps) || isOver(entry, now);
  }

  private static boolean isOver(Entry entry, long now) {
    return entry.againNanos != NEVER && now - entry.againNanos >= 0;
  }

  /// Remembers an import.
  ///
  /// @param stamps as they were before the import
  /// @param settled whether a later change would surely have other stamps; if not, the session is
  ///   due once more
  /// @param grown whether a part of the session may be all that was read; the session is then due
  ///   once more when all of it is read
  void archived(Place place, String stamps, boolean settled, boolean grown, long now) {
    Entry entry = entries.computeIfAbsent(place, _ -> new Entry());
    // stamps from the future never settle, so once more is enough
    boolean again = !settled && !(entry.confirming && entry.stamps.equals(stamps));
    entry.stamps = stamps;
    entry.confirming = again;
    if (grown) {
      entry.compareNanos = now + pace.compare().toNanos();
    } else if (entry.compareNanos != NEVER && now - entry.compareNanos >= 0) {
      entry.compareNanos = NEVER;
    }
    entry.againNanos = again ? now + pace.settle().toNanos() : entry.compareNanos;
    entry.failures = 0;
    entry.reported = "";
  }

  /// Remembers an import that failed. What fails once may be a file that is just being written.
  ///
  /// @return whether this is to be reported
  boolean failed(Place place, String stamps, String why, long now) {
    Entry entry = entries.computeIfAbsent(place, _ -> new Entry());
    boolean repeated = entry.failures > 0;
    entry.stamps = stamps;
    entry.confirming = false;
    entry.failures++;
    entry.againNanos = now + pace.retryNanos(entry.failures);
    boolean report = repeated && !entry.reported.equals(why);
    if (report) {
      entry.reported = why;
    }
    return report;
  }

  /// Puts an import off that the store did not take.
  ///
  /// @param failed whether it may be the session's fault
  void putOff(Place place, String stamps, long untilNanos, boolean failed) {
    Entry entry = entries.computeIfAbsent(place, _ -> new Entry());
    entry.stamps = stamps;
    entry.failures += failed ? 1 : 0;
    entry.confirming = false;
    entry.againNanos = untilNanos;
  }

  /// The failed tries since the session was archived.
  int failures(Place place) {
    Entry entry = entries.get(place);
    return entry == null ? 0 : entry.failures;
  }

  /// The homes of sessions whose time to be tried again has come.
  Set<WatchedHome> homesDue(long now) {
    Set<WatchedHome> homes = new HashSet<>();
    entries.forEach(
        (place, entry) -> {
          if (isOver(entry, now)) {
            homes.add(place.home());
          }
        });
    return homes;
  }

  /// The nanoseconds until a session is to be tried again; a long time if none is.
  long untilDue(long now) {
    long least = NEVER;
    for (Entry entry : entries.values()) {
      if (entry.againNanos != NEVER) {
        least = Math.min(least, Math.max(0, entry.againNanos - now));
      }
    }
    return least;
  }

  /// Forgets the sessions of a home that are no longer there.
  void keepOnly(WatchedHome home, Set<String> keys) {
    entries.keySet().removeIf(place -> place.home().equals(home) && !keys.contains(place.key()));
  }
}
