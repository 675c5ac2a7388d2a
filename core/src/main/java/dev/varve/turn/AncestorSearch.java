// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import dev.varve.StoreException;
import org.jspecify.annotations.Nullable;

/// Walks along parents in O(log depth), by one extra pointer a turn.
///
/// Each turn keeps a *jump*: an ancestor chosen so that from any turn the ancestor at any depth is
/// reached in O(log depth) steps, and turns of equal depth jump to equal depths (E. W. Myers, *An
/// applicative random-access stack*, Information Processing Letters 17, 1983). A root jumps to
/// itself.
public final class AncestorSearch {

  /// Where a turn leads.
  public record Link(long turnId, long parentTurnId, int depth, long jumpTurnId) {}

  /// Finds links by number; refuses unknown numbers.
  @FunctionalInterface
  public interface Links {
    Link link(long turnId);
  }

  private final Links links;

  public AncestorSearch(Links links) {
    this.links = links;
  }

  /// The jump of a new turn that follows `parent`. Where a damaged turn keeps it from being found,
  /// the parent will do: walks get longer, not wrong.
  public long jumpOfChild(Link parent) {
    Link jump = parent.jumpTurnId() == parent.turnId() ? parent : tryLink(parent.jumpTurnId());
    if (jump == null) {
      return parent.turnId();
    }
    Link beyond = jump.jumpTurnId() == jump.turnId() ? jump : tryLink(jump.jumpTurnId());
    if (beyond == null) {
      return parent.turnId();
    }
    boolean equalLeaps = parent.depth() - jump.depth() == jump.depth() - beyond.depth();
    return equalLeaps ? beyond.turnId() : parent.turnId();
  }

  private @Nullable Link tryLink(long turnId) {
    try {
      return links.link(turnId);
    } catch (StoreException.Corrupt e) {
      return null;
    }
  }

  /// The ancestor of `turnId` at `depth`, which is at most the turn's own.
  public long ancestor(long turnId, int depth) {
    Link at = links.link(turnId);
    while (at.depth() > depth) {
      // Most jumps that lead too far are not even looked at: each look is a read of two records.
      Link jump = jumpDepth(at.depth()) >= depth ? tryLink(at.jumpTurnId()) : null;
      at = jump != null && jump.depth() >= depth ? jump : links.link(at.parentTurnId());
    }
    return at.turnId();
  }

  /// The depth to which the jump of a turn at `depth` leads, unless damage was in the way when it
  /// was chosen: what is left of `depth` without the smallest digit of its skew-binary form, whose
  /// digits stand for 1, 3, 7, 15 and so on.
  static int jumpDepth(int depth) {
    int left = depth;
    int digit = 0;
    while (left > 0) {
      digit = Integer.highestOneBit(left + 1) - 1;
      left -= digit;
    }
    return depth - digit;
  }

  /// The deepest turn that is an ancestor of both or one of them, or 0 if their roots differ.
  public long common(long a, long b) {
    Link x = links.link(a);
    Link y = links.link(b);
    if (x.depth() > y.depth()) {
      x = links.link(ancestor(x.turnId(), y.depth()));
    } else if (y.depth() > x.depth()) {
      y = links.link(ancestor(y.turnId(), x.depth()));
    }
    while (x.turnId() != y.turnId()) {
      if (x.depth() == 0) {
        return 0;
      }
      Link jumpX = x.jumpTurnId() == y.jumpTurnId() ? null : tryLink(x.jumpTurnId());
      Link jumpY = jumpX == null ? null : tryLink(y.jumpTurnId());
      // Of equal depth unless damage was in the way when one of them was chosen.
      if (jumpX != null && jumpY != null && jumpX.depth() == jumpY.depth()) {
        x = jumpX;
        y = jumpY;
      } else {
        x = links.link(x.parentTurnId());
        y = links.link(y.parentTurnId());
      }
    }
    return x.turnId();
  }
}
