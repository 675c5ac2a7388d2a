// SPDX-License-Identifier: Apache-2.0
package dev.varve.erasure;

import dev.varve.ContextHold;
import dev.varve.ErasePlan.StayingBlob;
import dev.varve.StoreException;
import dev.varve.erase.NameScan;
import dev.varve.erase.NameSet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

/// The blobs that contexts under a hold need, whatever else needs the blobs: those that turns of
/// the contexts and the contexts themselves name, those whose names are in these blobs, and so on.
///
/// Takes some 24 to 48 bytes of memory for each blob of the store, and reads the blobs that it
/// finds.
final class HeldBlobs {

  private final SurveyedBlobs blobs;
  private final BitSet held = new BitSet();
  private final NameSet names = new NameSet();
  private final Deque<Integer> toFollow = new ArrayDeque<>();
  private final SeamNames across;

  HeldBlobs(SurveyedBlobs blobs, BitSet live) {
    this.blobs = blobs;
    live.stream().forEach(ordinal -> names.add(blobs.blob(ordinal).hash()));
    this.across = new SeamNames(blobs, names);
  }

  /// Takes note of a blob that a held context names.
  void hold(int ordinal) {
    if (ordinal >= 0 && !held.get(ordinal)) {
      held.set(ordinal);
      toFollow.add(ordinal);
    }
  }

  /// Reads the held blobs, and holds what they name.
  void follow() {
    for (Integer next = toFollow.poll(); next != null; next = toFollow.poll()) {
      NameScan.scan(blobs.content(next), names, hash -> hold(blobs.ordinal(hash)));
      if (blobs.blob(next).chunked()) {
        across.find(next, hash -> hold(blobs.ordinal(hash)));
      }
    }
  }

  /// Takes the held blobs out of those that go.
  ///
  /// @param holds the holds that they are held by
  /// @param leaves whether they may be left; otherwise the erasure is refused
  /// @return the blobs that were taken out, and why
  /// @throws StoreException.Conflict if held blobs would go and may not be left
  List<StayingBlob> takeOut(BitSet going, List<ContextHold> holds, boolean leaves) {
    BitSet both = (BitSet) held.clone();
    both.and(going);
    if (both.isEmpty()) {
      return List.of();
    }
    String who = words(holds);
    if (!leaves) {
      throw new StoreException.Conflict(
          "blob " + blobs.blob(both.nextSetBit(0)).hash(), "no hold that needs the blob", who);
    }
    going.andNot(both);
    List<StayingBlob> staying = new ArrayList<>();
    both.stream().forEach(ordinal -> staying.add(new StayingBlob(blobs.blob(ordinal).hash(), who)));
    return staying;
  }

  private static String words(List<ContextHold> holds) {
    return holds.size() == 1 ? holds.getFirst().words() : "one of " + holds.size() + " holds";
  }
}
