// SPDX-License-Identifier: Apache-2.0
package dev.varve.erasure;

import dev.varve.ErasePlan;
import dev.varve.ErasePlan.StayingBlob;
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

  private final SurveyedBlobs blobs;
  private final BitSet wanted;
  private final BitSet doomed;
  private final BitSet needed = new BitSet();
  private final Deque<Integer> toFollow = new ArrayDeque<>();
  private final List<StayingBlob> reasons = new ArrayList<>();

  NeededBlobs(SurveyedBlobs blobs, BitSet wanted, BitSet doomed) {
    this.blobs = blobs;
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
  void need(int ordinal, String who) {
    if (ordinal >= 0 && wanted.get(ordinal) && !doomed.get(ordinal) && !needed.get(ordinal)) {
      needed.set(ordinal);
      toFollow.add(ordinal);
      if (reasons.size() < ErasePlan.LISTED_MAX) {
        reasons.add(new StayingBlob(blobs.blob(ordinal).hash(), who));
      }
    }
  }

  /// Reads the blobs that stay, and notes what they name; and what that names, and so on.
  void follow(BitSet live, LongConsumer reached) {
    NameSet names = new NameSet();
    wanted.stream()
        .filter(ordinal -> !needed.get(ordinal) && !doomed.get(ordinal))
        .forEach(ordinal -> names.add(blobs.blob(ordinal).hash()));
    if (names.isEmpty()) {
      return;
    }
    BitSet staying = (BitSet) live.clone();
    staying.andNot(wanted);
    staying.andNot(doomed);
    blobs.contents(
        staying,
        (ordinal, content) -> {
          scan(ordinal, content, names);
          reached.accept(blobs.blob(ordinal).offset());
        });
    SeamNames across = new SeamNames(blobs, names);
    staying.stream().forEach(ordinal -> scanSeams(ordinal, across));
    for (Integer next = toFollow.poll(); next != null; next = toFollow.poll()) {
      scan(next, blobs.content(next), names);
      scanSeams(next, across);
    }
  }

  private void scan(int ordinal, byte[] content, NameSet names) {
    NameScan.scan(
        content, names, hash -> need(blobs.ordinal(hash), "blob " + blobs.blob(ordinal).hash()));
  }

  private void scanSeams(int ordinal, SeamNames across) {
    if (blobs.blob(ordinal).chunked()) {
      across.find(ordinal, hash -> need(blobs.ordinal(hash), "blob " + blobs.blob(ordinal).hash()));
    }
  }
}
