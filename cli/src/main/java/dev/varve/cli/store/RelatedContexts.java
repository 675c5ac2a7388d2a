// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.ContextHead;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.SafeText;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.Terminal;
import dev.varve.cli.terminal.TurnGraph;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;

/// A context and the contexts that share turns with it, newest turn first.
///
/// @param truncated whether there were more contexts than were looked at
public record RelatedContexts(List<ContextHead> members, boolean truncated) {

  /// The most contexts that are looked at for relatives.
  private static final int CONTEXTS_MAX = 10_000;

  public static RelatedContexts of(ContextHead one, Store store) {
    List<ContextHead> members = new ArrayList<>(List.of(one));
    int seen = 0;
    for (ContextHead other : new AllContexts(store, CONTEXTS_MAX)) {
      if (seen++ == CONTEXTS_MAX) {
        return new RelatedContexts(members, true);
      }
      if (!other.id().equals(one.id()) && areRelated(one, other, store)) {
        members.add(other);
      }
    }
    return new RelatedContexts(members, false);
  }

  private static boolean areRelated(ContextHead one, ContextHead other, Store store) {
    try {
      return !other.head().isNone()
          && store.findCommonAncestor(one.head(), other.head()).isPresent();
    } catch (StoreException.Corrupt e) {
      return false; // a damaged turn on the way to another context must not hide this one
    }
  }

  /// Draws the newest `limit` turns.
  public void draw(Store store, int limit, Terminal terminal) {
    TurnGraph graph = new TurnGraph(terminal.drawsLines());
    // A turn's number is greater than its parent's, so the greatest unseen number never has an
    // unseen child.
    PriorityQueue<TurnId> next = new PriorityQueue<>(Comparator.reverseOrder());
    Set<TurnId> queued = new HashSet<>();
    for (ContextHead member : members) {
      if (queued.add(member.head())) {
        next.add(member.head());
      }
    }
    for (int shown = 0; !next.isEmpty() && shown < limit; shown++) {
      Turn turn = store.turn(next.remove(), View.HEADERS);
      if (!turn.parent().isNone() && queued.add(turn.parent())) {
        next.add(turn.parent());
      }
      TurnGraph.Row row = graph.row(turn.id(), turn.parent());
      row.joined()
          .ifPresent(
              joined -> terminal.println(new StyledLine().add(StyledLine.Style.FAINT, joined)));
      terminal.println(line(row.drawn(), turn, store, terminal));
    }
    if (!next.isEmpty() && terminal.errIsTerminal()) {
      terminal.say("There are older turns: -n shows more.");
    }
    if (truncated) {
      terminal.say("Forks among the " + HumanText.count(CONTEXTS_MAX, "context") + " active last.");
    }
  }

  private StyledLine line(String drawn, Turn turn, Store store, Terminal terminal) {
    StyledLine line =
        new StyledLine().add(drawn).add(" ").add(StyledLine.Style.YELLOW, turn.id().toString());
    for (ContextHead member : members) {
      if (member.head().equals(turn.id())) {
        String title = ContextDescription.of(member, store).title();
        String name = "(context " + member.id() + (title.isEmpty() ? "" : ": " + title) + ")";
        line.add(" ").add(StyledLine.Style.CYAN, name);
      }
    }
    int room = Math.max(20, terminal.columns() - line.columns() - 1);
    return line.add(" ").add(SafeText.cut(SafeText.line(TurnPreview.of(turn, store)), room));
  }
}
