// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.sim.ForwardingStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The work that one turn more causes in the index, counted in parts of the index, commits and
/// reads.
final class OneMoreTurnTest {

  private static final int TURNS = 120;
  private static final Duration LONG = Duration.ofHours(1);

  @TempDir Path folder;

  /// A store that counts the turns whose headers are read.
  private static final class CountingStore extends ForwardingStore {
    private int headersRead;

    CountingStore(FoundStore found) {
      super(found.store);
    }

    @Override
    public Turn turn(TurnId id, View view) {
      headersRead += view.payloads() ? 0 : 1;
      return super.turn(id, view);
    }
  }

  private StoreSearch open(
      FoundStore found, CountingStore store, CommitRhythm rhythm, @Nullable OverlayNews news) {
    found.search.close();
    found.search = StoreSearch.open(found.folder, store, rhythm, news);
    return found.search;
  }

  private static List<TurnId> hits(StoreSearch search, String words) {
    return search
        .search(SearchRequest.of(words, 50, FoundStore.NOW, ZoneOffset.UTC))
        .hits()
        .stream()
        .map(hit -> hit.place().turn())
        .toList();
  }

  private static boolean isCommitted(FoundStore found) throws IOException {
    try (Stream<Path> files = Files.list(found.folder.resolve("search"))) {
      return files.anyMatch(file -> file.getFileName().toString().startsWith("segments_"));
    }
  }

  @Test
  void turnsThatNobodySearchesMakeNoPartOfTheIndex() throws IOException {
    try (FoundStore found = new FoundStore(folder.resolve("store"))) {
      CommitRhythm rhythm = new CommitRhythm(Duration.ZERO, LONG, TURNS);
      StoreSearch search = open(found, new CountingStore(found), rhythm, null);
      ContextId context = found.context("{\"agent\":\"pi\"}");
      for (int i = 1; i < TURNS; i++) {
        found.say(context, "user", "common word" + i);
        found.follow();
      }
      assertThat(search.partCount()).isZero();
      assertThat(isCommitted(found)).isFalse();

      assertThat(hits(search, "word7")).hasSize(1);
      assertThat(search.partCount()).isEqualTo(1);

      found.say(context, "user", "the last word");
      found.follow();
      assertThat(isCommitted(found)).isTrue();
    }
  }

  @Test
  void partsThatSearchesMakeAreMergedBehindThem() {
    try (FoundStore found = new FoundStore(folder.resolve("store"))) {
      ContextId context = found.context("{\"agent\":\"pi\"}");
      for (int i = 0; i < TURNS; i++) {
        found.say(context, "user", "common word" + i);
        assertThat(found.turns("word" + i)).hasSize(1);
      }
      assertThat(found.search.partCount()).isLessThan(TURNS / 4);
    }
  }

  @Test
  void aContextIsTakenOnceBeforeAReaderSeesIt() {
    try (FoundStore found = new FoundStore(folder.resolve("store"))) {
      ContextId context = found.context("{\"agent\":\"pi\",\"title\":\"an early title\"}");
      found.say(context, "user", "first words");
      found.follow();
      found.say(context, "user", "second words");
      found.follow();
      BlobHash about = found.store.put(Payload.utf8("{\"agent\":\"pi\",\"title\":\"a late one\"}"));
      found.store.describe(context, about);
      assertThat(found.follow().isWhole()).isTrue();

      assertThat(found.find("early").hits()).isEmpty();
      assertThat(found.find("late").total()).isEqualTo(1);
      assertThat(found.find("agent:pi words").total()).isEqualTo(2);
    }
  }

  @Test
  void aDeletedTurnIsFoundByItsNewsAndNotByReadingAll() {
    try (FoundStore found = new FoundStore(folder.resolve("store"))) {
      ContextId context = found.context("{\"agent\":\"pi\"}");
      TurnId first = found.say(context, "user", "common word0");
      for (int i = 1; i < TURNS; i++) {
        found.say(context, "user", "common word" + i);
      }
      CountingStore store = new CountingStore(found);
      OverlayNews news = new OverlayNews();
      StoreSearch search = open(found, store, CommitRhythm.DEFAULT, news);
      found.follow();

      int before = store.headersRead;
      long seq = store.tombstone(first);
      found.follow(); // as when this comes before the news
      news.add(seq, first, Overlay.Kind.TOMBSTONE);
      found.follow();
      assertThat(store.headersRead - before).isLessThan(TURNS / 4);
      assertThat(hits(search, "word0")).isEmpty();
      assertThat(hits(search, "common")).hasSize(50);

      long second = store.tombstone(new TurnId(first.value() + 5));
      found.follow(); // the news of this overlay are awaited as well
      assertThat(store.headersRead - before).isLessThan(TURNS / 4);
      news.add(second, new TurnId(first.value() + 5), Overlay.Kind.TOMBSTONE);
      store.tombstone(new TurnId(first.value() + 6)); // without news yet
      found.follow();
      found.follow();
      assertThat(store.headersRead - before).isLessThan(TURNS / 4);
      found.follow();
      assertThat(store.headersRead - before).isGreaterThan(TURNS / 2);
      before = store.headersRead;

      store.tombstone(new TurnId(first.value() + 1)); // without news
      found.follow();
      found.follow();
      assertThat(store.headersRead - before).isGreaterThan(TURNS / 2);
      assertThat(search.search(all()).total())
          .isEqualTo(TURNS); // texts, of which four have no turn
      assertThat(hits(search, "word1")).isEmpty();
    }
  }

  private static SearchRequest all() {
    return SearchRequest.of("common", 50, FoundStore.NOW, ZoneOffset.UTC);
  }

  @Test
  void aFileTreeLeavesTheStatusOfItsCallAlone() {
    try (FoundStore found = new FoundStore(folder.resolve("store"))) {
      ContextId context = found.context("{\"agent\":\"claude-code\"}");
      TurnId call = found.run(context, "call-1", "make all", "no rule", true);
      assertThat(found.turns("role:command exit:!0 make")).containsExactly(call);

      BlobHash root = found.store.put(Payload.utf8("a tree"));
      found.store.attachFsRoot(call, root);

      assertThat(found.turns("role:command exit:!0 make")).containsExactly(call);
    }
  }
}
