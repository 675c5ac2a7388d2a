// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.BlobHash;
import dev.varve.ErasePlan;
import dev.varve.ErasePlan.StayingBlob;
import dev.varve.blob.PackSurvey;
import dev.varve.blob.PackSurvey.Entry;
import dev.varve.erase.NameScan;
import dev.varve.erase.NameSet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.function.LongConsumer;

/// The wanted blobs of an erasure that stay because something needs them: a turn, a context, or a
/// blob that stays and has their name in it. The store does not know what the blobs of importers
/// and other programs mean; a name in a blob is taken for a need, wherever it stands.
final class NeededBlobs {

  private final PackSurvey pack;
  private final BitSet wanted;
  private final BitSet doomed;
  private final BitSet needed = new BitSet();
  private final Deque<Integer> toFollow = new ArrayDeque<>();
  private final List<StayingBlob> reasons = new ArrayList<>();

  NeededBlobs(PackSurvey pack, BitSet wanted, BitSet doomed) {
    this.pack = pack;
    this.wanted = wanted;
    this.doomed = doomed;
  }

  BitSet ordinals() {
    return needed;
  }

  /// The first blobs that stay, and why.
  List<StayingBlob> reasons() {
    return reasons;
  }

  int count() {
    return needed.cardinality();
  }

  /// Takes note of what needs a blob.
  void need(BlobHash hash, String who) {
    int ordinal = pack.ordinal(hash);
    if (ordinal >= 0 && wanted.get(ordinal) && !doomed.get(ordinal) && !needed.get(ordinal)) {
      needed.set(ordinal);
      toFollow.add(ordinal);
      if (reasons.size() < ErasePlan.LISTED_MAX) {
        reasons.add(new StayingBlob(hash, who));
      }
    }
  }

  /// Reads the blobs that stay, and notes what they name; and what that names, and so on.
  void follow(BitSet live, LongConsumer reached) {
    NameSet names = new NameSet();
    wanted.stream()
        .filter(ordinal -> !needed.get(ordinal) && !doomed.get(ordinal))
        .forEach(ordinal -> names.add(pack.entry(ordinal).hash()));
    if (names.isEmpty()) {
      return;
    }
    for (int at = live.nextSetBit(0); at >= 0; at = live.nextSetBit(at + 1)) {
      if (!wanted.get(at) && !doomed.get(at)) {
        Entry entry = pack.entry(at);
        scan(entry, names);
        reached.accept(entry.offset());
      }
    }
    for (Integer next = toFollow.poll(); next != null; next = toFollow.poll()) {
      scan(pack.entry(next), names);
    }
  }

  private void scan(Entry entry, NameSet names) {
    NameScan.scan(pack.content(entry), names, hash -> need(hash, "blob " + entry.hash()));
  }
}
