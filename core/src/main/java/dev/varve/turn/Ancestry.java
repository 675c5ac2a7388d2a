// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

/// Walks along parents in O(log depth), by one extra pointer a turn.
///
/// Each turn keeps a *jump*: an ancestor chosen so that from any turn the ancestor at any depth is reached in
/// O(log depth) steps, and turns of equal depth jump to equal depths (E. W. Myers, *An applicative random-access stack*,
/// Information Processing Letters 17, 1983). A root jumps to itself.
public final class Ancestry {

  /// Where a turn leads.
  public record Link(long turnId, long parentTurnId, int depth, long jumpTurnId) {}

  /// Finds links by number; refuses unknown numbers.
  @FunctionalInterface
  public interface Links {
    Link link(long turnId);
  }

  private final Links links;

  public Ancestry(Links links) {
    this.links = links;
  }

  /// The jump of a new turn that follows `parent`.
  public long jumpOfChild(Link parent) {
    Link jump = parent.jumpTurnId() == parent.turnId() ? parent : links.link(parent.jumpTurnId());
    Link beyond = jump.jumpTurnId() == jump.turnId() ? jump : links.link(jump.jumpTurnId());
    boolean equalLeaps = parent.depth() - jump.depth() == jump.depth() - beyond.depth();
    return equalLeaps ? beyond.turnId() : parent.turnId();
  }

  /// The ancestor of `turnId` at `depth`, which is at most the turn's own.
  public long ancestor(long turnId, int depth) {
    Link at = links.link(turnId);
    while (at.depth() > depth) {
      Link jump = links.link(at.jumpTurnId());
      at = jump.depth() >= depth ? jump : links.link(at.parentTurnId());
    }
    return at.turnId();
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
      boolean leap = x.jumpTurnId() != y.jumpTurnId();
      long nextX = leap ? x.jumpTurnId() : x.parentTurnId();
      long nextY = leap ? y.jumpTurnId() : y.parentTurnId();
      x = links.link(nextX);
      y = links.link(nextY);
    }
    return x.turnId();
  }
}
