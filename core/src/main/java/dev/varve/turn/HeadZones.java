// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/// The time of the last activity of contexts, by zones of [#CONTEXTS] consecutive numbers, so that
/// the contexts active last are found without a look at each.
///
/// In memory only: found by one look at every head when somebody first asks, and kept up to date
/// from then on. Takes 2 MiB from then on, whatever the store holds. Safe for any number of
/// threads.
final class HeadZones {

  /// The count of numbers in a zone.
  static final int CONTEXTS = 256;

  /// Numbers are given out far below this; should they get there, the last zone has all the rest.
  private static final int ZONES = (int) (HeadTable.CONTEXT_ID_MAX / CONTEXTS);

  /// Of a zone without contexts.
  static final long NONE = Long.MIN_VALUE;

  /// By zone; null until somebody asks. What is put while zones are found is not lost: it is either
  /// seen by the look at every head, or by then noted here.
  private volatile @Nullable AtomicLongArray latest;

  private boolean isFound; // guarded by this

  private static int zone(long contextId) {
    return (int) Math.min(contextId / CONTEXTS, ZONES - 1L);
  }

  /// To be called once readers can see the head.
  void note(long contextId, long activeAtUnixMs) {
    AtomicLongArray zones = latest;
    if (zones != null) {
      raise(zones, contextId, activeAtUnixMs);
    }
  }

  private static void raise(AtomicLongArray zones, long contextId, long activeAtUnixMs) {
    int zone = zone(contextId);
    if (zones.get(zone) < activeAtUnixMs) {
      zones.accumulateAndGet(zone, activeAtUnixMs, Math::max);
    }
  }

  /// Forgets everything.
  synchronized void clear() {
    latest = null;
    isFound = false;
  }

  /// The zones that have contexts, by their numbers.
  ///
  /// @param greatest the greatest number there is
  /// @param activity when a context was active last, [#NONE] if there is no such context
  List<HeadTable.Zone> all(LongSupplier greatest, LongUnaryOperator activity) {
    AtomicLongArray zones = found(greatest, activity);
    long maxId = greatest.getAsLong();
    List<HeadTable.Zone> all = new ArrayList<>();
    for (int zone = 0; zone <= zone(maxId); zone++) {
      long activeAt = zones.get(zone);
      if (activeAt != NONE) {
        long end = zone == ZONES - 1 ? maxId : Math.min(maxId, (zone + 1L) * CONTEXTS - 1);
        all.add(new HeadTable.Zone(Math.max(1, (long) zone * CONTEXTS), end, activeAt));
      }
    }
    return all;
  }

  private synchronized AtomicLongArray found(LongSupplier greatest, LongUnaryOperator activity) {
    AtomicLongArray zones = latest;
    if (zones == null) {
      zones = new AtomicLongArray(ZONES);
      for (int zone = 0; zone < ZONES; zone++) {
        zones.setPlain(zone, NONE);
      }
      latest = zones;
    }
    if (!isFound) {
      long maxId = greatest.getAsLong(); // what is greater is noted from now on
      for (long id = 1; id <= maxId; id++) {
        long activeAt = activity.applyAsLong(id);
        if (activeAt != NONE) {
          raise(zones, id, activeAt);
        }
      }
      isFound = true; // not if a head is damaged: then whoever asks is told, each time
    }
    return zones;
  }
}
