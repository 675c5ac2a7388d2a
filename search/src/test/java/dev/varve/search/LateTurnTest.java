// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.ContextId;
import dev.varve.StoreCounts;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.sim.ForwardingStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A turn that becomes visible after a turn with a greater number, as it happens where several
/// services write to one store.
final class LateTurnTest {

  private static final FollowLimit LONG =
      FollowLimit.within(Duration.ofMinutes(1), FollowLimit.Progress.NONE);

  @TempDir Path folder;

  /// A store in which one turn is not visible yet.
  private static final class HidingStore extends ForwardingStore {

    private @Nullable TurnId hidden;

    HidingStore(FoundStore found) {
      super(found.store);
    }

    @Override
    public Turn turn(TurnId id, View view) {
      if (id.equals(hidden)) {
        throw new StoreException.NotFound("turn", id.toString());
      }
      return super.turn(id, view);
    }

    @Override
    public StoreCounts counts() {
      StoreCounts all = super.counts();
      return new StoreCounts(
          all.contexts(),
          all.turns() - (hidden == null ? 0 : 1),
          all.blobs(),
          all.overlays(),
          all.types(),
          all.rawBytes(),
          all.storedBytes(),
          all.diskBytes());
    }
  }

  private static int hits(StoreSearch search, String words) {
    return search.search(SearchRequest.of(words, 50, FoundStore.NOW, ZoneOffset.UTC)).hits().size();
  }

  @Test
  void itIsFoundOnceItIsThere() {
    try (FoundStore found = new FoundStore(folder.resolve("store"))) {
      ContextId first = found.context("{\"agent\":\"pi\"}");
      ContextId second = found.context("{\"agent\":\"pi\"}");
      found.say(first, "user", "early words");
      HidingStore store = new HidingStore(found);
      store.hidden = found.say(second, "user", "tardy words");
      found.say(first, "user", "later words");
      found.search.close();
      try (StoreSearch search = StoreSearch.open(found.folder, store)) {
        assertThat(search.follow(LONG).isWhole()).isTrue();
        assertThat(hits(search, "later")).isEqualTo(1);
        assertThat(hits(search, "tardy")).isZero();

        store.hidden = null;

        assertThat(search.follow(LONG).isWhole()).isTrue();
        assertThat(hits(search, "tardy")).isEqualTo(1);
        assertThat(hits(search, "words")).isEqualTo(3);
      }
      found.search = StoreSearch.open(found.folder, found.store);
    }
  }
}
