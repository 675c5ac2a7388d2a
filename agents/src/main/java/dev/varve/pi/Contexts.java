// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.hash.Blake3;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Keeps the contexts of a session's leaves where the leaves are.
///
/// A context's head moves when a turn is appended through it, and in no other way. So where a
/// branch went on over turns that were in the store already, because a fork of the session was
/// imported first, its end gets a new context and the old one stays behind as a *former* one.
final class Contexts {

  private final Store store;
  private final Branches branches;
  private final Map<ContextId, TurnId> before = new HashMap<>();
  private final List<ContextId> all = new ArrayList<>();

  private long added;
  private long advanced;

  Contexts(Store store, Branches branches) {
    this.store = store;
    this.branches = branches;
  }

  /// A context that an earlier import made.
  void expect(ContextId context) {
    TurnId head = store.head(context).head();
    before.put(context, head);
    all.add(context);
    branches.expect(context, head);
  }

  /// Gives each branch its context, and says what each is about.
  ///
  /// @param formerManifest the newest manifest so far, null if there is none
  /// @return all contexts of the session
  List<ContextId> settle(
      PiAbout.Session session, ContextId manifestContext, @Nullable TurnId formerManifest) {
    List<ContextId> former = new ArrayList<>(branches.left());
    for (Branches.Branch branch : branches.all()) {
      int entries = store.turn(branch.end(), View.HEADERS).depth() + 1;
      Payload about =
          new PiAbout.Branch(session, entries, branch.leaf(), manifestContext, null).payload();
      ContextId context = branch.context();
      if (context == null || !follow(context, branch.end(), about)) {
        if (context != null) {
          former.add(context);
        }
        all.add(store.createContext(branch.end(), store.put(about)).id());
        added++;
      }
    }
    if (formerManifest != null) {
      former.forEach(context -> retire(context, formerManifest));
    }
    return all;
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

  private void retire(ContextId context, TurnId manifest) {
    ContextHead head = store.head(context);
    if (head.about() != null
        && PiAbout.read(store.get(head.about())).orElse(null) instanceof PiAbout.Branch branch
        && branch.former() == null) {
      describe(head, branch.withFormer(manifest).payload());
    }
  }

  /// Describing makes a context active, so only what is new is said.
  private void describe(ContextHead head, Payload about) {
    if (!Blake3.hash(about.unsafeArray()).equals(head.about())) {
      store.describe(head.id(), store.put(about));
    }
  }

  /// All contexts of the session's leaves, those of its earlier versions too.
  List<ContextId> all() {
    return all;
  }

  long added() {
    return added;
  }

  long advanced() {
    return advanced;
  }
}
