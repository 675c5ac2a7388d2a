// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.TurnId;
import dev.varve.View;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The paths of some contexts as a tree that has only the turns at which something happens: roots,
/// turns after which paths part, and heads. The turns between two of them are counted and not read,
/// so that a context costs O(log depth) for each parting on its path.
final class BranchTree {

  /// A turn of the tree.
  ///
  /// @param parent the turn of the tree before this one; null for a root
  /// @param turns the number of turns from the parent, exclusive, to this one, inclusive
  /// @param contexts the contexts whose head this turn is
  record Knot(
      TurnId turn, int depth, @Nullable TurnId parent, int turns, List<ContextId> contexts) {}

  private static final class Node {
    private final TurnId turn;
    private final int depth;
    private final List<ContextId> contexts = new ArrayList<>();

    /// By the turn that follows this one on the way to the next node.
    private final Map<TurnId, Node> next = new LinkedHashMap<>();

    Node(TurnId turn, int depth) {
      this.turn = turn;
      this.depth = depth;
    }
  }

  private record Visit(Node node, @Nullable Node parent) {}

  private final Store store;
  private final Map<TurnId, Node> roots = new LinkedHashMap<>();

  BranchTree(Store store) {
    this.store = store;
  }

  /// Adds the path of a context, which has a turn.
  void add(ContextHead head) {
    TurnId root = store.ancestor(head.head(), 0);
    Node node = roots.computeIfAbsent(root, turn -> new Node(turn, 0));
    while (!node.turn.equals(head.head())) {
      TurnId first = store.ancestor(head.head(), node.depth + 1);
      Node next = node.next.get(first);
      if (next == null) {
        next = new Node(head.head(), head.headDepth());
      } else {
        next = parting(next, head.head());
      }
      node.next.put(first, next);
      node = next;
    }
    node.contexts.add(head.id());
  }

  /// The node at which the way to `next` and the way to `head` part; `next` if it is before `head`.
  private Node parting(Node next, TurnId head) {
    TurnId common = store.findCommonAncestor(next.turn, head).orElseThrow();
    if (common.equals(next.turn)) {
      return next;
    }
    Node between = new Node(common, store.turn(common, View.HEADERS).depth());
    between.next.put(store.ancestor(next.turn, between.depth + 1), next);
    return between;
  }

  /// All turns of the tree, each before those that follow it, one branch after the other.
  List<Knot> knots() {
    List<Knot> knots = new ArrayList<>();
    Deque<Visit> waiting = new ArrayDeque<>();
    roots.values().forEach(root -> waiting.addLast(new Visit(root, null)));
    while (!waiting.isEmpty()) {
      Visit visit = waiting.removeFirst();
      Node node = visit.node();
      Node parent = visit.parent();
      knots.add(
          new Knot(
              node.turn,
              node.depth,
              parent == null ? null : parent.turn,
              parent == null ? 1 : node.depth - parent.depth,
              List.copyOf(node.contexts)));
      List<Node> next = new ArrayList<>(node.next.values());
      next.reversed().forEach(each -> waiting.addFirst(new Visit(each, node)));
    }
    return knots;
  }
}
