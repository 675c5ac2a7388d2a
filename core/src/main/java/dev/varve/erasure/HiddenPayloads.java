// SPDX-License-Identifier: Apache-2.0
package dev.varve.erasure;

import dev.varve.Overlay;
import dev.varve.erasure.SurveyedTurns.SurveyedOverlay;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;

/// The payloads of turns that the newest view does not show: those that a patch replaced, and all
/// of a turn with a tombstone behind its last patch. Some 100 bytes of memory for each turn with an
/// overlay.
final class HiddenPayloads {

  /// No payload is taken for hidden.
  static final HiddenPayloads NONE = new HiddenPayloads();

  private final Map<Long, Long> newestPatches = new HashMap<>();
  private final Set<Long> deleted = new HashSet<>();

  private HiddenPayloads() {}

  /// The hidden payloads of a store.
  static HiddenPayloads of(SurveyedTurns turns) {
    HiddenPayloads hidden = new HiddenPayloads();
    turns.eachOverlay(
        overlay -> {
          if (overlay.kind() == Overlay.Kind.PATCH) {
            hidden.newestPatches.put(overlay.targetId(), overlay.seq());
            hidden.deleted.remove(overlay.targetId()); // a later patch revives the turn
          } else if (overlay.kind() == Overlay.Kind.TOMBSTONE) {
            hidden.deleted.add(overlay.targetId());
          }
        });
    return hidden;
  }

  /// Returns whether the payload with which a turn was appended is hidden.
  boolean hidesWritten(long turnId) {
    return deleted.contains(turnId) || newestPatches.containsKey(turnId);
  }

  /// Returns whether the payload of a patch is hidden.
  boolean hides(SurveyedOverlay overlay) {
    return overlay.kind() == Overlay.Kind.PATCH
        && (deleted.contains(overlay.targetId())
            || overlay.seq() < newestPatches.getOrDefault(overlay.targetId(), 0L));
  }

  /// Hands over the hidden payloads, some of them more than once.
  void each(SurveyedTurns turns, IntConsumer each) {
    turns.eachOverlay(
        overlay -> {
          if (overlay.target() >= 0 && hidesWritten(overlay.targetId())) {
            each.accept(turns.payload(overlay.target()));
          }
          if (hides(overlay)) {
            each.accept(overlay.blob());
          }
        });
  }
}
