// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

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

/// The branches of a source while its records become turns. Each branch is known by its last turn.
///
/// A turn's first child continues the turn's branch, and every other child begins a branch. So a
/// source that grows never moves a branch that it had: the branch's context goes on, and new
/// branches get new contexts.
final class TurnBranches {

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

    /// The id of the record at its end; empty if the record has none.
    String leaf() {
      return leaf;
    }

    /// The context that has followed the branch so far.
    @Nullable ContextId context() {
      return context;
    }
  }

  private final TurnSet visited = new TurnSet();
  private final Map<TurnId, Branch> ends = new LinkedHashMap<>();

  /// The contexts of earlier imports by their heads, until a branch reaches the head.
  private final Map<TurnId, List<ContextId>> expected = new HashMap<>();

  private final List<ContextId> left = new ArrayList<>();

  /// Expects a branch to reach `head`, where a context of an earlier import stands.
  void expect(ContextId context, TurnId head) {
    expected.computeIfAbsent(head, _ -> new ArrayList<>(1)).add(context);
  }

  /// Takes over a branch of which no turn is added, because all of them are known.
  void resume(TurnId end, String leaf, ContextId context) {
    Branch branch = new Branch(end, leaf);
    branch.context = context;
    ends.put(end, branch);
  }

  /// The context that has followed the branch whose end is `turn`.
  Optional<ContextId> contextAt(TurnId turn) {
    return Optional.ofNullable(ends.get(turn)).map(Branch::context);
  }

  /// Adds the turn of the record `leaf`.
  ///
  /// @return false if an earlier record of this source was that turn already
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
    claim(branch, expected.remove(turn));
    return true;
  }

  /// Gives a branch the foremost of the contexts that stand on it. There are several after a source
  /// was written anew.
  private void claim(Branch branch, @Nullable List<ContextId> here) {
    if (here != null) {
      if (branch.context != null) {
        left.add(branch.context);
      }
      branch.context = here.getLast();
      left.addAll(here.subList(0, here.size() - 1));
    }
  }

  /// All branches, once each record was added.
  Collection<Branch> all() {
    return ends.values();
  }

  /// The contexts of earlier imports that follow no branch of this source.
  List<ContextId> left() {
    return Stream.concat(left.stream(), expected.values().stream().flatMap(List::stream)).toList();
  }
}
