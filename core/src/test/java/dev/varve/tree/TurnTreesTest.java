// SPDX-License-Identifier: Apache-2.0
package dev.varve.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Durability;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.TurnId;
import dev.varve.local.LocalStore;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TurnTreesTest {

  @TempDir Path folder;

  private static final NewTurn TURN =
      NewTurn.of(Payload.EMPTY, new DeclaredType("t", 1), Encoding.RAW);

  @Test
  void aTurnHasItsOwnTreeElseThatOfItsNearestAncestor() {
    StoreOptions options = StoreOptions.DEFAULTS.withDurability(Durability.LET_THE_SYSTEM);
    try (Store store = LocalStore.open(folder, options)) {
      BlobHash empty = store.put(Tree.EMPTY.payload());
      BlobHash other =
          store.put(new Tree(java.util.List.of(TreeCodecTest.file("a", 0, ""))).payload());
      ContextId context = store.createContext().id();
      TurnId none = store.append(context, TURN).id();
      TurnId own = store.append(context, TURN.withFsRoot(empty)).id();
      TurnId below = store.append(context, TURN).id();
      ContextId fork = store.fork(below).id();
      TurnId forked = store.append(fork, TURN).id();

      assertThat(TurnTrees.at(store, none)).isEmpty();
      assertThat(TurnTrees.at(store, own)).contains(new TurnTrees.Snapshot(own, empty));
      assertThat(TurnTrees.at(store, forked)).contains(new TurnTrees.Snapshot(own, empty));

      store.attachFsRoot(below, other);
      assertThat(TurnTrees.at(store, forked)).contains(new TurnTrees.Snapshot(below, other));
      assertThatThrownBy(() -> TurnTrees.at(store, new TurnId(1L << 40)))
          .isInstanceOf(StoreException.NotFound.class);
    }
  }
}
