// SPDX-License-Identifier: Apache-2.0
package dev.varve.erasure;

import dev.varve.ContextId;
import dev.varve.Overlay;
import dev.varve.StoreException;
import java.util.function.Consumer;

/// The turns, overlays and contexts at one moment of a store. What they name are ordinals of
/// [SurveyedBlobs]; -1 stands for a blob that is not there.
public interface SurveyedTurns {

  /// An overlay.
  ///
  /// @param target the ordinal of its turn; -1 if there is none
  /// @param targetId the number of its turn
  /// @param blob -1 for none
  record SurveyedOverlay(long seq, int target, long targetId, Overlay.Kind kind, int blob) {}

  /// The place of a context.
  ///
  /// @param head number of a turn, 0 for none
  /// @param base number of a turn, 0 for none
  record ContextPlace(ContextId context, long head, long base) {}

  /// A description that a context has, or had.
  record ContextAbout(ContextId context, int blob) {}

  int turnCount();

  /// The number of a turn.
  long turnId(int turn);

  /// The ordinal of the turn with a number; -1 if there is none.
  int turnOf(long id);

  /// The number of a turn's parent, 0 for none.
  long parentId(int turn);

  /// The context through which a turn was appended.
  ContextId contextOf(int turn);

  /// The payload with which a turn was appended.
  int payload(int turn);

  /// The root of the file tree with which a turn was appended; -1 for none.
  int fsRoot(int turn);

  /// Hands over the overlays in the order of their sequences.
  void eachOverlay(Consumer<SurveyedOverlay> visitor);

  /// Returns whether there is such a context.
  boolean hasContext(ContextId context);

  /// Hands over the place of each context.
  void eachPlace(Consumer<ContextPlace> visitor);

  /// Hands over the present and all former descriptions of contexts.
  void eachAbout(Consumer<ContextAbout> visitor);

  /// The ordinal of a turn that another turn or a context names.
  ///
  /// @throws StoreException.Corrupt if there is no such turn
  default int requireTurn(long id) {
    int turn = turnOf(id);
    if (turn < 0) {
      throw new StoreException.Corrupt("turns", 0, "turn " + id, "no record");
    }
    return turn;
  }
}
