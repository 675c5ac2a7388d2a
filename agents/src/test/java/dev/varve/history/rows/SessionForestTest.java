// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SessionForestTest {

  private final SessionForest forest = new SessionForest();

  @Test
  void aSessionStandsBelowTheOneThatBeganIt() {
    forest.add("a", "");
    forest.add("b", "a");
    forest.add("c", "gone");
    forest.add("d", "b");
    forest.add("e", "a");

    assertThat(forest.trees()).containsExactly(List.of("a", "b", "d", "e"), List.of("c"));
  }

  @Test
  void ofSessionsThatBeganEachOtherTheFirstIsARoot() {
    forest.add("a", "b");
    forest.add("b", "a");
    forest.add("own", "own");

    assertThat(forest.trees()).containsExactly(List.of("a", "b"), List.of("own"));
  }

  @Test
  void aChainOfManySessionsIsOneTree() {
    for (int i = 0; i < 100_000; i++) {
      forest.add("s" + i, "s" + (i - 1));
    }

    assertThat(forest.trees())
        .hasSize(1)
        .first()
        .satisfies(tree -> assertThat(tree).hasSize(100_000));
  }

  @Test
  void aSlotIsThatOfOneSessionAndLeadsBackToTheId() {
    assertThat(SessionForest.slot("ses_1")).isEqualTo("ses_1");
    for (String id : List.of("ses_1", "main", "schema", "project", "main/events", "session:main")) {
      assertThat(SessionForest.id(SessionForest.slot(id))).isEqualTo(id);
      assertThat(SessionForest.slot(id)).isNotIn("main", "schema", "project", "main/events");
    }
    assertThat(SessionForest.slot("session:main")).isNotEqualTo(SessionForest.slot("main"));
  }
}
