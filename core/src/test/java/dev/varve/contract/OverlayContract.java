// SPDX-License-Identifier: Apache-2.0
package dev.varve.contract;

import static dev.varve.contract.Samples.ABSENT_BLOB;
import static dev.varve.contract.Samples.ABSENT_TURN;
import static dev.varve.contract.Samples.hash;
import static dev.varve.contract.Samples.noise;
import static dev.varve.contract.Samples.replayed;
import static dev.varve.contract.Samples.said;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Overlays: later words about a turn that leave the turn as it is.
public interface OverlayContract extends StoreFixture {

  /// What a reader should see of a turn; `text` is null where nothing is served.
  record Seen(
      @Nullable String text,
      String hashed,
      boolean tombstone,
      @Nullable BlobHash fsRoot,
      long seq) {

    static Seen of(Turn turn) {
      Payload payload = turn.payload();
      return new Seen(
          payload == null ? null : payload.text(),
          turn.payloadHash().toString(),
          turn.tombstone(),
          turn.fsRoot(),
          turn.overlaySeq());
    }

    static Seen live(String text, @Nullable BlobHash fsRoot, long seq) {
      return new Seen(text, hash(text).toString(), false, fsRoot, seq);
    }
  }

  @Test
  default void eachReaderSeesTheOverlaysUpToItsSequence() {
    ContextId context = store().createContext().id();
    TurnId turn = store().append(context, said("written")).id();
    TurnId other = store().append(context, said("other")).id();
    BlobHash treeA = store().put(Payload.utf8("tree a"));
    BlobHash treeB = store().put(Payload.utf8("tree b"));
    List<Seen> expected = new ArrayList<>();
    expected.add(Seen.live("written", null, 0));

    assertThat(store().patch(turn, Payload.utf8("patched"))).isEqualTo(1);
    expected.add(Seen.live("patched", null, 1));
    assertThat(store().patch(other, Payload.utf8("other patched"))).isEqualTo(2);
    expected.add(Seen.live("patched", null, 1));
    assertThat(store().attachFsRoot(turn, treeA)).isEqualTo(3);
    expected.add(Seen.live("patched", treeA, 3));
    assertThat(store().tombstone(turn)).isEqualTo(4);
    expected.add(new Seen(null, hash("patched").toString(), true, treeA, 4));
    assertThat(store().tombstone(other)).isEqualTo(5);
    expected.add(new Seen(null, hash("patched").toString(), true, treeA, 4));
    assertThat(store().attachFsRoot(turn, treeB)).isEqualTo(6);
    expected.add(new Seen(null, hash("patched").toString(), true, treeB, 6));
    assertThat(store().patch(turn, Payload.utf8("revived"))).isEqualTo(7);
    expected.add(Seen.live("revived", treeB, 7));
    assertThat(store().patch(turn, Payload.EMPTY)).isEqualTo(8);
    expected.add(Seen.live("", treeB, 8));

    for (int seq = 0; seq < expected.size(); seq++) {
      View view = View.asOf(seq);
      Seen seen = expected.get(seq);
      assertThat(Seen.of(store().turn(turn, view))).as("as of %d", seq).isEqualTo(seen);
      assertThat(Seen.of(store().range(context, 0, 1, view).turns().getFirst())).isEqualTo(seen);
      assertThat(Seen.of(store().before(context, other, 1, view).turns().getFirst()))
          .isEqualTo(seen);
      assertThat(Seen.of(replayed(store(), other, view).getFirst())).isEqualTo(seen);
      assertThat(Seen.of(store().last(context, 2, view).turns().getFirst())).isEqualTo(seen);

      Turn header = store().turn(turn, view.withoutPayloads());
      assertThat(header.payload()).isNull();
      assertThat(header.payloadHash().toString()).isEqualTo(seen.hashed());
      assertThat(header.tombstone()).isEqualTo(seen.tombstone());
      assertThat(header.overlaySeq()).isEqualTo(seen.seq());
    }
    assertThat(Seen.of(store().turn(turn, View.LATEST))).isEqualTo(expected.getLast());
    assertThat(Seen.of(store().turn(turn, View.AS_WRITTEN))).isEqualTo(expected.getFirst());
  }

  @Test
  default void aPatchChangesThePayloadAndItsSizeOnly() {
    ContextId context = store().createContext().id();
    Turn written = store().append(context, said("written"));
    ContextHead head = store().head(context);

    store().patch(written.id(), Payload.utf8("patched longer"));

    Turn patched = store().turn(written.id(), View.LATEST);
    assertThat(patched.payloadSizeBytes()).isEqualTo(14);
    assertThat(patched.parent()).isEqualTo(written.parent());
    assertThat(patched.type()).isEqualTo(written.type());
    assertThat(patched.createdAt()).isEqualTo(written.createdAt());
    assertThat(store().head(context)).as("an overlay is no append").isEqualTo(head);
    assertThat(store().get(written.payloadHash())).isEqualTo(Payload.utf8("written"));
    assertThat(store().get(hash("patched longer")).text()).isEqualTo("patched longer");
  }

  @Test
  default void anOverlayIsSeenOnEveryPathThroughTheTurn() {
    ContextId trunk = store().createContext().id();
    TurnId shared = store().append(trunk, said("written")).id();
    ContextId fork = store().fork(shared).id();
    store().append(fork, said("fork"));

    store().patch(shared, Payload.utf8("patched"));

    for (ContextId context : List.of(trunk, fork)) {
      Turn seen = store().range(context, 0, 1, View.LATEST).turns().getFirst();
      assertThat(seen.payload()).isEqualTo(Payload.utf8("patched"));
    }
  }

  @Test
  default void aTombstoneKeepsItsPlaceOnThePath() {
    ContextId context = store().createContext().id();
    List<TurnId> turns = Samples.say(store(), context, "a", 3);

    store().tombstone(turns.get(1));

    List<Turn> path = store().last(context, 10, View.LATEST).turns();
    assertThat(Samples.ids(path)).isEqualTo(turns);
    assertThat(path).extracting(Turn::tombstone).containsExactly(false, true, false);
    assertThat(path.get(1).payload()).isNull();
  }

  @Test
  default void aFileTreeGivenWithTheTurnIsReplacedByTheLastOneAttached() {
    ContextId context = store().createContext().id();
    BlobHash given = store().put(Payload.utf8("given"));
    BlobHash attached = store().put(Payload.utf8("attached"));
    TurnId turn = store().append(context, said("a").withFsRoot(given)).id();
    TurnId next = store().append(context, said("b")).id();

    assertThat(store().turn(turn, View.LATEST).fsRoot()).isEqualTo(given);
    long seq = store().attachFsRoot(turn, attached);

    assertThat(store().turn(turn, View.LATEST).fsRoot()).isEqualTo(attached);
    assertThat(store().turn(turn, View.asOf(seq - 1)).fsRoot()).isEqualTo(given);
    assertThat(store().turn(turn, View.LATEST).payload()).isEqualTo(Payload.utf8("a"));
    assertThat(store().turn(next, View.LATEST).fsRoot()).as("a tree belongs to one turn").isNull();
  }

  @Test
  default void theOverlaysOfATurnAreListedNewestFirst() {
    ContextId context = store().createContext().id();
    TurnId turn = store().append(context, said("a")).id();
    TurnId other = store().append(context, said("b")).id();
    BlobHash tree = store().put(Payload.utf8("tree"));
    assertThat(store().overlays(turn)).isEmpty();

    store().patch(turn, Payload.utf8("patched"));
    store().tombstone(other);
    store().tombstone(turn);
    store().attachFsRoot(turn, tree);

    assertThat(store().overlays(turn))
        .containsExactly(
            new Overlay(4, turn, Overlay.Kind.FS_ROOT, tree),
            new Overlay(3, turn, Overlay.Kind.TOMBSTONE, null),
            new Overlay(1, turn, Overlay.Kind.PATCH, hash("patched")));
    assertThat(store().overlays(other))
        .containsExactly(new Overlay(2, other, Overlay.Kind.TOMBSTONE, null));
    assertThat(store().counts().overlays()).isEqualTo(4);
  }

  @Test
  default void overlaysOnWhatIsAbsentAreRefusedAndTakeNoSequence() {
    TurnId turn = store().append(store().createContext().id(), said("a")).id();
    BlobHash tree = store().put(Payload.utf8("tree"));
    Payload patch = Payload.utf8("patch of nothing");

    for (TurnId absent : List.of(ABSENT_TURN, TurnId.NONE)) {
      assertThatThrownBy(() -> store().patch(absent, patch))
          .isInstanceOf(StoreException.NotFound.class);
      assertThatThrownBy(() -> store().tombstone(absent))
          .isInstanceOf(StoreException.NotFound.class);
      assertThatThrownBy(() -> store().attachFsRoot(absent, tree))
          .isInstanceOf(StoreException.NotFound.class);
      assertThatThrownBy(() -> store().overlays(absent))
          .isInstanceOf(StoreException.NotFound.class);
    }
    assertThatThrownBy(() -> store().attachFsRoot(turn, ABSENT_BLOB))
        .isInstanceOf(StoreException.NotFound.class);
    assertThat(store().has(hash("patch of nothing"))).isFalse();
    assertThat(store().counts().overlays()).isZero();
    assertThat(store().tombstone(turn)).isEqualTo(1);
  }

  @Test
  default void aPatchOverTheLimitIsRefused() {
    Store small = openWith(new StoreLimits(100, 100, 10));
    TurnId turn = small.append(small.createContext().id(), said("a")).id();

    assertThatThrownBy(() -> small.patch(turn, noise(1, 101)))
        .isInstanceOf(StoreException.TooLarge.class);

    assertThat(small.overlays(turn)).isEmpty();
    assertThat(small.turn(turn, View.LATEST).payload()).isEqualTo(Payload.utf8("a"));
  }
}
