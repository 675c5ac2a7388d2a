// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi;

import dev.varve.ContextId;
import dev.varve.TurnId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The branches of a session while its entries become turns, each known by its end.
///
/// A turn's first child continues its branch, every other child begins one. Therefore a file that
/// grows never moves a branch it had: its context goes on, and new branches get new ones.
final class Branches {

  /// One path to a leaf.
  static final class Branch {
    private TurnId end;
    private String leaf;
    private @Nullable ContextId context;

    private Branch(TurnId end, String leaf) {
      this.end = end;
      this.leaf = leaf;
    }

    TurnId end() {
      return end;
    }

    /// The id of the entry at its end.
    String leaf() {
      return leaf;
    }

    /// The context that has followed it so far.
    @Nullable ContextId context() {
      return context;
    }
  }

  private final TurnSet visited = new TurnSet();
  private final Map<TurnId, Branch> ends = new LinkedHashMap<>();

  /// Contexts of earlier imports, by their heads, until their branch comes by.
  private final Map<TurnId, List<ContextId>> waiting = new HashMap<>();

  private final List<ContextId> left = new ArrayList<>();

  /// A context of an earlier import stands at `head`.
  void expect(ContextId context, TurnId head) {
    waiting.computeIfAbsent(head, _ -> new ArrayList<>(1)).add(context);
  }

  /// The context that has followed the branch whose end is `turn`.
  Optional<ContextId> contextAt(TurnId turn) {
    return Optional.ofNullable(ends.get(turn)).map(Branch::context);
  }

  /// The entry `leaf` is the turn `turn`.
  ///
  /// @return false if an earlier entry of this file was that turn already
  boolean add(TurnId parent, TurnId turn, String leaf) {
    if (!visited.add(turn.value())) {
      return false;
    }
    Branch branch = ends.remove(parent);
    if (branch == null) {
      branch = new Branch(turn, leaf);
    }
    branch.end = turn;
    branch.leaf = leaf;
    ends.put(turn, branch);
    claim(branch, waiting.remove(turn));
    return true;
  }

  /// Where several contexts stand on a branch, as after the file was written anew, the foremost
  /// follows it.
  private void claim(Branch branch, @Nullable List<ContextId> here) {
    if (here != null) {
      if (branch.context != null) {
        left.add(branch.context);
      }
      branch.context = here.getLast();
      left.addAll(here.subList(0, here.size() - 1));
    }
  }

  /// All branches, once each entry was added.
  Collection<Branch> all() {
    return ends.values();
  }

  /// The contexts of earlier imports that follow no branch of this file.
  List<ContextId> left() {
    return Stream.concat(left.stream(), waiting.values().stream().flatMap(List::stream)).toList();
  }
}
