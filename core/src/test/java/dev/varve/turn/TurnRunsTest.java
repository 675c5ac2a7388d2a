// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.format.FormatPage;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TurnRunsTest {

  @Test
  void thePageTellsTheLayout() {
    assertThat(FormatPage.of("turns-idx").table("Entry").differences(TurnRuns.ENTRY)).isEmpty();
    assertThat(TurnRuns.ENTRY.byteSize()).isEqualTo(TurnRuns.ENTRY_BYTES);
  }

  @Test
  void anEmptyViewHasNoTurns() {
    assertThat(TurnRuns.View.EMPTY.ordinal(1)).isEqualTo(-1);
    assertThat(TurnRuns.View.EMPTY.lastId()).isZero();
  }

  @Test
  void runsAnswerAsAListOfNumbersWould() {
    for (long seed = 0; seed < 50; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<Long> ids = new ArrayList<>();
      TurnRuns.View view = TurnRuns.View.EMPTY;
      long id = 0;
      int runs = 0;
      for (int i = 0; i < 200; i++) {
        boolean gap = i == 0 || random.nextInt(10) == 0;
        id += gap ? 2 + random.nextInt(5) : 1;
        runs += gap ? 1 : 0;
        view = view.plus(id);
        ids.add(id);
      }
      assertThat(view.runCount()).as("seed %d", seed).isEqualTo(runs);
      assertThat(view.count()).isEqualTo(200);
      assertThat(view.lastId()).isEqualTo(id);
      for (long sought = 0; sought <= id + 5; sought++) {
        assertThat(view.ordinal(sought))
            .as("turn %d, seed %d", sought, seed)
            .isEqualTo(ids.indexOf(sought));
      }
      for (int ordinal = 0; ordinal < ids.size(); ordinal++) {
        assertThat(view.id(ordinal)).as("seed %d", seed).isEqualTo(ids.get(ordinal));
      }
    }
  }

  @Test
  void aViewDoesNotSeeWhatIsAddedLater() {
    TurnRuns.View first = TurnRuns.View.EMPTY.plus(1).plus(2);
    TurnRuns.View later = first.plus(3).plus(10).plus(20).plus(30).plus(40).plus(50);

    assertThat(first.count()).isEqualTo(2);
    assertThat(first.ordinal(3)).isEqualTo(-1);
    assertThat(first.ordinal(10)).isEqualTo(-1);
    assertThat(later.ordinal(10)).isEqualTo(3);
    assertThat(later.ordinal(50)).isEqualTo(7);
  }

  @Test
  void numbersOnlyRise() {
    TurnRuns.View view = TurnRuns.View.EMPTY.plus(7);

    assertThatThrownBy(() -> view.plus(7)).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> view.plus(6)).isInstanceOf(AssertionError.class);
  }
}
