// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.surveys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.ContextHead;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.ReadProgress;
import dev.varve.Store;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.local.LocalStore;
import dev.varve.server.contexts.ContextIndex;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Bounds of a count of the space.
final class SpaceSurveyTest {

  @TempDir Path folder;
  private Store store;
  private ContextIndex index;

  @BeforeEach
  void open() {
    store = LocalStore.open(folder.resolve("s"), StoreOptions.DEFAULTS);
    index = new ContextIndex(store);
  }

  @AfterEach
  void close() {
    index.close();
    store.close();
  }

  private Turn append(ContextHead context, String type, String text) {
    return store.append(
        context.id(), NewTurn.of(Payload.utf8(text), new DeclaredType(type, 1), Encoding.RAW));
  }

  @Test
  void withoutMemoryForNamesTheWorkStaysLinearAndTheResultSaysSo() {
    ContextHead trunk = store.createContext();
    Turn last = append(trunk, "t", "same");
    for (int i = 0; i < 40; i++) {
      last = append(trunk, "t", "same");
    }
    for (int i = 0; i < 5; i++) {
      append(store.fork(last.id()), "t", "same");
    }

    SpaceShares whole = new SpaceSurvey(store, index, ReadProgress.NONE).run();
    assertThat(whole.isExact()).isTrue();
    assertThat(whole.all().turns()).isEqualTo(46);
    assertThat(whole.all().keptBytes()).isEqualTo(4);

    SpaceShares forgetful = new SpaceSurvey(store, index, ReadProgress.NONE, 0).run();
    assertThat(forgetful.isExact()).isFalse();
    assertThat(forgetful.all().turns()).isEqualTo(46);
    assertThat(forgetful.all().keptBytes()).isEqualTo(46 * 4);
  }

  @Test
  void kindsBeyondTheFirstThousandShareARow() {
    ContextHead context = store.createContext();
    for (int i = 0; i < ShareTable.NAMES_MAX + 5; i++) {
      append(context, "type " + i, "x");
    }

    SpaceShares found = new SpaceSurvey(store, index, ReadProgress.NONE).run();

    assertThat(found.kinds()).hasSize(ShareTable.NAMES_MAX + 1);
    assertThat(found.kinds())
        .filteredOn(share -> share.name().equals(ShareTable.OTHERS))
        .extracting(SpaceShares.Share::turns)
        .containsExactly(5L);
  }

  @Test
  void theProgressReachesTheNumberOfTurnsAndEndsTheCountByThrowing() {
    ContextHead context = store.createContext();
    for (int i = 0; i < 30; i++) {
      append(context, "t", "x" + i);
    }
    List<Long> done = new ArrayList<>();

    new SpaceSurvey(store, index, (reached, total) -> done.add(reached)).run();

    assertThat(done).isSorted().last().isEqualTo(30L);
    SpaceSurvey stopped =
        new SpaceSurvey(
            store,
            index,
            (reached, total) -> {
              throw new CancellationException();
            });
    assertThatThrownBy(stopped::run).isInstanceOf(CancellationException.class);
  }
}
