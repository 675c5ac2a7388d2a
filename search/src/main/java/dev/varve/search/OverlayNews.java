// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import dev.varve.Overlay;
import dev.varve.TurnId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/// The turns that were patched, deleted or restored while somebody listened to the store. The store
/// alone counts overlays and does not list them, so that without this news the headers of all turns
/// are read to find a single one.
///
/// Safe for use by any number of threads.
public final class OverlayNews {

  /// The most overlays that are remembered; of others the turns are looked for.
  private static final int REMEMBERED_MAX = 100_000;

  private final ConcurrentNavigableMap<Long, TurnId> turns = new ConcurrentSkipListMap<>();

  /// Remembers an overlay.
  ///
  /// @param seq the overlay's sequence
  public void add(long seq, TurnId turn, Overlay.Kind kind) {
    turns.put(seq, kind == Overlay.Kind.FS_ROOT ? TurnId.NONE : turn);
    if (turns.size() > REMEMBERED_MAX) {
      turns.pollFirstEntry();
    }
  }

  /// The turns of the overlays behind one and up to another, as far as each is known; [TurnId#NONE]
  /// for each file tree, which has no words.
  List<TurnId> between(long after, long last) {
    List<TurnId> found = new ArrayList<>();
    for (long seq = after + 1; seq <= last; seq++) {
      TurnId turn = turns.get(seq);
      if (turn == null) {
        break;
      }
      found.add(turn);
    }
    return found;
  }

  /// Forgets the overlays up to one.
  void forget(long last) {
    turns.headMap(last, true).clear();
  }
}
