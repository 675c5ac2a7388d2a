// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.hash.Blake3;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Keeps the contexts of a source's leaves at the leaves.
///
/// A context's head moves when a turn is appended through the context, and in no other way. So if a
/// branch went on over turns that were in the store already, because a fork of the source was
/// imported first, the branch's end gets a new context, and the old context stays behind as a
/// *former* one.
public final class LeafContexts {

  /// Describes the contexts of leaves, in the words of one format.
  public interface Abouts {

    /// The `about` of a leaf's context.
    ///
    /// @param turns how many turns lead from the root to the leaf, both counted
    /// @param leaf the id of the leaf's record; empty if it has none
    Payload leaf(int turns, String leaf);

    /// The `about` of a context whose leaf is none of the source's newest version.
    ///
    /// @param about the context's `about` so far
    /// @return empty if it stays as it is
    Optional<Payload> former(Payload about);
  }

  private final Store store;
  private final TurnBranches branches = new TurnBranches();
  private final Map<ContextId, TurnId> before = new HashMap<>();
  private final List<ContextId> all = new ArrayList<>();
  private final List<ContextId> ends = new ArrayList<>();

  private long added;
  private long advanced;

  public LeafContexts(Store store) {
    this.store = store;
  }

  /// Takes over the contexts that earlier imports made.
  public void expect(Collection<ContextId> contexts) {
    for (ContextId context : contexts) {
      TurnId head = store.head(context).head();
      before.put(context, head);
      all.add(context);
      branches.expect(context, head);
    }
  }

  /// Takes over the contexts of a source of which only new records are added.
  ///
  /// @param contexts all contexts that earlier imports made
  /// @param leaves the leaves of the source's newest version
  public void resume(Collection<ContextId> contexts, Collection<KnownLeaf> leaves) {
    all.addAll(contexts);
    for (KnownLeaf leaf : leaves) {
      before.put(leaf.context(), leaf.turn());
      branches.resume(leaf.turn(), leaf.leaf(), leaf.context());
    }
  }

  /// A leaf with the context that stands there.
  ///
  /// @param leaf the record's id
  public record KnownLeaf(ContextId context, TurnId turn, String leaf) {}

  /// Adds the turn of a record.
  ///
  /// @param leaf the record's id; empty if it has none
  /// @return false if an earlier record of this source was that turn already
  boolean add(TurnId parent, TurnId turn, String leaf) {
    return branches.add(parent, turn, leaf);
  }

  /// The context that has followed the branch whose end is `turn`.
  Optional<ContextId> contextAt(TurnId turn) {
    return branches.contextAt(turn);
  }

  /// Gives each branch its context, and describes all contexts. To be called once all records are
  /// turns.
  public ContextChanges settle(Abouts abouts) {
    List<ContextId> former = new ArrayList<>(branches.left());
    for (TurnBranches.Branch branch : branches.all()) {
      int turns = store.turn(branch.end(), View.HEADERS).depth() + 1;
      Payload about = abouts.leaf(turns, branch.leaf());
      ContextId context = branch.context();
      if (context == null || !follow(context, branch.end(), about)) {
        if (context != null) {
          former.add(context);
        }
        context = store.createContext(branch.end(), store.put(about)).id();
        all.add(context);
        added++;
      }
      ends.add(context);
    }
    former.forEach(context -> retire(context, abouts));
    return new ContextChanges(all, added, advanced);
  }

  /// The contexts of the leaves of the newest version, once they are settled.
  public List<ContextId> ends() {
    return ends;
  }

  /// @return false if the context could not be moved to the end
  private boolean follow(ContextId context, TurnId end, Payload about) {
    ContextHead head = store.head(context);
    if (!head.head().equals(end)) {
      return false;
    }
    if (!end.equals(before.get(context))) {
      advanced++;
    }
    describe(head, about);
    return true;
  }

  private void retire(ContextId context, Abouts abouts) {
    ContextHead head = store.head(context);
    if (head.about() != null) {
      abouts.former(store.get(head.about())).ifPresent(about -> describe(head, about));
    }
  }

  /// Describing makes a context active, so an `about` that is there already is not written again.
  private void describe(ContextHead head, Payload about) {
    if (!Blake3.hash(about.unsafeArray()).equals(head.about())) {
      store.describe(head.id(), store.put(about));
    }
  }
}
