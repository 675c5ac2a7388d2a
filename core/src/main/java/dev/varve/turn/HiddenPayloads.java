// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import dev.varve.BlobHash;
import dev.varve.Overlay;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// The payloads of turns that the newest view does not show: those that a patch replaced, and all
/// of a turn with a tombstone behind its last patch. Some 100 bytes of memory for each turn with an
/// overlay.
public final class HiddenPayloads {

  /// No payload is taken for hidden.
  public static final HiddenPayloads NONE = new HiddenPayloads();

  private final Map<Long, Long> newestPatches = new HashMap<>();
  private final Set<Long> deleted = new HashSet<>();

  private HiddenPayloads() {}

  /// The hidden payloads of a store, of which the first `count` overlays are read.
  public static HiddenPayloads of(OverlayLog overlays, long count) {
    HiddenPayloads hidden = new HiddenPayloads();
    for (long seq = 1; seq <= count; seq++) {
      OverlayRecord overlay = overlays.record(seq);
      if (overlay.kind() == Overlay.Kind.PATCH) {
        hidden.newestPatches.put(overlay.targetTurnId(), seq);
        hidden.deleted.remove(overlay.targetTurnId()); // a later patch revives the turn
      } else if (overlay.kind() == Overlay.Kind.TOMBSTONE) {
        hidden.deleted.add(overlay.targetTurnId());
      }
    }
    return hidden;
  }

  /// Returns whether the payload with which a turn was appended is hidden.
  public boolean hidesWritten(long turnId) {
    return deleted.contains(turnId) || newestPatches.containsKey(turnId);
  }

  /// Returns whether the payload of a patch is hidden.
  public boolean hides(OverlayRecord overlay) {
    return overlay.kind() == Overlay.Kind.PATCH
        && (deleted.contains(overlay.targetTurnId())
            || overlay.seq() < newestPatches.getOrDefault(overlay.targetTurnId(), 0L));
  }

  /// Hands over the hidden payloads, some of them more than once.
  public void each(TurnLog turns, OverlayLog overlays, long count, Consumer<BlobHash> each) {
    for (long seq = 1; seq <= count; seq++) {
      OverlayRecord overlay = overlays.record(seq);
      long target = turns.ordinal(overlay.targetTurnId());
      if (target >= 0 && hidesWritten(overlay.targetTurnId())) {
        each.accept(turns.record(target).payloadHash());
      }
      if (hides(overlay)) {
        each.accept(overlay.newPayloadHash());
      }
    }
  }
}
